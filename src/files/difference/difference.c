/* SPDX-License-Identifier: MIT */

/* This file says in words what changed between two documents: things are identified by their names, and by
 * their ids if they were renamed. */

#include "config.h"

#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram-compare.h"
#include "files/difference/difference.h"
#include "files/equations/plan.h"
#include "files/equations/private.h"
#include "diagram/document/ornament.h"
#include "diagram/graph/diagram-names.h"

#include <glib/gi18n-lib.h>

/* Frees a difference with its texts; the names of its kind and its diagram are borrowed. */
static void
difference_free (HeddleDifference *self)
{
  g_free (self->object);
  g_free (self->text);
  g_free (self);
}

/* Adds a difference of @kind (static) about @object, its sentence formatted as printf () does. */
static void
comparison_add (HeddleComparison *self, const char *kind, const char *object, const char *format, ...)
{
  HeddleDifference *difference = g_new0 (HeddleDifference, 1);
  va_list arguments;

  va_start (arguments, format);
  difference->text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  difference->kind = kind;
  difference->object = g_strdup (object);
  g_ptr_array_add (self->found, difference);
}

/* Adds “object: one → other” where the two texts differ, or says that @object was added or removed where one
 * of them is NULL. */
static void
comparison_add_change (
    HeddleComparison *self, const char *kind, const char *object, const char *one, const char *other)
{
  if (g_strcmp0 (one, other) == 0)
    return;
  if (one == NULL)
    comparison_add (self, kind, object, _ ("%s added: %s"), object, other);
  else if (other == NULL)
    comparison_add (self, kind, object, _ ("%s removed: %s"), object, one);
  else
    comparison_add (self, kind, object, "%s: %s → %s", object, one, other);
}

/* Returns what a person calls the thing with that id: its name, or the name of what an operation makes, else
 * the id; newly allocated. */
static char *
comparison_name (const HeddleDiagram *diagram, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);

  if (axis != NULL)
    return g_strdup (axis->name);
  if (operation != NULL)
    return heddle_diagram_value_label (diagram, operation->result);
  return heddle_diagram_get_value (diagram, id) != NULL ? heddle_diagram_value_label (diagram, id)
                                                        : g_strdup (id);
}

/* --- renaming ------------------------------------------------------------------------ */

/* Returns the name that @axis has in the other diagram, if it is the same axis under a name that is new
 * there. */
static const char *
new_axis_name (const HeddleComparison *self, const HeddleAxis *axis)
{
  const HeddleAxis *other = heddle_diagram_get_axis (self->b, axis->id);

  return other != NULL && heddle_diagram_find_axis (self->b, axis->name) == NULL
                 && heddle_diagram_find_axis (self->a, other->name) == NULL
             ? other->name
             : NULL;
}

static const char *
new_value_name (const HeddleComparison *self, const HeddleValue *value)
{
  const HeddleValue *other = heddle_diagram_get_value (self->b, value->id);

  return value->name != NULL && other != NULL && other->name != NULL
                 && heddle_diagram_find_value (self->b, value->name) == NULL
                 && heddle_diagram_find_value (self->a, other->name) == NULL
             ? other->name
             : NULL;
}

static void
rename_to (HeddleComparison *self, const char *kind, char **name, const char *new_name)
{
  comparison_add (self, kind, new_name, _ ("%s is now called %s"), *name, new_name);
  g_free (*name);
  *name = g_strdup (new_name);
}

/* Returns a copy of the first diagram under the names of the second, so that one changed name is one
 * difference. */
static HeddleDiagram *
rename_all (HeddleComparison *self)
{
  HeddleDiagram *copy = heddle_diagram_copy (self->a);

  for (guint i = 0; i < self->a->axes->len; i++)
    {
      const HeddleAxis *axis = self->a->axes->pdata[i];
      const char *name = new_axis_name (self, axis);

      if (name != NULL)
        rename_to (self, "axis", &heddle_diagram_edit_axis (copy, axis->id)->name, name);
    }
  for (guint i = 0; i < self->a->values->len; i++)
    {
      const HeddleValue *value = self->a->values->pdata[i];
      const char *name = new_value_name (self, value);

      if (name != NULL)
        rename_to (self, "value", &heddle_diagram_edit_value (copy, value->id)->name, name);
    }
  return copy;
}

