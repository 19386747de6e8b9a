/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes.h"
#include "diagram/check/check.h"
#include "diagram/check/operation.h"
#include "diagram/check/report.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/name.h"
#include "diagram/graph/operation.h"

/* --- names ----------------------------------------------------------------------- */

static void
check_name (HeddleCheck *self, GHashTable *names, const char *id, const char *name)
{
  g_autofree char *why = NULL;
  if (!heddle_name_is_valid (name, &why))
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, id, NULL, "%s", why);
  else if (!g_hash_table_add (names, (gpointer) name))
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, id, g_strdup (_ ("rename one of them")),
        _ ("Two things are called %s"), name);
}

static void
check_names (HeddleCheck *self)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
      check_name (self, names, axis->id, axis->name);
    }
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);
      if (value->name != NULL)
        check_name (self, names, value->id, value->name);
      else if (value->role != HEDDLE_ROLE_INTERMEDIATE)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, value->id, NULL, _ ("An input has no name"));
    }
}

/* --- ids ------------------------------------------------------------------------- */

static void
check_id (HeddleCheck *self, GHashTable *ids, const char *id)
{
  if (id == NULL)
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL, _ ("Something has no id"));
  else if (!g_hash_table_add (ids, (gpointer) id))
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, id, NULL, _ ("The id %s occurs twice"), id);
}

/* Checks the ids. Everything below finds objects by their ids, so nothing else is reported until these are in
 * order. */
static gboolean
check_ids (HeddleCheck *self)
{
  const HeddleDiagram *diagram = self->diagram;
  guint before = self->problems->len;
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  if ((guint64) diagram->axes->len + diagram->values->len + diagram->operations->len > HEDDLE_MAX_OBJECTS)
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL,
        _ ("The diagram has more than %d axes, values and operations"), HEDDLE_MAX_OBJECTS);
  for (guint i = 0; i < diagram->axes->len; i++)
    check_id (self, ids, ((HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id);
  for (guint i = 0; i < diagram->values->len; i++)
    check_id (self, ids, ((HeddleValue *) g_ptr_array_index (diagram->values, i))->id);
  for (guint i = 0; i < diagram->operations->len; i++)
    check_id (self, ids, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  return self->problems->len == before;
}

/* --- values ---------------------------------------------------------------------- */

static gboolean
check_value_axes (HeddleCheck *self, const HeddleValue *value, const char *label)
{
  guint before = self->problems->len;
  if (value->axes->len > HEDDLE_MAX_RANK)
    heddle_check_report (
        self, HEDDLE_SEVERITY_ERROR, value->id, NULL, _ ("%s has more than %d axes"), label, HEDDLE_MAX_RANK);
  for (guint i = 0; i < value->axes->len && self->problems->len == before; i++)
    {
      const char *id = heddle_ids_index (value->axes, i);
      if (heddle_diagram_get_axis (self->diagram, id) == NULL)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, value->id, NULL,
            _ ("%s has the axis %s, which is not an axis of the diagram"), label, id != NULL ? id : "?");
      else if (heddle_ids_find (value->axes, id) != (int) i)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, value->id,
            g_strdup (_ ("give one of the two another name")), _ ("%s has the axis %s twice"), label,
            heddle_axis_name (self->diagram, id));
    }
  return self->problems->len == before;
}

static void
check_use (HeddleCheck *self, const HeddleValue *value, const char *label, GHashTable *outputs)
{
  gboolean made = heddle_diagram_get_producer (self->diagram, value->id) != NULL;
  if (value->role == HEDDLE_ROLE_INTERMEDIATE && !made
      && !(heddle_diagram_is_box (self->diagram) && g_hash_table_contains (outputs, value->id)))
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, value->id, g_strdup (_ ("make it an input")),
        _ ("Nothing makes %s"), label);
  if (value->role != HEDDLE_ROLE_INTERMEDIATE && made)
    heddle_check_report (
        self, HEDDLE_SEVERITY_ERROR, value->id, NULL, _ ("%s is an input, yet an operation makes it"), label);
  if (heddle_diagram_count_readers (self->diagram, value->id) > 0
      || g_hash_table_contains (outputs, value->id))
    return;
  if (heddle_diagram_is_box (self->diagram))
    return;
  if (value->role != HEDDLE_ROLE_INTERMEDIATE)
    heddle_check_report (self, HEDDLE_SEVERITY_WARNING, value->id, NULL, _ ("Nothing reads %s"), label);
  else if (self->diagram->explicit_outputs)
    heddle_check_report (self, HEDDLE_SEVERITY_WARNING, value->id, NULL,
        _ ("Nothing reads %s, and it is not an output"), label);
}

