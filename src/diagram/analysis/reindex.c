/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

gboolean
heddle_reindex_varies (
    const HeddleDiagram *diagram, const HeddleOperation *operation, guint i, const char *axis)
{
  const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

  if (heddle_expr_uses (index, HEDDLE_EXPR_INDEX, axis))
    return TRUE;
  for (guint k = 1; k < operation->operands->len; k++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, k));

      if (operand != NULL && heddle_ids_contain (operand->axes, axis) && heddle_expr_uses_argument (index, k))
        return TRUE;
    }
  return FALSE;
}

/* Returns the least size of an axis that operand @k is an index into. */
static gint64
limit_of_operand (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint k)
{
  const HeddleValue *data = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  gint64 limit = 0;

  for (guint i = 0; data != NULL && i < MIN (operation->indices->len, data->axes->len); i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      gint64 size = heddle_sizes_get (sizes, heddle_ids_index (data->axes, i));

      if (heddle_expr_get_kind (index) == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (index) == k
          && (limit == 0 || size < limit))
        limit = size;
    }
  return limit;
}

gint64
heddle_reindex_limit (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value_id)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value_id);
  gint64 limit = 0;

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      for (guint k = 1; reader->indices != NULL && k < reader->operands->len; k++)
        {
          gint64 own = heddle_ids_index (reader->operands, k) == value_id
                           ? limit_of_operand (diagram, sizes, reader, k)
                           : 0;

          if (own > 0 && (limit == 0 || own < limit))
            limit = own;
        }
    }
  return limit;
}
