/* SPDX-License-Identifier: MIT */
#include "derive/region/region.h"
#include "derive/stream/guard.h"
#include "derive/stream/plan.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <math.h>

/* Masks: where a condition on indices alone makes every state's step the unit of its monoid, a chunk in which
 * it holds at every point changes nothing and need not be loaded. That is proved here by computing the step
 * with the condition assumed, never by what the operation is. 0 times anything counts as 0: a mask hides what
 * is not finite too. */

typedef struct
{
  const HeddleStreamPlan *plan;
  const HeddleExpr *condition;
  double assumed; /* 0 or 1 */
  double *values; /* per definition; NAN: not known */
} Trial;

static double
work_out (const Trial *trial, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  guint n = heddle_expr_get_n_children (expr);
  double values[3] = { NAN, NAN, NAN };
  gboolean known = TRUE;

  if (heddle_expr_equal (expr, trial->condition))
    return trial->assumed;
  if (kind == HEDDLE_EXPR_NUMBER)
    return heddle_expr_get_number (expr);
  if (kind == HEDDLE_EXPR_ARGUMENT)
    return trial->values[heddle_expr_get_operand (expr)];
  for (guint i = 0; i < n; i++)
    {
      values[i] = work_out (trial, heddle_expr_get_child (expr, i));
      known = known && !isnan (values[i]);
    }
  if (kind == HEDDLE_EXPR_WHERE && !isnan (values[0]))
    return values[0] != 0. ? values[1] : values[2];
  if (kind == HEDDLE_EXPR_MUL && (values[0] == 0. || values[1] == 0.))
    return 0.;
  return n > 0 && known ? heddle_expr_apply (kind, values) : NAN;
}

/* Returns the reduction of equal terms, whatever their number; NaN if it depends on that. */
static double
reduce (HeddleMonoid monoid, double term)
{
  gboolean any_number = monoid == HEDDLE_MONOID_MAX || monoid == HEDDLE_MONOID_MIN;

  return any_number || term == heddle_monoid_unit (monoid) ? term : NAN;
}

/* Returns whether a step does nothing if the condition is as assumed. */
static gboolean
is_idle (Trial *trial)
{
  for (guint k = 0; k < trial->plan->order->len; k++)
    {
      guint i = g_array_index (trial->plan->order, guint, k);
      const HeddleDefinition *definition = heddle_stream_plan_definition (trial->plan, i);
      const HeddleStreaming *streaming = heddle_stream_plan_get (trial->plan, i);

      if (streaming->phase == HEDDLE_PHASE_STEP && definition->output)
        return FALSE;
      if (definition->form != HEDDLE_COMPUTE_FOLD
          && (streaming->phase == HEDDLE_PHASE_STATE || definition->along == trial->plan->axis))
        return FALSE;
      if (definition->form != HEDDLE_COMPUTE_FOLD)
        continue;
      if (streaming->kept == NULL || definition->indices != NULL || streaming->phase == HEDDLE_PHASE_AFTER)
        continue;
      trial->values[i] = work_out (trial, streaming->kept);
      if (streaming->phase == HEDDLE_PHASE_STATE
          && trial->values[i] != heddle_monoid_unit (streaming->monoid))
        return FALSE;
      if (streaming->phase == HEDDLE_PHASE_STATE)
        trial->values[i] = NAN;
      else if (definition->reduces)
        trial->values[i] = reduce (definition->monoid, trial->values[i]);
    }
  return TRUE;
}

static gboolean
is_idle_where (HeddleStreamPlan *plan, const HeddleExpr *condition, double assumed)
{
  g_autofree double *values = g_new (double, plan->definitions->len);
  Trial trial = { plan, condition, assumed, values };

  for (guint i = 0; i < plan->definitions->len; i++)
    values[i] = NAN;
  return is_idle (&trial);
}

static gboolean
visit_condition (const HeddleExpr *node, gpointer data)
{
  HeddleStreamPlan *plan = data;
  HeddleExpr *condition, *needed = NULL;

  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_WHERE)
    return TRUE;
  condition = heddle_expr_get_child (node, 0);
  if (heddle_expr_uses (condition, HEDDLE_EXPR_ARGUMENT, NULL)
      || !heddle_expr_uses (condition, HEDDLE_EXPR_INDEX, NULL))
    return TRUE;
  if (is_idle_where (plan, condition, 0.))
    needed = heddle_expr_ref (condition);
  else if (is_idle_where (plan, condition, 1.))
    needed = heddle_expr_unary (HEDDLE_EXPR_NOT, heddle_expr_ref (condition));
  if (needed != NULL)
    plan->needed = plan->needed == NULL ? needed : heddle_expr_binary (HEDDLE_EXPR_AND, plan->needed, needed);
  return TRUE;
}

void
heddle_stream_plan_find_masks (HeddleStreamPlan *plan)
{
  for (guint i = 0; plan->axis != NULL && i < plan->definitions->len; i++)
    {
      const HeddleStreaming *streaming = heddle_stream_plan_get (plan, i);

      if (streaming->phase == HEDDLE_PHASE_STEP && streaming->kept != NULL)
        heddle_expr_walk (streaming->kept, visit_condition, plan);
    }
}
