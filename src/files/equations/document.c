/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/snapshot.h"
#include "figure/typeset/label.h"
#include "files/equations/arena.h"
#include "files/equations/document.h"
#include "files/equations/labels.h"
#include "files/equations/lex.h"
#include "files/equations/plan.h"
#include "files/equations/private.h"
#include "files/equations/read.h"
#include "files/equations/report.h"
#include "files/equations/text.h"

/* Returns whether the problem is a size that a declaration leaves open: it can be set when the diagram is
 * used. */
static gboolean
is_open_size (HeddleEqReader *self, const HeddleProblem *problem, const HeddleEqPlace *place)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, problem->object_id);

  return axis != NULL && axis->size == NULL && place != NULL && place->declared;
}

static HeddleEqReader *
reader_of (HeddleEqReader *self, const char *diagram_id)
{
  for (guint i = 0; i < self->document->definitions->len; i++)
    {
      HeddleEqDefinition *definition = g_ptr_array_index (self->document->definitions, i);

      if (definition->reader.diagram->id == diagram_id)
        return &definition->reader;
    }
  return self;
}

/* Warns of the first command of a name that no label can set, at the place where the name is given. */
static void
check_name (HeddleEqReader *self, const char *id, const char *name)
{
  const HeddleEqPlace *place = g_hash_table_lookup (self->places, id);
  HeddleProblem *unknown = name != NULL && place != NULL ? heddle_math_check (name, HEDDLE_FONT_MATH) : NULL;

  if (unknown == NULL)
    return;
  unknown->object_id = id;
  heddle_eq_place (place->line, place->column, unknown);
  g_ptr_array_add (self->report->problems, unknown);
}

static void
check_names (HeddleEqReader *self)
{
  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);

      check_name (self, axis->id, axis->name);
    }
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);

      check_name (self, value->id, value->name);
    }
}

static void
check (HeddleEqReader *self)
{
  g_autoptr (GPtrArray) found = heddle_check_snapshot (self->document->snapshot);
  gsize n;
  g_autofree gpointer *problems = g_ptr_array_steal (found, &n);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (HeddleProblem) problem = problems[i];
      HeddleEqReader *reader = reader_of (self, problem->diagram_id);
      const HeddleEqPlace *place
          = problem->object_id != NULL ? g_hash_table_lookup (reader->places, problem->object_id) : NULL;

      if (is_open_size (reader, problem, place))
        continue;
      if (place != NULL)
        heddle_eq_place (place->line, place->column, problem);
      self->report->n_errors += problem->severity == HEDDLE_SEVERITY_ERROR;
      g_ptr_array_add (self->report->problems, g_steal_pointer (&problem));
    }
}

/* Removes names such as `t1`, by which values without a name are called where they cannot stand within a
 * statement. */
static void
unname_labels (HeddleEqReader *self)
{
  HeddleDiagram *diagram = self->diagram;
  g_autoptr (GHashTable) unnamed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (HeddleEqPlan) plan = NULL;
  GHashTableIter iter;
  gpointer id, name;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (value->name != NULL && value->role == HEDDLE_ROLE_INTERMEDIATE && heddle_eq_is_label (value->name)
          && !heddle_diagram_is_output (diagram, value->id))
        g_hash_table_insert (unnamed, (gpointer) value->id, g_strdup (value->name));
    }
  if (g_hash_table_size (unnamed) == 0)
    return;
  g_hash_table_iter_init (&iter, unnamed);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_clear_pointer (&heddle_diagram_edit_value (diagram, id)->name, g_free);
  /* One that would be written otherwise was named by a person. */
  plan = heddle_eq_plan_new (self->document->snapshot, diagram, self->definition != NULL);
  g_hash_table_iter_init (&iter, unnamed);
  while (g_hash_table_iter_next (&iter, &id, &name))
    if (!heddle_eq_plan_is_own (plan, id) || !g_str_equal (heddle_eq_plan_label (plan, id), name))
      heddle_diagram_edit_value (diagram, id)->name = g_strdup (name);
}

static char *
diagram_name (const char *file_name)
{
  g_autofree char *base = file_name != NULL ? g_path_get_basename (file_name) : NULL;
  char *dot = base != NULL ? strrchr (base, '.') : NULL;

  if (dot != NULL && dot > base)
    *dot = '\0';
  return g_strdup (base != NULL && g_utf8_validate (base, -1, NULL) && *base != '\0' && !strchr ("-./", *base)
                       ? base
                       : "diagram");
}

static void
document_init (HeddleEqDocument *self, const char *file_name, GPtrArray *problems)
{
  g_autofree char *name = diagram_name (file_name);

  self->arena = heddle_eq_arena_new ();
  self->report = (HeddleEqReport){ problems, file_name, 0 };
  self->snapshot = heddle_snapshot_new ();
  heddle_snapshot_add_diagram (self->snapshot, heddle_diagram_new (name));
  self->definitions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_eq_definition_free);
  self->named = g_hash_table_new (g_str_hash, g_str_equal);
  self->callees = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
document_clear (HeddleEqDocument *self)
{
  g_ptr_array_unref (self->definitions);
  g_hash_table_unref (self->named);
  g_hash_table_unref (self->callees);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  heddle_eq_arena_free (self->arena);
}

/* Renames the diagram of the file if a definition has its name. */
static void
settle_name (HeddleEqDocument *self)
{
  HeddleDiagram *main = g_ptr_array_index (self->snapshot->diagrams, 0);

  while (g_hash_table_contains (self->callees, main->name))
    {
      char *name = g_strconcat (main->name, "-main", NULL);
      g_free (main->name);
      main->name = name;
    }
}

static void
read_document (HeddleEqReader *self)
{
  HeddleEqDocument *document = self->document;

  for (guint i = 0; i < document->definitions->len; i++)
    heddle_eq_read_definition (g_ptr_array_index (document->definitions, i));
  heddle_eq_read_meaning (self);
  settle_name (document);
  if (self->report->n_errors == 0)
    {
      check (self);
      check_names (self);
      for (guint i = 0; i < document->definitions->len; i++)
        check_names (&((HeddleEqDefinition *) g_ptr_array_index (document->definitions, i))->reader);
    }
  for (guint i = 0; self->report->n_errors == 0 && i < document->definitions->len; i++)
    unname_labels (&((HeddleEqDefinition *) g_ptr_array_index (document->definitions, i))->reader);
  if (self->report->n_errors == 0)
    unname_labels (self);
}

HeddleSnapshot *
heddle_equations_read (const char *text, gssize length, const char *file_name, GPtrArray *problems)
{
  HeddleEqDocument document = { NULL };
  HeddleEqReader self = { NULL };
  HeddleSnapshot *snapshot = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (problems != NULL, NULL);

  document_init (&document, file_name, problems);
  heddle_eq_reader_init (&self, &document, g_ptr_array_index (document.snapshot->diagrams, 0));
  heddle_eq_read_text (&self, text, length < 0 ? strlen (text) : (gsize) length);
  if (document.arena->n_nodes <= HEDDLE_EQ_MAX_NODES)
    read_document (&self);
  if (document.report.n_errors == 0)
    snapshot = g_steal_pointer (&document.snapshot);
  heddle_eq_reader_clear (&self);
  document_clear (&document);
  return snapshot;
}