/* --- axes ---------------------------------------------------------------------------- */

static char *
leaf_name (const HeddleExpr *leaf, gpointer diagram)
{
  const HeddleAxis *axis = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE
                               ? heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (leaf))
                               : NULL;

  return axis != NULL ? g_strdup (axis->name) : NULL;
}

static char *
size_text (const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  return axis->size != NULL ? heddle_expr_to_string (axis->size, leaf_name, (gpointer) diagram)
                            : g_strdup (_ ("not given"));
}

static void
compare_axes (HeddleComparison *self)
{
  for (guint i = 0; i < self->a->axes->len; i++)
    {
      const HeddleAxis *axis = self->a->axes->pdata[i],
                       *other = heddle_diagram_find_axis (self->b, axis->name);
      g_autofree char *size = size_text (self->a, axis), *new_size = NULL;

      if (other == NULL)
        {
          comparison_add (self, "axis", axis->name, _ ("axis %s removed"), axis->name);
          continue;
        }
      new_size = size_text (self->b, other);
      if (!g_str_equal (size, new_size))
        comparison_add (self, "size", axis->name, _ ("the size of %s: %s → %s"), axis->name, size, new_size);
    }
  for (guint i = 0; i < self->b->axes->len; i++)
    {
      const HeddleAxis *axis = self->b->axes->pdata[i];
      g_autofree char *size = size_text (self->b, axis);

      if (heddle_diagram_find_axis (self->a, axis->name) == NULL)
        comparison_add (self, "axis", axis->name, _ ("axis %s added, of size %s"), axis->name, size);
    }
}

/* --- values -------------------------------------------------------------------------- */

/* The lines of the values that have one of their own: label -> the line; and label -> the value. */
typedef struct
{
  const HeddleDiagram *diagram;
  HeddleEqPlan *plan;
  GPtrArray *labels; /* in order */
  GHashTable *values, *lines;
} Statements;

static char *
axes_text (const HeddleDiagram *diagram, const HeddleValue *value)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < value->axes->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (diagram, heddle_ids_index (value->axes, i));
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis->name);
    }
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

/* Returns the line of a value. Inputs have none: their label, type and axes stand for it. */
static char *
line_of (const Statements *self, const HeddleValue *value)
{
  const char *line = g_hash_table_lookup (self->plan->lines, value->id);
  g_autofree char *axes = NULL, *label = NULL;

  if (line != NULL)
    return g_strdup (line);
  if (heddle_diagram_get_producer (self->diagram, value->id) != NULL)
    return NULL;
  label = heddle_diagram_value_label (self->diagram, value->id);
  axes = axes_text (self->diagram, value);
  return g_strdup_printf ("%s%s : %s", value->role == HEDDLE_ROLE_PARAMETER ? "param " : "", label, axes);
}

static void
statements_init (Statements *self, const HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  *self = (Statements){ diagram, heddle_eq_plan_new (snapshot, diagram, FALSE), g_ptr_array_new (),
    g_hash_table_new (g_str_hash, g_str_equal),
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = diagram->values->pdata[i];
      char *line = line_of (self, value), *label;

      if (line == NULL)
        continue;
      label = heddle_diagram_value_label (diagram, value->id);
      g_ptr_array_add (self->labels, label);
      g_hash_table_insert (self->lines, label, line);
      g_hash_table_insert (self->values, label, (gpointer) value);
    }
}

static void
statements_clear (Statements *self)
{
  heddle_eq_plan_free (self->plan);
  g_ptr_array_unref (self->labels);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->lines);
}

static const char *
dtype_name (const HeddleValue *value)
{
  return value->dtype != HEDDLE_DTYPE_UNSET ? heddle_dtype_to_string (value->dtype) : _ ("not declared");
}

