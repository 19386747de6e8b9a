/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/operation-table.h"

gboolean
heddle_diagram_is_internal (const HeddleDiagram *diagram, const char *value)
{
  return heddle_diagram_get_producer (diagram, value) != NULL && !heddle_diagram_is_output (diagram, value);
}

void
heddle_operation_reorder_indices (HeddleOperation *operation, const GArray *from, const GArray *to)
{
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < to->len; i++)
    {
      int at = heddle_ids_find (from, heddle_ids_index (to, i));

      g_ptr_array_add (indices, heddle_expr_ref (g_ptr_array_index (operation->indices, at)));
    }
  g_ptr_array_unref (operation->indices);
  operation->indices = indices;
}

gboolean
heddle_operation_reads_at_indices (const HeddleOperation *operation, const char *value)
{
  return operation->kind->form == HEDDLE_FORM_REINDEX && heddle_ids_index (operation->operands, 0) == value;
}

void
heddle_diagram_reorder_axes (HeddleDiagram *diagram, const char *value, const GArray *axes)
{
  g_autoptr (GArray) before = heddle_ids_copy (heddle_diagram_get_value (diagram, value)->axes);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);
  HeddleValue *own;

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      if (heddle_operation_reads_at_indices (reader, value))
        heddle_operation_reorder_indices (heddle_diagram_edit_operation (diagram, reader->id), before, axes);
    }
  own = heddle_diagram_edit_value (diagram, value);
  g_array_unref (own->axes);
  own->axes = heddle_ids_copy (axes);
}
