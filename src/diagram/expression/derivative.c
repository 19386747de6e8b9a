/* SPDX-License-Identifier: MIT */
#include "diagram/expression/derivative.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/expression/private.h"

/* --- rules --------------------------------------------------------------------------- */

/* The products that each function's cotangent $2 becomes at its argument $0 and, of two, at $1; NULL if the
 * function is flat. Where two arguments of min or max are equal the first is chosen, and relu and abs have
 * the slope 0 at 0. The derivative of gelu is Phi (x) + x phi (x). */
static const char *const rules[HEDDLE_N_EXPR_KINDS][2] = {
  [HEDDLE_EXPR_NEG] = { "-$2" },
  [HEDDLE_EXPR_EXP] = { "$2*exp($0)" },
  [HEDDLE_EXPR_LOG] = { "$2/$0" },
  [HEDDLE_EXPR_SQRT] = { "0.5*$2*rsqrt($0)" },
  [HEDDLE_EXPR_RSQRT] = { "-(0.5*$2*rsqrt($0)/$0)" },
  [HEDDLE_EXPR_SIN] = { "$2*cos($0)" },
  [HEDDLE_EXPR_COS] = { "-($2*sin($0))" },
  [HEDDLE_EXPR_TANH] = { "$2*(1 - tanh($0)^2)" },
  [HEDDLE_EXPR_ERF] = { "1.1283791670955126*$2*exp(-$0^2)" },
  [HEDDLE_EXPR_SIGMOID] = { "$2*sigmoid($0)*sigmoid(-$0)" },
  [HEDDLE_EXPR_RELU] = { "where($0 > 0, $2, 0)" },
  [HEDDLE_EXPR_GELU] = { "$2*(0.5*(1 + erf(0.7071067811865476*$0)) + 0.3989422804014327*$0*exp(-0.5*$0^2))" },
  [HEDDLE_EXPR_SILU] = { "$2*sigmoid($0)*(1 + $0*sigmoid(-$0))" },
  [HEDDLE_EXPR_ABS] = { "where($0 > 0, $2, where($0 < 0, -$2, 0))" },
  [HEDDLE_EXPR_ADD] = { "$2", "$2" },
  [HEDDLE_EXPR_SUB] = { "$2", "-$2" },
  [HEDDLE_EXPR_MUL] = { "$2*$1", "$2*$0" },
  [HEDDLE_EXPR_DIV] = { "$2/$1", "-($2*$0/$1^2)" },
  [HEDDLE_EXPR_POW] = { "$2*$1*$0^($1 - 1)", "$2*$0^$1*log($0)" },
  [HEDDLE_EXPR_MOD] = { "$2", "-($2*floor($0/$1))" },
  [HEDDLE_EXPR_MIN] = { "where($0 <= $1, $2, 0)", "where($0 <= $1, 0, $2)" },
  [HEDDLE_EXPR_MAX] = { "where($0 >= $1, $2, 0)", "where($0 >= $1, 0, $2)" },
};

typedef struct
{
  HeddleExpr *parts[3]; /* the two arguments and the cotangent, of a rule */
} Call;

static HeddleExpr *
replace_part (const HeddleExpr *leaf, gpointer data)
{
  const Call *call = data;

  return leaf->kind == HEDDLE_EXPR_ARGUMENT ? heddle_expr_ref (call->parts[leaf->operand]) : NULL;
}

static HeddleExpr *
apply_rule (const char *rule, const HeddleExpr *self, HeddleExpr *cotangent)
{
  Call call = { { self->children[0], self->n_children > 1 ? self->children[1] : NULL, cotangent } };
  g_autoptr (HeddleExpr) literal = heddle_expr_literal (rule);
  g_autoptr (HeddleExpr) raw = heddle_expr_substitute (literal, replace_part, &call);

  return heddle_expr_tidy (raw);
}

/* --- pulling back -------------------------------------------------------------------- */

static HeddleExpr *pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent);

/* Returns the cotangent of a choice, which goes where the forward pass went: only what was chosen gets it. */
static HeddleExpr *
pull_back_where (const HeddleExpr *self, guint operand, HeddleExpr *cotangent)
{
  HeddleExpr *then = pull_back (self->children[1], operand, cotangent);
  HeddleExpr *otherwise = pull_back (self->children[2], operand, cotangent);

  if (then == NULL && otherwise == NULL)
    return NULL;
  return heddle_expr_where (heddle_expr_ref (self->children[0]),
      then != NULL ? then : heddle_expr_number (0.), otherwise != NULL ? otherwise : heddle_expr_number (0.));
}

/* Returns the derivative times @cotangent; NULL if @self does not depend on the operand, or is flat. */
static HeddleExpr *
pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent)
{
  HeddleExpr *sum = NULL;

  if (self->kind == HEDDLE_EXPR_ARGUMENT)
    return self->operand == operand ? heddle_expr_ref (cotangent) : NULL;
  if (self->kind == HEDDLE_EXPR_WHERE)
    return pull_back_where (self, operand, cotangent);
  for (guint i = 0; i < MIN (self->n_children, 2); i++)
    {
      g_autoptr (HeddleExpr) inner = NULL;
      HeddleExpr *term;

      if (rules[self->kind][i] == NULL || !heddle_expr_uses (self->children[i], HEDDLE_EXPR_ARGUMENT, NULL))
        continue;
      inner = apply_rule (rules[self->kind][i], self, cotangent);
      term = pull_back (self->children[i], operand, inner);
      if (term != NULL)
        sum = sum != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term) : term;
    }
  return sum;
}

HeddleExpr *
heddle_expr_pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent)
{
  g_autoptr (HeddleExpr) raw = NULL;

  g_return_val_if_fail (self != NULL && cotangent != NULL, NULL);

  raw = pull_back (self, operand, cotangent);
  return raw != NULL ? heddle_expr_tidy (raw) : heddle_expr_number (0.);
}
