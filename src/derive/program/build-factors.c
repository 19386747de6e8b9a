/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/program/build-buffers.h"
#include "derive/program/build-factors.h"
#include "derive/program/build-statements.h"
#include "derive/program/builder.h"
#include "derive/stream/stream.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The factors by which states are rescaled when a running maximum or minimum moves. */

/* Returns whether the exponent is negated: -m is kept as m, and the factor is exp (m before - m now). */
static gboolean
is_negated (const HeddleExpr *exponent)
{
  return heddle_expr_get_kind (exponent) == HEDDLE_EXPR_NEG;
}

static HeddleExpr *
factor_content (const HeddleBuildFactor *factor)
{
  return is_negated (factor->exponent) ? heddle_expr_get_child (factor->exponent, 0) : factor->exponent;
}

void
heddle_builder_collect_factors (HeddleBuilder *builder)
{
  for (guint i = 0; i < builder->plan->definitions->len; i++)
    {
      const HeddleStreaming *self = heddle_builder_streaming (builder, i);

      if (!builder->needed[i] || self->phase != HEDDLE_PHASE_STATE || self->running == NULL)
        continue;
      for (guint k = 0; k < self->running->len; k++)
        {
          const HeddleRunning *running = &g_array_index (self->running, HeddleRunning, k);
          HeddleBuildFactor factor = { running->state, running->exponent, HEDDLE_NO_BUFFER };
          gboolean known = FALSE;

          for (guint j = 0; j < builder->factors->len; j++)
            known = known
                    || heddle_expr_equal (
                        g_array_index (builder->factors, HeddleBuildFactor, j).exponent, running->exponent);
          if (!known)
            g_array_append_val (builder->factors, factor);
        }
    }
}

static guint
find_factor (const HeddleBuilder *builder, const HeddleExpr *exponent)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      const HeddleBuildFactor *factor = &g_array_index (builder->factors, HeddleBuildFactor, i);

      if (heddle_expr_equal (factor->exponent, exponent))
        return factor->buffer;
    }
  g_assert_not_reached ();
}

/* Keeps the state as it was before it moves, for the factors of that state. */
void
heddle_builder_keep_factors (HeddleBuilder *builder, guint state)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      HeddleBuildFactor *factor = &g_array_index (builder->factors, HeddleBuildFactor, i);
      HeddleBuffer *buffer;

      if (factor->state != state)
        continue;
      factor->buffer = heddle_builder_add_buffer (builder, state, "delta", HEDDLE_BUFFER_FACTOR);
      buffer = g_ptr_array_index (builder->program->buffers, factor->buffer);
      buffer->title = g_strdup (_ ("rescaling factor"));
      heddle_builder_add_compute (builder, builder->step, state, factor->buffer, factor_content (factor));
    }
}

/* Returns exp (now - old); 1 if nothing has moved, as both may be infinite and their difference no number. A
 * minimum comes down from inf: then nothing has been summed yet, and the factor is 0 rather than inf. */
static HeddleExpr *
factor_of (const HeddleBuildFactor *factor, HeddleMonoid monoid, HeddleExpr *old, HeddleExpr *now)
{
  gboolean negated = is_negated (factor->exponent);
  HeddleExpr *difference = heddle_expr_binary (
      HEDDLE_EXPR_SUB, heddle_expr_ref (negated ? old : now), heddle_expr_ref (negated ? now : old));
  HeddleExpr *result = heddle_expr_unary (HEDDLE_EXPR_EXP, difference);

  if (!negated || monoid != HEDDLE_MONOID_MAX)
    result = heddle_expr_where (
        heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_unary (HEDDLE_EXPR_ABS, heddle_expr_ref (old)),
            heddle_expr_number (INFINITY)),
        heddle_expr_number (0.), result);
  return heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_ref (old), heddle_expr_ref (now)),
      heddle_expr_number (1.), result);
}

/* Computes the factors of a state after it has moved. */
void
heddle_builder_work_out_factors (HeddleBuilder *builder, guint state)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      const HeddleBuildFactor *factor = &g_array_index (builder->factors, HeddleBuildFactor, i);
      g_autoptr (HeddleExpr) old = NULL, now = NULL;
      HeddleNode *node;

      if (factor->state != state)
        continue;
      node = heddle_builder_add_compute (
          builder, builder->step, state, factor->buffer, factor_content (factor));
      now = g_steal_pointer (&node->body);
      old = heddle_expr_argument (heddle_node_add_source (node, factor->buffer, NULL));
      node->body = factor_of (factor, heddle_builder_get (builder, state)->monoid, old, now);
    }
}

/* Returns the product of the factors that a state is rescaled by; NULL if that is 1. */
HeddleExpr *
heddle_builder_rescaling (const HeddleBuilder *builder, HeddleNode *node, const GArray *running)
{
  HeddleExpr *product = NULL;

  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      guint buffer = find_factor (builder, g_array_index (running, HeddleRunning, i).exponent);
      HeddleExpr *factor = heddle_expr_argument (heddle_node_add_source (node, buffer, NULL));

      product = product == NULL ? factor : heddle_expr_binary (HEDDLE_EXPR_MUL, product, factor);
    }
  return product;
}