static void
compare_value (HeddleComparison *self, const char *label, const Statements *a, const Statements *b)
{
  const HeddleValue *one = g_hash_table_lookup (a->values, label),
                    *other = g_hash_table_lookup (b->values, label);

  if (one == NULL || other == NULL)
    return;
  if (one->dtype != other->dtype)
    comparison_add (self, "dtype", label, _ ("the data type of %s: %s → %s"), label, dtype_name (one),
        dtype_name (other));
  if (g_strcmp0 (one->comment, other->comment) != 0)
    comparison_add (self, "comment", label, _ ("the comment of %s changed"), label);
}

static void
compare_line (HeddleComparison *self, const char *label, const Statements *a, const Statements *b)
{
  const char *line = g_hash_table_lookup (a->lines, label), *new_line = g_hash_table_lookup (b->lines, label);

  comparison_add_change (
      self, line != NULL && new_line != NULL ? "operation" : "value", label, line, new_line);
}

static void
compare_values (HeddleComparison *self)
{
  Statements a, b;

  statements_init (&a, self->before, self->a);
  statements_init (&b, self->after, self->b);
  for (guint i = 0; i < a.labels->len; i++)
    {
      compare_line (self, a.labels->pdata[i], &a, &b);
      compare_value (self, a.labels->pdata[i], &a, &b);
    }
  for (guint i = 0; i < b.labels->len; i++)
    if (!g_hash_table_contains (a.lines, b.labels->pdata[i]))
      compare_line (self, b.labels->pdata[i], &a, &b);
  statements_clear (&a);
  statements_clear (&b);
}

static char *
outputs_text (const HeddleDiagram *diagram)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < outputs->len; i++)
    {
      g_autofree char *label = heddle_diagram_value_label (diagram, heddle_ids_index (outputs, i));
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  return g_string_free (text, FALSE);
}

static void
compare_rest (HeddleComparison *self)
{
  g_autofree char *outputs = outputs_text (self->a), *new_outputs = outputs_text (self->b), *why = NULL;

  comparison_add_change (self, "output", _ ("outputs"), outputs, new_outputs);
  if (g_strcmp0 (self->a->comment, self->b->comment) != 0)
    comparison_add (self, "comment", NULL, _ ("the comment at the end changed"));
  if (self->found->len == 0 && !heddle_diagram_isomorphic (self->a, self->b, &why))
    comparison_add (self, "operation", NULL, "%s", why);
}

static void comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b);
static void comparison_schedules (
    HeddleComparison *self, const HeddleDiagram *one, const HeddleDiagram *other);

/* --- documents ----------------------------------------------------------------------- */

static void
compare_diagrams (GPtrArray *found, const HeddleSnapshot *a, const HeddleDiagram *one,
    const HeddleSnapshot *b, const HeddleDiagram *other)
{
  g_autoptr (GPtrArray) here = g_ptr_array_new_with_free_func ((GDestroyNotify) difference_free);
  HeddleComparison self = { one, other, here, a, b };
  g_autoptr (HeddleDiagram) renamed = rename_all (&self);

  self.a = renamed;
  compare_axes (&self);
  compare_values (&self);
  compare_rest (&self);
  comparison_schedules (&self, one, other);
  comparison_presentations (
      &self, heddle_snapshot_find_presentation (a, one), heddle_snapshot_find_presentation (b, other));
  for (guint i = 0; i < here->len; i++)
    ((HeddleDifference *) here->pdata[i])->diagram = g_intern_string (other->name);
  g_ptr_array_extend_and_steal (found, g_steal_pointer (&here));
}

static void
compare_sets (GPtrArray *found, const HeddleSnapshot *a, const HeddleSnapshot *b)
{
  HeddleComparison self = { NULL, NULL, found };

  for (guint i = 0; i < a->diagrams->len; i++)
    {
      const HeddleDiagram *one = a->diagrams->pdata[i], *other = heddle_snapshot_get_diagram (b, one->name);

      if (other != NULL)
        compare_diagrams (found, a, one, b, other);
      else
        comparison_add (&self, "diagram", one->name, _ ("diagram %s removed"), one->name);
    }
  for (guint i = 0; i < b->diagrams->len; i++)
    {
      const HeddleDiagram *other = b->diagrams->pdata[i];

      if (heddle_snapshot_get_diagram (a, other->name) == NULL)
        comparison_add (&self, "diagram", other->name, _ ("diagram %s added"), other->name);
    }
}

