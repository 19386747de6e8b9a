/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/expression/evaluate.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* --- monoids ------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  HeddleExprKind kind;
  double unit;
} MonoidRow;

static const MonoidRow monoids[] = {
  [HEDDLE_MONOID_SUM] = { "sum", HEDDLE_EXPR_ADD, 0. },
  [HEDDLE_MONOID_PROD] = { "prod", HEDDLE_EXPR_MUL, 1. },
  [HEDDLE_MONOID_MAX] = { "max", HEDDLE_EXPR_MAX, -INFINITY },
  [HEDDLE_MONOID_MIN] = { "min", HEDDLE_EXPR_MIN, INFINITY },
};

double
heddle_monoid_unit (HeddleMonoid monoid)
{
  g_return_val_if_fail (monoid < G_N_ELEMENTS (monoids), NAN);

  return monoids[monoid].unit;
}

double
heddle_monoid_combine (HeddleMonoid monoid, double a, double b)
{
  g_return_val_if_fail (monoid < G_N_ELEMENTS (monoids), NAN);

  return heddle_expr_apply (monoids[monoid].kind, (const double[]){ a, b });
}

const char *
heddle_monoid_to_string (HeddleMonoid monoid)
{
  g_return_val_if_fail (monoid < G_N_ELEMENTS (monoids), "");

  return monoids[monoid].name;
}

/* --- operations ---------------------------------------------------------------------- */

#define ELEMENTWISE N_ ("Elementwise")
#define COMBINE N_ ("Contract and rearrange")
#define REDUCE N_ ("Reduce")
#define NORMALISE N_ ("Normalise")
#define SCAN N_ ("Scan")

/* The weight exp ($0 - m), also where both are -inf and the difference is no number: a masked term has the
 * weight 0. */
#define WEIGHT "where($0 == -inf, 0, exp($0 - m))"

#define MAXIMUM                                                                                              \
  {                                                                                                          \
    "m", HEDDLE_MONOID_MAX, "$0", N_ ("maximum")                                                             \
  }
#define NORMALISER                                                                                           \
  {                                                                                                          \
    "l", HEDDLE_MONOID_SUM, WEIGHT, N_ ("sum of exponentials")                                               \
  }
#define SQUARES                                                                                              \
  {                                                                                                          \
    "s", HEDDLE_MONOID_SUM, "$0*$0", N_ ("sum of squares")                                                   \
  }
#define EPSILON                                                                                              \
  {                                                                                                          \
    "eps", 0.                                                                                                \
  }

/* The stages of an operation may use $0, variables of earlier stages, option names and n, the number of
 * points reduced. Softmax of a row that is all -inf is 0; eps of the norms is inside the root: Zhang &
 * Sennrich, arXiv 1910.07467 (RMSNorm), Ba et al., arXiv 1607.06450 (LayerNorm), Ioffe & Szegedy, arXiv
 * 1502.03167 (BatchNorm, over the current batch). Ties of max and min share the cotangent; that of prod is
 * right where factors are 0. */
