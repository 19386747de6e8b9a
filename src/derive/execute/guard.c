/* SPDX-License-Identifier: MIT */
#include "derive/execute/guard.h"
#include "derive/execute/point.h"
#include "derive/index/extent.h"
#include "derive/index/interval.h"
#include "derive/program/guard.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

typedef struct
{
  const HeddleExecutor *executor;
  guint depth;
} Look;

static HeddleInterval
guard_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Look *look = data;
  const HeddleExecutor *self = look->executor;
  const char *of_last = heddle_guard_axis_of_last (leaf);
  const char *axis = of_last != NULL ? of_last : heddle_expr_get_symbol (leaf);
  HeddleRange range = heddle_executor_range (self, axis, HEDDLE_EXTENT_TILE, look->depth);
  double value = of_last != NULL ? (double) (range.to - 1) : (double) range.from;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE)
    value = (double) heddle_sizes_get (self->sizes, axis);
  return (HeddleInterval){ value, value };
}

gboolean
heddle_executor_is_needed (HeddleExecutor *self, const HeddleNode *band)
{
  Look look = { self, band->depth };

  return band->guard == NULL || heddle_interval_of (band->guard, guard_leaf, &look).to != 0.;
}