static void
check_values (HeddleCheck *self, const HeddleSizes *sizes)
{
  g_autoptr (GHashTable) outputs = g_hash_table_new (NULL, NULL);
  if (self->diagram->explicit_outputs)
    for (guint i = 0; i < self->diagram->outputs->len; i++)
      {
        const char *id = heddle_ids_index (self->diagram->outputs, i);
        if (heddle_diagram_get_value (self->diagram, id) == NULL)
          heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL, _ ("The output %s does not exist"),
              id != NULL ? id : "?");
        else if (!g_hash_table_add (outputs, (gpointer) id))
          heddle_check_report (self, HEDDLE_SEVERITY_ERROR, id, NULL, _ ("The output %s occurs twice"), id);
      }
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);
      g_autofree char *label = heddle_diagram_value_label (self->diagram, value->id);
      check_use (self, value, label, outputs);
      if (check_value_axes (self, value, label) && heddle_sizes_elements (sizes, value) == G_MAXINT64)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, value->id, g_strdup (_ ("make its axes smaller")),
            _ ("%s has more than 2^63 elements"), label);
    }
}

/* --- axes ------------------------------------------------------------------------ */

static void
report_size (const char *axis_id, const char *message, gpointer data)
{
  HeddleCheck *self = data;
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);
  if (self->open_sizes && axis->size == NULL)
    return;
  char *remedy
      = axis->size == NULL ? g_strdup_printf (_ ("give it one, such as %s = 128"), axis->name) : NULL;
  heddle_check_report (self, HEDDLE_SEVERITY_ERROR, axis_id, remedy, "%s", message);
}

static gboolean
note_size (const HeddleExpr *node, gpointer used)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_SIZE)
    g_hash_table_add (used, (gpointer) heddle_expr_get_symbol (node));
  return TRUE;
}

GHashTable *
heddle_diagram_used_axes (const HeddleDiagram *diagram)
{
  GHashTable *used = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      for (guint j = 0; j < value->axes->len; j++)
        g_hash_table_add (used, (gpointer) heddle_ids_index (value->axes, j));
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      heddle_operation_walk (operation, note_size, used);
    }
  for (guint i = 0; i < diagram->arguments->len; i++)
    g_hash_table_add (used, (gpointer) heddle_ids_index (diagram->arguments, i));
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      if (axis->size != NULL)
        heddle_expr_walk (axis->size, note_size, used);
    }
  return used;
}

static void
check_unused_axes (HeddleCheck *self)
{
  const HeddleDiagram *diagram = self->diagram;
  g_autoptr (GHashTable) used = heddle_diagram_used_axes (diagram);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      if (!g_hash_table_contains (used, axis->id))
        heddle_check_report (self, HEDDLE_SEVERITY_WARNING, axis->id, NULL, _ ("Nothing has the axis %s"),
            heddle_axis_name (diagram, axis->id));
    }
}

/* --- order ----------------------------------------------------------------------- */

/* Returns an operation that comes before what it reads, or NULL. */
static const HeddleOperation *
find_misplaced (const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, j));
          if (producer != NULL && heddle_diagram_index_of_operation (diagram, producer->id) >= (int) i)
            return operation;
        }
    }
  return NULL;
}

/* Returns how many operand slots of each operation are made by an operation. */
static GHashTable *
count_producers (const HeddleDiagram *diagram, GPtrArray *ready)
{
  GHashTable *waits = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      guint count = 0;
      for (guint j = 0; j < operation->operands->len; j++)
        count += heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, j)) != NULL;
      g_hash_table_insert (waits, operation, GUINT_TO_POINTER (count));
      if (count == 0)
        g_ptr_array_add (ready, operation);
    }
  return waits;
}

