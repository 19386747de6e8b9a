/* SPDX-License-Identifier: MIT */
#include "codegen/base/pointwise.h"
#include "diagram/expression/tree.h"

#include <math.h>

#define ALL -INFINITY
#define QUOTIENT_INSTRUCTIONS 8
#define POWER "power of two"
#define RECIPROCAL "reciprocal"
#define QUARTERS "quarter turns"
#define SINE "sine of quarters"

/* The instructions of each function, counted in the PTX that NVRTC 13.0 prints for sm_90a, constants among
 * them; a correctly rounded root or quotient is one of PTX and eight of the machine. */
static const HeddlePointwise table[] = {
  { HEDDLE_EXPR_EXP, "expf", "exp", { NULL }, { NULL }, 14, 1, ALL, "coarse_exp", { POWER, "coarse exp" } },
  { HEDDLE_EXPR_LOG, "logf", "log", { NULL }, { NULL }, 37, 0, 0 },
  { HEDDLE_EXPR_SQRT, "sqrtf", "sqrt", { NULL }, { NULL }, 8, 1, 0, "coarse_sqrt", { "coarse sqrt" } },
  { HEDDLE_EXPR_RSQRT, "rsqrtf", "rsqrt", { NULL }, { NULL }, 1, 1, 0 },
  { HEDDLE_EXPR_SIN, "sinf", "sin", { NULL }, { NULL }, 16, 0, ALL, "coarse_sin",
      { QUARTERS, SINE, "coarse sin" } },
  { HEDDLE_EXPR_COS, "cosf", "cos", { NULL }, { NULL }, 16, 0, ALL, "coarse_cos",
      { QUARTERS, SINE, "coarse cos" } },
  { HEDDLE_EXPR_TANH, "tanhf", "tanh", { NULL }, { NULL }, 20, 2, ALL, "coarse_tanh",
      { POWER, RECIPROCAL, "coarse tanh" } },
  { HEDDLE_EXPR_ERF, "erff", "erf", { NULL }, { NULL }, 26, 1, ALL },
  { HEDDLE_EXPR_ABS, "fabsf", "fabs", { NULL }, { NULL }, 1, 0, ALL },
  { HEDDLE_EXPR_FLOOR, "floorf", "floor", { NULL }, { NULL }, 1, 0, ALL },
  { HEDDLE_EXPR_CEIL, "ceilf", "ceil", { NULL }, { NULL }, 1, 0, ALL },
  { HEDDLE_EXPR_POW, "powf", "pow", { NULL }, { NULL }, 128, 1, ALL },
  { HEDDLE_EXPR_SIGMOID, "sigmoid", "sigmoid", { "sigmoid" }, { "sigmoid f64" }, 24, 2, ALL, "coarse_sigmoid",
      { POWER, RECIPROCAL, "coarse sigmoid" } },
  { HEDDLE_EXPR_RELU, "relu", "relu", { "relu" }, { "relu" }, 2, 0, ALL },
  { HEDDLE_EXPR_GELU, "gelu", "gelu", { "gated", "gelu" }, { "gated", "gelu f64" }, 66, 3, ALL, "coarse_gelu",
      { POWER, RECIPROCAL, "largest", "smallest", "coarse gelu" } },
  { HEDDLE_EXPR_SILU, "silu", "silu", { "gated", "sigmoid", "silu" }, { "gated", "sigmoid f64", "silu" }, 28,
      2, ALL, "coarse_silu", { POWER, RECIPROCAL, "largest", "coarse sigmoid", "coarse silu" } },
  { HEDDLE_EXPR_MIN, "minimum", "minimum", { "minimum" }, { "minimum" }, 4, 0, ALL },
  { HEDDLE_EXPR_MAX, "maximum", "maximum", { "maximum" }, { "maximum" }, 4, 0, ALL },
  { HEDDLE_EXPR_MOD, "modulo", "modulo", { "modulo" }, { "modulo f64" }, 16, 2, ALL },
};

const HeddlePointwise *
heddle_pointwise_table (guint *n_rows)
{
  *n_rows = G_N_ELEMENTS (table);
  return table;
}

const HeddlePointwise *
heddle_pointwise_get (HeddleExprKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].kind == kind)
      return &table[i];
  return NULL;
}

typedef struct
{
  HeddlePointwiseVaries varies;
  gpointer data;
} Leaves;

/* Returns whether to go on: nothing that was visited varies. */
static gboolean
visit_leaf (const HeddleExpr *expr, gpointer data)
{
  const Leaves *leaves = data;

  return heddle_expr_get_n_children (expr) > 0 || !leaves->varies (expr, leaves->data);
}

void
heddle_pointwise_count (const HeddleExpr *expr, HeddlePointwiseVaries varies, gpointer data,
    double *instructions, double *special)
{
  Leaves leaves = { varies, data };
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  const HeddlePointwise *row = heddle_pointwise_get (kind);
  guint n = heddle_expr_get_n_children (expr);

  if (n == 0 || heddle_expr_walk (expr, visit_leaf, &leaves))
    return;
  *instructions += row != NULL ? row->instructions : kind == HEDDLE_EXPR_DIV ? QUOTIENT_INSTRUCTIONS : 1;
  *special += row != NULL ? row->special : kind == HEDDLE_EXPR_DIV ? 1 : 0;
  for (guint i = 0; i < n; i++)
    heddle_pointwise_count (heddle_expr_get_child (expr, i), varies, data, instructions, special);
}