GPtrArray *
heddle_snapshot_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *diagram)
{
  g_return_val_if_fail (a != NULL && b != NULL, NULL);

  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) difference_free);
  const HeddleDiagram *one = heddle_snapshot_get_diagram (a, diagram),
                      *other = heddle_snapshot_get_diagram (b, diagram);

  if (diagram != NULL && one != NULL && other != NULL)
    compare_diagrams (found, a, one, b, other);
  else if (a->diagrams->len == 1 && b->diagrams->len == 1)
    compare_diagrams (found, a, a->diagrams->pdata[0], b, b->diagrams->pdata[0]);
  else
    compare_sets (found, a, b);
  return found;
}

typedef struct
{
  const char *kind;
  char *about, *is;
} Fact;

static void
fact_free (Fact *self)
{
  g_free (self->about);
  g_free (self->is);
  g_free (self);
}

static GPtrArray *
facts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fact_free);
}

/* Adds a fact; takes both texts. Nothing is added if @is is %NULL. */
static void
add_fact (GPtrArray *facts, const char *kind, char *about, char *is)
{
  const Fact fact = { kind, about, is };

  if (is != NULL)
    g_ptr_array_add (facts, g_memdup2 (&fact, sizeof fact));
  else
    g_free (about);
}

static GHashTable *
index_facts (GPtrArray *facts)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < facts->len; i++)
    {
      const Fact *fact = facts->pdata[i];
      g_hash_table_insert (index, fact->about, fact->is);
    }
  return index;
}

static void
compare_facts (HeddleComparison *self, GPtrArray *a, GPtrArray *b)
{
  g_autoptr (GHashTable) before = index_facts (a), after = index_facts (b);

  for (guint i = 0; i < a->len; i++)
    {
      const Fact *fact = a->pdata[i];
      comparison_add_change (
          self, fact->kind, fact->about, fact->is, g_hash_table_lookup (after, fact->about));
    }
  for (guint i = 0; i < b->len; i++)
    {
      const Fact *fact = b->pdata[i];
      if (!g_hash_table_contains (before, fact->about))
        comparison_add_change (self, fact->kind, fact->about, NULL, fact->is);
    }
}

/* --- schedules ----------------------------------------------------------------------- */

/* Returns the named arrays that are made in a region, as `S, P, O`; ids of operations that are definitions'. */
static char *
region_text (const HeddleDiagram *diagram, const HeddleRegion *region)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));
      const HeddleValue *value
          = operation != NULL ? heddle_diagram_get_value (diagram, operation->result) : NULL;

      if (operation == NULL || (value != NULL && value->name != NULL))
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
            operation != NULL ? value->name : heddle_ids_index (region->operations, i));
    }
  return g_string_free (text, FALSE);
}

static void
add_region (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  add_fact (facts, "region", g_strdup_printf (_ ("kernel %s"), region->id), region_text (diagram, region));
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      g_autofree char *axis = comparison_name (diagram, label->axis);

      add_fact (facts, "label",
          g_strdup_printf (_ ("label %s:%s@%s of kernel %s"), axis, heddle_label_kind_to_string (label->kind),
              label->level, region->id),
          g_strdup_printf ("%" G_GINT64_FORMAT, label->size));
    }
}

static void
add_place (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleResidency *residency)
{
  g_autofree char *value = comparison_name (diagram, residency->value);
  g_autofree char *reader = residency->column != NULL ? comparison_name (diagram, residency->column) : NULL;

  add_fact (facts, "place",
      reader != NULL ? g_strdup_printf (_ ("place of %s when read for %s"), value, reader)
                     : g_strdup_printf (_ ("place of %s"), value),
      g_strdup (residency->level));
}