static const HeddleOperationKind kinds[] = {
  {
      .id = "map",
      .title = N_ ("Elementwise function"),
      .group = ELEMENTWISE,
      .form = HEDDLE_FORM_MAP,
      .glyph = "map",
      .fill = "scale",
      .keywords = N_ ("scalar function scale add multiply mask where exp relu broadcast copy"),
  },
  {
      .id = "contract",
      .title = N_ ("Contraction"),
      .group = COMBINE,
      .form = HEDDLE_FORM_CONTRACT,
      .min_operands = 2,
      .glyph = "cup",
      .fill = "contraction",
      .keywords = N_ ("einsum matrix product matmul dot linear sum of products"),
  },
  {
      .id = "reindex",
      .title = N_ ("Reindexing"),
      .group = COMBINE,
      .form = HEDDLE_FORM_REINDEX,
      .min_operands = 1,
      .glyph = "reindex",
      .fill = "transpose",
      .keywords = N_ ("view slice diagonal transpose window stride convolution padding shift rename gather "
                      "embedding lookup"),
  },
  {
      .id = "call",
      .title = N_ ("Call"),
      .group = COMBINE,
      .form = HEDDLE_FORM_CALL,
      .glyph = "map",
      .fill = NULL,
      .keywords = N_ ("definition block function repeat layer scan loop recurrent"),
  },
  {
      .id = "concat",
      .title = N_ ("Concatenation"),
      .group = COMBINE,
      .form = HEDDLE_FORM_CONCAT,
      .min_operands = 2,
      .glyph = "concat",
      .fill = "transpose",
      .keywords = N_ ("join stack append skip cat"),
  },
  {
      .id = "sum",
      .title = N_ ("Sum"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "s", HEDDLE_MONOID_SUM, "$0", N_ ("sum") } },
      .result = "s",
      .cotangent = "dy",
      .glyph = "sum",
      .fill = NULL,
      .keywords = N_ ("add total reduce"),
  },
  {
      .id = "max",
      .title = N_ ("Maximum"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { MAXIMUM },
      .result = "m",
      .derivative = { { "c", HEDDLE_MONOID_SUM, "where(x == y, 1, 0)" } },
      .cotangent = "where(x == y, dy/c, 0)",
      .glyph = "max",
      .fill = NULL,
      .keywords = N_ ("largest reduce pooling"),
  },
  {
      .id = "min",
      .title = N_ ("Minimum"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "m", HEDDLE_MONOID_MIN, "$0", N_ ("minimum") } },
      .result = "m",
      .derivative = { { "c", HEDDLE_MONOID_SUM, "where(x == y, 1, 0)" } },
      .cotangent = "where(x == y, dy/c, 0)",
      .glyph = "min",
      .fill = NULL,
      .keywords = N_ ("smallest reduce"),
  },
  {
      .id = "mean",
      .title = N_ ("Mean"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "s", HEDDLE_MONOID_SUM, "$0", N_ ("sum") } },
      .result = "s/n",
      .cotangent = "dy/n",
      .glyph = "mean",
      .fill = NULL,
      .keywords = N_ ("average reduce pooling"),
  },
  {
      .id = "prod",
      .title = N_ ("Product"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "p", HEDDLE_MONOID_PROD, "$0", N_ ("product") } },
      .result = "p",
      .derivative = { { "z", HEDDLE_MONOID_SUM, "where(x == 0, 1, 0)" },
          { "p", HEDDLE_MONOID_PROD, "where(x == 0, 1, x)" } },
      .cotangent = "where(z == 0, dy*y/x, where(z == 1 and x == 0, dy*p, 0))",
      .glyph = "prod",
      .fill = NULL,
      .keywords = N_ ("multiply reduce"),
  },
  {
      .id = "logsumexp",
      .title = N_ ("Log-sum-exp"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { MAXIMUM, NORMALISER },
      .result = "where(l == 0, -inf, m + log(l))",
      .cotangent = "where(x == -inf, 0, dy*exp(x - y))",
      .glyph = "logsumexp",
      .fill = NULL,
      .keywords = N_ ("soft maximum partition function reduce"),
  },
  {
      .id = "argmax",
      .title = N_ ("Argmax"),
      .group = REDUCE,
      .form = HEDDLE_FORM_REDUCE,
      .min_operands = 1,
      .max_operands = 1,
      .stages
      = { MAXIMUM, { "i", HEDDLE_MONOID_MIN, "where($0 == m, place, inf)", N_ ("first place of it") } },
      .result = "i",
      .whole = TRUE,
      .cotangent = "0",
      .glyph = "argmax",
      .keywords = N_ ("position of the largest index winner"),
  },
  {
      .id = "argtopk",
      .title = N_ ("Top-k"),
      .group = REDUCE,
      .form = HEDDLE_FORM_SELECT,
      .min_operands = 1,
      .max_operands = 1,
      .whole = TRUE,
      .glyph = "topk",
      .fill = "scale",
      .keywords = N_ ("topk largest routing experts mixture select sort"),
  },
  {
      .id = "cumsum",
      .title = N_ ("Cumulative sum"),
      .group = SCAN,
      .form = HEDDLE_FORM_SCAN,
      .min_operands = 1,
      .max_operands = 1,
      .scan = { "1", "$0" },
      .glyph = "scan",
      .fill = "scale",
      .keywords = N_ ("running total prefix scan accumulate"),
  },
  {
      .id = "recurrence",
      .title = N_ ("Linear recurrence"),
      .group = SCAN,
      .form = HEDDLE_FORM_SCAN,
      .min_operands = 2,
      .max_operands = 2,
      .scan = { "$0", "$1" },
      .glyph = "scan",
      .fill = "scale",
      .keywords = N_ ("state space model mamba s4 rnn scan decay gate"),
  },
  {
      .id = "softmax",
      .title = N_ ("Softmax"),
      .group = NORMALISE,
      .form = HEDDLE_FORM_NORMALISE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { MAXIMUM, NORMALISER },
      .result = "where(l == 0, 0, " WEIGHT "/l)",
      .derivative = { { "s", HEDDLE_MONOID_SUM, "y*dy" } },
      .cotangent = "y*(dy - s)",
      .glyph = "softmax",
      .fill = "softmax",
      .keywords = N_ ("attention weights probabilities exponential"),
  },
  {
      .id = "l2norm",
      .title = N_ ("L2 norm"),
      .group = NORMALISE,
      .form = HEDDLE_FORM_NORMALISE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { SQUARES },
      .result = "$0/sqrt(s + eps)",
      .derivative = { { "s", HEDDLE_MONOID_SUM, "x*x" }, { "c", HEDDLE_MONOID_SUM, "y*dy" } },
      .cotangent = "(dy - y*c)*rsqrt(s + eps)",
      .options = { EPSILON },
      .glyph = "l2norm",
      .fill = "norm",
      .keywords = N_ ("unit length sphere cosine normalise"),
  },
  {
      .id = "rmsnorm",
      .title = N_ ("RMSNorm"),
      .group = NORMALISE,
      .form = HEDDLE_FORM_NORMALISE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { SQUARES },
      .result = "$0/sqrt(s/n + eps)",
      .derivative = { { "s", HEDDLE_MONOID_SUM, "x*x" }, { "c", HEDDLE_MONOID_SUM, "y*dy" } },
      .cotangent = "(dy - y*c/n)*rsqrt(s/n + eps)",
      .options = { EPSILON },
      .glyph = "rmsnorm",
      .fill = "norm",
      .keywords = N_ ("root mean square normalise"),
  },
  {
      .id = "layernorm",
      .title = N_ ("LayerNorm"),
      .group = NORMALISE,
      .form = HEDDLE_FORM_NORMALISE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "s", HEDDLE_MONOID_SUM, "$0", N_ ("sum") },
          { "v", HEDDLE_MONOID_SUM, "($0 - s/n)*($0 - s/n)", N_ ("sum of squared deviations") } },
      .result = "($0 - s/n)/sqrt(v/n + eps)",
      .derivative = { { "s", HEDDLE_MONOID_SUM, "x" }, { "v", HEDDLE_MONOID_SUM, "(x - s/n)*(x - s/n)" },
          { "b", HEDDLE_MONOID_SUM, "dy" }, { "c", HEDDLE_MONOID_SUM, "y*dy" } },
      .cotangent = "(dy - b/n - y*c/n)*rsqrt(v/n + eps)",
      .options = { EPSILON },
      .glyph = "layernorm",
      .fill = "norm",
      .keywords = N_ ("mean variance standardise normalise"),
  },
  {
      .id = "batchnorm",
      .title = N_ ("BatchNorm"),
      .group = NORMALISE,
      .form = HEDDLE_FORM_NORMALISE,
      .min_operands = 1,
      .max_operands = 1,
      .stages = { { "s", HEDDLE_MONOID_SUM, "$0", N_ ("sum") },
          { "v", HEDDLE_MONOID_SUM, "($0 - s/n)*($0 - s/n)", N_ ("sum of squared deviations") } },
      .result = "($0 - s/n)/sqrt(v/n + eps)",
      .derivative = { { "s", HEDDLE_MONOID_SUM, "x" }, { "v", HEDDLE_MONOID_SUM, "(x - s/n)*(x - s/n)" },
          { "b", HEDDLE_MONOID_SUM, "dy" }, { "c", HEDDLE_MONOID_SUM, "y*dy" } },
      .cotangent = "(dy - b/n - y*c/n)*rsqrt(v/n + eps)",
      .options = { EPSILON },
      .glyph = "batchnorm",
      .fill = "norm",
      .keywords = N_ ("mean variance standardise normalise batch"),
  },
};

const HeddleOperationKind *
heddle_operation_table (guint *n_rows)
{
  g_return_val_if_fail (n_rows != NULL, NULL);

  *n_rows = G_N_ELEMENTS (kinds);
  return kinds;
}

const HeddleOperationKind *
heddle_operation_kind (const char *id)
{
  g_return_val_if_fail (id != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].id, id))
      return &kinds[i];
  return NULL;
}
