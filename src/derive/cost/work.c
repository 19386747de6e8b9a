/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/private.h"
#include "derive/cost/work.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* What is worked out, by the unit that does it. */

static gboolean
is_constant (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_ARGUMENT, NULL)
         && !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

void
heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);

  if (heddle_expr_get_n_children (expr) == 0 || is_constant (expr))
    return;
  if (heddle_expr_kind_info (kind)->is_special)
    *special += 1.;
  else if (kind != HEDDLE_EXPR_WHERE && kind != HEDDLE_EXPR_NEG
           && (kind < HEDDLE_EXPR_LT || kind > HEDDLE_EXPR_OR))
    *plain += 1.;
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    heddle_expr_count_operations (heddle_expr_get_child (expr, i), special, plain);
}

static void
add_work (HeddleCost *self, const HeddleWork *at, HeddleWorkKind kind, double operations)
{
  HeddleWork work = *at;

  work.base *= operations;
  work.kind = kind;
  if (operations > 0.)
    g_array_append_val (self->works, work);
}

static gboolean
is_contraction (const HeddleCost *self, const HeddleNode *node)
{
  const HeddleOperation *operation
      = node->operation != NULL ? heddle_diagram_get_operation (self->program->diagram, node->operation)
                                : NULL;

  return operation != NULL && operation->kind->form == HEDDLE_FORM_CONTRACT && node->over->len > 0;
}

/* The points of a statement's buffer over all groups and steps. */
static HeddleWork
points_of (const HeddleCost *self, const HeddleCostPlace *statement)
{
  HeddleTerms terms = heddle_cost_transfer_terms (self, statement);

  return (HeddleWork){ (double) terms.base, terms.groups, terms.stream, terms.guarded, terms.windows,
    HEDDLE_WORK_FP32, HEDDLE_DTYPE_UNSET };
}

/* A tensor core takes operands of one type: the narrower is widened. */
static HeddleDtype
contracted_dtype (const HeddleCost *self, const HeddleNode *node)
{
  HeddleDtype widest = HEDDLE_DTYPE_UNSET;

  for (guint i = 0; i < node->sources->len; i++)
    {
      HeddleDtype dtype
          = heddle_loop_program_get_buffer (self->program, g_array_index (node->sources, guint, i))
                ->counted_dtype;

      if (widest == HEDDLE_DTYPE_UNSET || heddle_dtype_bytes (dtype) > heddle_dtype_bytes (widest))
        widest = dtype;
    }
  return widest;
}

void
heddle_cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement)
{
  const HeddleNode *node = statement->node;
  HeddleWork points = points_of (self, statement), reduced = points;
  double special = 0., plain = 0., rescale_special = 0., rescale_plain = 1.;

  for (guint i = 0; i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      reduced.base *= (double) heddle_sizes_get (self->sizes, axis);
      if (statement->streamed && axis == self->stream->axis)
        reduced.stream = FALSE;
    }
  heddle_expr_count_operations (node->body, &special, &plain);
  if (node->form == HEDDLE_COMPUTE_SCAN)
    plain += node->extra != NULL ? 2. : 1.;
  else if (node->form == HEDDLE_COMPUTE_FOLD)
    plain += node->over->len > 0 ? 1. : 0.;
  if (node->extra != NULL && node->form == HEDDLE_COMPUTE_SCAN)
    heddle_expr_count_operations (node->extra, &special, &plain);
  add_work (self, &reduced, HEDDLE_WORK_SPECIAL, special);
  reduced.dtype = is_contraction (self, node) ? contracted_dtype (self, node) : HEDDLE_DTYPE_UNSET;
  add_work (self, &reduced, is_contraction (self, node) ? HEDDLE_WORK_TENSOR : HEDDLE_WORK_FP32, plain);
  if (node->rescale == NULL)
    return;
  heddle_expr_count_operations (node->rescale, &rescale_special, &rescale_plain);
  add_work (self, &points, HEDDLE_WORK_SPECIAL, rescale_special);
  add_work (self, &points, HEDDLE_WORK_FP32, rescale_plain);
}