static void
add_recomputed (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleRecompute *recompute)
{
  g_autofree char *value = comparison_name (diagram, recompute->value);
  g_autofree char *reader = comparison_name (diagram, recompute->column);

  add_fact (facts, "place", g_strdup_printf (_ ("%s when read for %s"), value, reader),
      g_strdup (_ ("recomputed")));
}

static void
add_layout (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleValueLayout *layout)
{
  g_autofree char *value = comparison_name (diagram, layout->value);
  GString *axes = g_string_new (NULL);

  for (guint i = 0; i < layout->axes->len; i++)
    g_string_append_printf (
        axes, "%s%s", i > 0 ? ", " : "", heddle_axis_name (diagram, heddle_ids_index (layout->axes, i)));
  add_fact (
      facts, "place", g_strdup_printf (_ ("layout of %s in memory"), value), g_string_free (axes, FALSE));
}

static GPtrArray *
schedule_facts (const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  GPtrArray *facts = facts_new ();

  if (schedule == NULL)
    return facts;
  add_fact (facts, "target", g_strdup (_ ("machine")), g_strdup (schedule->gpu));
  if (schedule->dtype != HEDDLE_DTYPE_UNSET)
    add_fact (facts, "target", g_strdup (_ ("data type of the machine")),
        g_strdup (heddle_dtype_to_string (schedule->dtype)));
  if (schedule->divisors != NULL)
    add_fact (facts, "target", g_strdup (_ ("tiles in multiples for")), g_strdup (schedule->divisors));
  if (schedule->budget > 0)
    add_fact (facts, "target", g_strdup (_ ("memory budget in bytes")),
        g_strdup_printf ("%" G_GINT64_FORMAT, schedule->budget));
  for (guint i = 0; i < schedule->regions->len; i++)
    add_region (facts, diagram, schedule->regions->pdata[i]);
  for (guint i = 0; i < schedule->residency->len; i++)
    add_place (facts, diagram, schedule->residency->pdata[i]);
  for (guint i = 0; i < schedule->recomputed->len; i++)
    add_recomputed (facts, diagram, &g_array_index (schedule->recomputed, HeddleRecompute, i));
  for (guint i = 0; i < schedule->layouts->len; i++)
    add_layout (facts, diagram, schedule->layouts->pdata[i]);
  return facts;
}

static void
compare_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b)
{
  g_autoptr (GPtrArray) before = schedule_facts (self->a, a), after = schedule_facts (self->b, b);

  compare_facts (self, before, after);
}

/* Returns the schedule of @diagram for the same call as @schedule; NULL: there is none. */
static const HeddleSchedule *
find_like (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  return schedule->call == NULL
             ? heddle_snapshot_find_schedule (snapshot, diagram)
             : heddle_snapshot_find_call_schedule (snapshot, diagram, schedule->root, schedule->call);
}

/* Adds what changed in the schedules from diagram @one to @other: regions, labels, types and wishes, for all calls
 * and for single ones. */
static void
comparison_schedules (HeddleComparison *self, const HeddleDiagram *one, const HeddleDiagram *other)
{
  g_autoptr (GPtrArray) before = heddle_snapshot_list_schedules (self->before, one);
  g_autoptr (GPtrArray) after = heddle_snapshot_list_schedules (self->after, other);

  for (guint i = 0; i < before->len; i++)
    compare_schedules (self, before->pdata[i], find_like (self->after, other, before->pdata[i]));
  for (guint i = 0; i < after->len; i++)
    if (find_like (self->before, one, after->pdata[i]) == NULL)
      compare_schedules (self, NULL, after->pdata[i]);
  compare_schedules (self, heddle_snapshot_find_inlined_schedule (self->before, one),
      heddle_snapshot_find_inlined_schedule (self->after, other));
}

/* --- presentations ------------------------------------------------------------------- */

