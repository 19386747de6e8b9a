/* SPDX-License-Identifier: MIT */
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "derive/stream/factor-exponent.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/factor-private.h"
#include "derive/stream/plan.h"
#include "diagram/graph/operation-table.h"

static gboolean reduced_terms (const HeddleStreamPlan *plan, HeddleExpr *exponent, HeddleExpr **part);

/* Finds the terms of -a, a + b or a - b that read reductions; either operand may have none. */
static gboolean
terms_of_sum (const HeddleStreamPlan *plan, HeddleExpr *sum, HeddleExpr **part)
{
  HeddleExprKind kind = heddle_expr_get_kind (sum);
  g_autoptr (HeddleExpr) a = NULL, b = NULL;

  if (!reduced_terms (plan, heddle_expr_get_child (sum, 0), &a)
      || (kind != HEDDLE_EXPR_NEG && !reduced_terms (plan, heddle_expr_get_child (sum, 1), &b)))
    return FALSE;
  if (kind == HEDDLE_EXPR_NEG)
    *part = heddle_expr_unary (HEDDLE_EXPR_NEG, g_steal_pointer (&a));
  else if (b == NULL)
    *part = g_steal_pointer (&a);
  else if (a != NULL)
    *part = heddle_expr_binary (kind, g_steal_pointer (&a), g_steal_pointer (&b));
  else if (kind == HEDDLE_EXPR_ADD)
    *part = g_steal_pointer (&b);
  else
    *part = heddle_expr_unary (HEDDLE_EXPR_NEG, g_steal_pointer (&b));
  return TRUE;
}

/* Finds the terms of c * a, a * c or a / c, with c the same at all points. */
static gboolean
terms_of_multiple (const HeddleStreamPlan *plan, HeddleExpr *product, HeddleExpr **part)
{
  HeddleExprKind kind = heddle_expr_get_kind (product);
  HeddleExpr *left = heddle_expr_get_child (product, 0), *right = heddle_expr_get_child (product, 1);
  g_autoptr (HeddleExpr) terms = NULL;

  if (kind == HEDDLE_EXPR_MUL && heddle_expr_is_same_everywhere (left) && reduced_terms (plan, right, &terms))
    *part = heddle_expr_binary (kind, heddle_expr_ref (left), g_steal_pointer (&terms));
  else if (heddle_expr_is_same_everywhere (right) && reduced_terms (plan, left, &terms))
    *part = heddle_expr_binary (kind, g_steal_pointer (&terms), heddle_expr_ref (right));
  return *part != NULL;
}

/* Finds the terms of the sum @exponent that read reductions; @part is NULL if there are none. Returns FALSE
 * if it is not a sum of such terms. */
static gboolean
reduced_terms (const HeddleStreamPlan *plan, HeddleExpr *exponent, HeddleExpr **part)
{
  HeddleReads reads = heddle_stream_plan_reads (plan, exponent);

  *part = NULL;
  if ((reads & HEDDLE_READS_TAINTED) != 0)
    return FALSE;
  if ((reads & HEDDLE_READS_REDUCED) == 0)
    return TRUE;
  switch (heddle_expr_get_kind (exponent))
    {
    case HEDDLE_EXPR_ARGUMENT:
      *part = heddle_expr_ref (exponent);
      return TRUE;
    case HEDDLE_EXPR_NEG:
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return terms_of_sum (plan, exponent, part);
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return terms_of_multiple (plan, exponent, part);
    default:
      return FALSE;
    }
}

/* Factors exp (chunk part + one state's part): it is kept with the state so far. That stays in range for a
 * maximum or minimum only: the running value of a sum says nothing about its end. */
GPtrArray *
heddle_factor_exponential (const HeddleStreamPlan *plan, HeddleExpr *body)
{
  g_autoptr (HeddleExpr) exponent = NULL;
  g_autoptr (GArray) arguments = NULL;
  const HeddleStreaming *state;
  GPtrArray *parts;
  HeddleSummand *part;

  if (!reduced_terms (plan, heddle_expr_get_child (body, 0), &exponent))
    return NULL;
  arguments = heddle_expr_arguments (exponent);
  if (arguments->len != 1)
    return NULL;
  state = heddle_stream_plan_get (plan, g_array_index (arguments, guint, 0));
  if (state->phase != HEDDLE_PHASE_STATE
      || heddle_stream_plan_definition (plan, g_array_index (arguments, guint, 0))->form
             != HEDDLE_COMPUTE_FOLD
      || (state->monoid != HEDDLE_MONOID_MAX && state->monoid != HEDDLE_MONOID_MIN) || state->deferred != NULL
      || state->running != NULL)
    return NULL;
  part = heddle_part_new (heddle_expr_ref (body), NULL);
  heddle_part_add_running (part, g_array_index (arguments, guint, 0), exponent);
  parts = heddle_parts_new ();
  g_ptr_array_add (parts, part);
  return parts;
}
