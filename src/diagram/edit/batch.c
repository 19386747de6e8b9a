/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/batch.h"
#include "diagram/edit/edit.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Operations pass by the axes that they do not act along, so that a diagram of arrays with one axis more is that diagram many times over. */

static void
prepend (HeddleDiagram *draft, const char *value, const char *axis)
{
  g_array_prepend_val (heddle_diagram_edit_value (draft, value)->axes, axis);
}

/* Whether @operation reads what has the axis. */
static gboolean
reads (const HeddleDiagram *draft, const HeddleOperation *operation, const char *axis)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (draft, heddle_ids_index (operation->operands, i));

      if (value != NULL && heddle_ids_contain (value->axes, axis))
        return TRUE;
    }
  return FALSE;
}

/* A reindexing says for each axis of what it reads at which place. */
static void
index_batch (HeddleDiagram *draft, const HeddleOperation *operation, const char *axis)
{
  const HeddleValue *read = heddle_diagram_get_value (draft, heddle_ids_index (operation->operands, 0));

  if (operation->kind->form == HEDDLE_FORM_REINDEX && read != NULL && heddle_ids_contain (read->axes, axis))
    g_ptr_array_insert (
        heddle_diagram_edit_operation (draft, operation->id)->indices, 0, heddle_expr_index (axis));
}

static void
carry_through (HeddleDiagram *draft, const char *axis)
{
  for (guint i = 0; i < draft->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (draft->operations, i);

      if (!reads (draft, operation, axis))
        continue;
      index_batch (draft, operation, axis);
      operation = g_ptr_array_index (draft->operations, i);
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        prepend (draft, heddle_operation_get_result (operation, j), axis);
    }
}

/* What lies in memory otherwise than in the diagram does with the axis as well, outermost. */
static void
lay_out (HeddleSchedule *schedule, const HeddleDiagram *draft, const char *axis)
{
  for (guint i = 0; i < schedule->layouts->len; i++)
    {
      HeddleValueLayout *layout = g_ptr_array_index (schedule->layouts, i);
      const HeddleValue *value = heddle_diagram_get_value (draft, layout->value);

      if (value != NULL && heddle_ids_contain (value->axes, axis))
        g_array_prepend_val (layout->axes, axis);
    }
}

const char *
heddle_edit_add_batch (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *name, gint64 size, GError **error)
{
  g_return_val_if_fail (diagram != NULL && name != NULL && size >= 1, NULL);
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  const char *axis = heddle_diagram_add_axis (draft, NULL, name, heddle_expr_number (size))->id;

  for (guint i = 0; i < draft->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (draft->values, i);

      if (value->role == HEDDLE_ROLE_INPUT)
        prepend (draft, value->id, axis);
    }
  carry_through (draft, axis);
  if (!heddle_edit_verify (diagram, draft, error))
    return NULL;
  g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
  for (guint i = 0; i < schedules->len; i++)
    lay_out (g_ptr_array_index (schedules, i), draft, axis);
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return axis;
}

gboolean
heddle_edit_sizes_others (const HeddleDiagram *diagram, const char *axis)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *other = g_ptr_array_index (diagram->axes, i);

      if (other->size != NULL && heddle_expr_uses (other->size, HEDDLE_EXPR_SIZE, axis))
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_edit_is_batch (const HeddleDiagram *diagram, const char *axis)
{
  guint n = 0;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const gboolean has = heddle_ids_contain (value->axes, axis);

      if ((value->role == HEDDLE_ROLE_INPUT && !has) || (value->role == HEDDLE_ROLE_PARAMETER && has))
        return FALSE;
      n += value->role == HEDDLE_ROLE_INPUT;
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    if (heddle_ids_contain (((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->axes, axis))
      return FALSE;
  return n > 0 && !heddle_edit_sizes_others (diagram, axis);
}
