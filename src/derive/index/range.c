/* SPDX-License-Identifier: MIT */
#include "derive/index/interval.h"
#include "derive/index/range.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* Returns the bounds of an index over the whole axis. */
static HeddleInterval
whole_axis (const HeddleExpr *leaf, gpointer data)
{
  const HeddleSizes *sizes = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  double n;

  if (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX)
    return heddle_interval_all;
  n = (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (leaf));
  return kind == HEDDLE_EXPR_SIZE ? (HeddleInterval){ n, n } : (HeddleInterval){ 0., n - 1. };
}

double
heddle_index_last (const HeddleSizes *sizes, const HeddleOperation *operation, guint i)
{
  return heddle_interval_of (g_ptr_array_index (operation->indices, i), whole_axis, (gpointer) sizes).to;
}

gboolean
heddle_index_may_leave (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint i)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  HeddleInterval range
      = heddle_interval_of (g_ptr_array_index (operation->indices, i), whole_axis, (gpointer) sizes);
  double n = (double) heddle_sizes_get (sizes, heddle_ids_index (operand->axes, i));

  return !(range.from >= 0. && range.to <= n - 1.);
}