static char *
point_text (double x, double y)
{
  char across[G_ASCII_DTOSTR_BUF_SIZE], down[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("(%s, %s)", g_ascii_formatd (across, sizeof across, "%g", x),
      g_ascii_formatd (down, sizeof down, "%g", y));
}

/* Returns the fields of an ornament as in a file, without the first, by which it is identified. */
static char *
ornament_text (const HeddleDiagram *diagram, const HeddleOrnamentKind *kind, gconstpointer ornament)
{
  GString *text = g_string_new (NULL);

  for (const HeddleField *field = kind->fields + 1; field->name != NULL; field++)
    {
      const char *word = NULL;
      if (field->kind == HEDDLE_FIELD_OBJECT || field->kind == HEDDLE_FIELD_TEXT)
        word = heddle_field_at (field, ornament, const char *);
      else if (field->kind == HEDDLE_FIELD_WORD)
        word = field->words[heddle_field_at (field, ornament, int)];
      if (word != NULL)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", field->name, word);
      if (field->kind != HEDDLE_FIELD_OPERATIONS && field->kind != HEDDLE_FIELD_AXES)
        continue;
      const GArray *ids = heddle_field_at (field, ornament, GArray *);
      if (ids->len == 0)
        continue;
      g_string_append_printf (text, "%s%s:", text->len > 0 ? ", " : "", field->name);
      for (guint i = 0; i < ids->len; i++)
        {
          g_autofree char *name = comparison_name (diagram, heddle_ids_index (ids, i));
          g_string_append_printf (text, " %s", name);
        }
    }
  return g_string_free (text, FALSE);
}

static void
add_ornaments (
    GPtrArray *facts, const HeddleDiagram *diagram, const HeddleOrnamentKind *kind, const GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    {
      const char *id = heddle_field_at (&kind->fields[0], list->pdata[i], const char *);
      g_autofree char *name
          = kind->fields[0].kind == HEDDLE_FIELD_OBJECT ? comparison_name (diagram, id) : g_strdup (id);

      add_fact (facts, kind->element, g_strdup_printf ("%s %s", kind->element, name),
          ornament_text (diagram, kind, list->pdata[i]));
    }
}

static GPtrArray *
presentation_facts (const HeddleDiagram *diagram, const HeddlePresentation *presentation)
{
  GPtrArray *facts = facts_new ();

  if (presentation == NULL)
    return facts;
  add_fact (facts, "title", g_strdup (_ ("title")), g_strdup (presentation->title));
  if (presentation->wrap > 0.)
    add_fact (facts, "wrap", g_strdup (_ ("width of a line")), g_strdup_printf ("%g", presentation->wrap));
  for (guint i = 0; i < presentation->nudges->len; i++)
    {
      const HeddleNudge *nudge = &g_array_index (presentation->nudges, HeddleNudge, i);
      g_autofree char *name = comparison_name (diagram, nudge->object);

      add_fact (facts, "nudge", g_strdup_printf (_ ("nudge of %s"), name), point_text (nudge->dx, nudge->dy));
    }
  for (guint i = 0; i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = presentation->fills->pdata[i];
      g_autofree char *name = comparison_name (diagram, fill->object);

      add_fact (facts, "fill", g_strdup_printf (_ ("fill of %s"), name), g_strdup (fill->fill));
    }
  for (guint i = 0; i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = presentation->annotations->pdata[i];
      g_autofree char *place = point_text (note->x, note->y);

      add_fact (facts, "annotation", g_strdup_printf (_ ("note %s"), note->id),
          g_strdup_printf (_ ("“%s” at %s"), note->text != NULL ? note->text : "", place));
    }
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    if (!g_str_equal (kind->element, "annotation"))
      add_ornaments (facts, diagram, kind, heddle_ornament_list (kind, presentation));
  return facts;
}

/* Adds what changed from presentation @a to @b: titles, nudges, fills, annotations, blocks and the like.
 * Either may be NULL. */
static void
comparison_presentations (HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b)
{
  g_autoptr (GPtrArray) before = presentation_facts (self->a, a), after = presentation_facts (self->b, b);

  compare_facts (self, before, after);
}