/* Records that the readers of @value_id no longer wait for it; those that wait for nothing more become
 * ready. */
static void
settle_readers (const HeddleDiagram *diagram, const char *value_id, GHashTable *waits, GPtrArray *ready)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value_id);
  for (guint i = 0; i < readers->len; i++)
    {
      HeddleOperation *reader = g_ptr_array_index (readers, i);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (waits, reader));
      for (guint j = 0; j < reader->operands->len; j++)
        count -= heddle_ids_index (reader->operands, j) == value_id;
      g_hash_table_insert (waits, reader, GUINT_TO_POINTER (count));
      if (count == 0)
        g_ptr_array_add (ready, reader);
    }
}

/* Returns the operations that can be put in dependency order: each one follows once all its producers
 * have. */
static GHashTable *
settle (const HeddleDiagram *diagram)
{
  GHashTable *settled = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) ready = g_ptr_array_new ();
  g_autoptr (GHashTable) waits = count_producers (diagram, ready);
  for (guint i = 0; i < ready->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (ready, i);
      g_hash_table_add (settled, (gpointer) operation);
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        if (heddle_diagram_get_producer (diagram, heddle_operation_get_result (operation, j)) == operation)
          settle_readers (diagram, heddle_operation_get_result (operation, j), waits, ready);
    }
  return settled;
}

/* Returns the first operation that @operation reads from and that is not settled. */
static const HeddleOperation *
unsettled_producer (const HeddleDiagram *diagram, GHashTable *settled, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleOperation *producer
          = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, i));
      if (producer != NULL && !g_hash_table_contains (settled, producer))
        return producer;
    }
  return NULL;
}

/* Returns an operation on a cycle. Each operation that is not settled reads from another one that is not, so
 * going backwards as many steps as there are operations ends on a cycle. */
static const HeddleOperation *
find_on_cycle (const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) settled = settle (diagram);
  const HeddleOperation *at = NULL;
  for (guint i = 0; i < diagram->operations->len && at == NULL; i++)
    if (!g_hash_table_contains (settled, g_ptr_array_index (diagram->operations, i)))
      at = g_ptr_array_index (diagram->operations, i);
  for (guint i = 0; i < diagram->operations->len && at != NULL; i++)
    at = unsettled_producer (diagram, settled, at);
  return at;
}

static void
check_order (HeddleCheck *self)
{
  const HeddleOperation *misplaced = find_misplaced (self->diagram);
  if (misplaced == NULL)
    return;
  const HeddleOperation *cyclic = find_on_cycle (self->diagram);
  const HeddleOperation *operation = cyclic != NULL ? cyclic : misplaced;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, operation->result);
  if (cyclic != NULL)
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, operation->id, g_strdup (_ ("cut the circle")),
        _ ("%s depends on itself"), label);
  else
    heddle_check_report (
        self, HEDDLE_SEVERITY_ERROR, operation->id, NULL, _ ("%s comes before something it reads"), label);
}

/* --- public ---------------------------------------------------------------------- */

GPtrArray *
heddle_check_as (const HeddleDiagram *diagram, gboolean open_sizes)
{
  HeddleCheck self
      = { diagram, g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free), open_sizes };
  if (!check_ids (&self))
    return self.problems;
  check_names (&self);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (diagram, NULL, report_size, &self);
  heddle_sizes_report_disagreements (sizes, diagram, report_size, &self);
  check_values (&self, sizes);
  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_check_operation (&self, g_ptr_array_index (diagram->operations, i));
  check_order (&self);
  check_unused_axes (&self);
  return self.problems;
}

GPtrArray *
heddle_check_diagram (const HeddleDiagram *diagram)
{
  g_return_val_if_fail (diagram != NULL, NULL);
  return heddle_check_as (diagram, heddle_diagram_has_calls (diagram));
}

gboolean
heddle_check_is_open_size (const HeddleDiagram *diagram, const HeddleProblem *problem)
{
  g_return_val_if_fail (diagram != NULL && problem != NULL, FALSE);
  const HeddleAxis *axis
      = problem->object_id != NULL ? heddle_diagram_get_axis (diagram, problem->object_id) : NULL;
  return axis != NULL && axis->size == NULL;
}
