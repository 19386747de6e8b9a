/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/differentiate/build.h"
#include "diagram/differentiate/rules.h"
#include "diagram/expression/derivative.h"
#include "diagram/expression/private.h"
#include "diagram/expression/tidy.h"

#include <glib/gi18n-lib.h>

/* The limits of a derivative, which grows with the square of the function's length and has to be read
 * again. */
#define MAX_BODY_NODES 2000
#define MAX_DERIVATIVE_DEPTH (HEDDLE_EXPR_MAX_NESTING - 20)

/* --- maps ---------------------------------------------------------------------------- */

/* Returns the operands of @operation and then the cotangent: what the arguments of a pulled-back body stand
 * for. */
static GArray *
operands_and (const HeddleOperation *operation, const char *cotangent)
{
  GArray *operands = heddle_ids_copy (operation->operands);

  heddle_ids_append (operands, cotangent);
  return operands;
}

/* Returns the cotangent of the value @id at each point of the result: the sum over all arguments that stand
 * for it. */
static HeddleExpr *
pull_back (const HeddleOperation *operation, const char *id)
{
  guint n = operation->operands->len;
  g_autoptr (HeddleExpr) cotangent = heddle_expr_argument (n);
  g_autoptr (HeddleExpr) sum = heddle_expr_number (0.);

  for (guint i = 0; i < n; i++)
    if (heddle_ids_index (operation->operands, i) == id)
      sum = heddle_expr_binary (HEDDLE_EXPR_ADD, sum, heddle_expr_pull_back (operation->body, i, cotangent));
  return heddle_expr_tidy (sum);
}

gboolean
heddle_reverse_factors (const HeddleExpr *body, const GArray *operands, GArray *factors)
{
  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    {
      heddle_ids_append (factors, heddle_ids_index (operands, heddle_expr_get_operand (body)));
      return TRUE;
    }
  return heddle_expr_get_kind (body) == HEDDLE_EXPR_MUL
         && heddle_reverse_factors (heddle_expr_get_child (body, 0), operands, factors)
         && heddle_reverse_factors (heddle_expr_get_child (body, 1), operands, factors);
}

/* Returns the sum of @body over the axes of @wide that are not among @axes; there is at least one. */
static const char *
sum_back (
    HeddleReverse *self, const GArray *axes, const GArray *wide, HeddleExpr *body, const GArray *operands)
{
  g_autoptr (GArray) core = heddle_axes_minus (wide, axes);
  g_autoptr (GArray) factors = heddle_ids_new ();
  gboolean is_product = heddle_reverse_factors (body, operands, factors);
  const char *product;

  if (is_product && factors->len > 1)
    return heddle_reverse_contract (self, axes, factors, TRUE);
  product = is_product ? heddle_ids_index (factors, 0)
                       : heddle_reverse_map (
                           self, wide, heddle_reverse_say_outside (self, body, operands, core), operands);
  return heddle_reverse_reduce (self, "sum", axes, product, core, TRUE);
}

/* Contributes the terms of a sum that is summed over, each one by itself: most are contractions. */
static void
contribute_sums (
    HeddleReverse *self, const char *id, const GArray *wide, HeddleExpr *body, const GArray *operands)
{
  const GArray *axes = heddle_reverse_value (self, id)->axes;

  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_ADD)
    {
      heddle_reverse_contribute (self, id, sum_back (self, axes, wide, body, operands), TRUE);
      return;
    }
  contribute_sums (self, id, wide, heddle_expr_get_child (body, 0), operands);
  contribute_sums (self, id, wide, heddle_expr_get_child (body, 1), operands);
}

static void
fail_long (HeddleReverse *self, const HeddleOperation *operation)
{
  heddle_reverse_fail (self, operation->result,
      _ ("the function of %s is too long to differentiate; write it in several steps"));
}

void
heddle_reverse_contribute_body (
    HeddleReverse *self, const char *id, const GArray *wide, HeddleExpr *body, const GArray *operands)
{
  const GArray *axes = heddle_reverse_value (self, id)->axes;

  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (body) == 0.)
    return;
  if (axes->len < wide->len)
    contribute_sums (self, id, wide, body, operands);
  else if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    heddle_reverse_contribute (self, id, heddle_ids_index (operands, heddle_expr_get_operand (body)), FALSE);
  else
    heddle_reverse_contribute (
        self, id, heddle_reverse_map (self, axes, heddle_expr_ref (body), operands), TRUE);
}

/* Contributes a map's cotangent to the value: what the map broadcast is summed over. */
static void
map_back (HeddleReverse *self, const HeddleOperation *operation, const char *id, const char *cotangent)
{
  const GArray *wide = heddle_reverse_value (self, operation->result)->axes;
  g_autoptr (GArray) operands = operands_and (operation, cotangent);
  g_autoptr (HeddleExpr) body = pull_back (operation, id);

  if (body->depth > MAX_DERIVATIVE_DEPTH)
    fail_long (self, operation);
  heddle_reverse_contribute_body (self, id, wide, body, operands);
}

void
heddle_reverse_map_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  if (operation->body->n_nodes > MAX_BODY_NODES)
    {
      fail_long (self, operation);
      return;
    }
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);

      if (heddle_reverse_is_active (self, id) && heddle_ids_find (operation->operands, id) == (int) i)
        map_back (self, operation, id, cotangent);
    }
}

/* --- contractions -------------------------------------------------------------------- */

/* Returns @value (of the axes of @operand) where the contraction took the operand's terms: those outside are
 * left out, unless they were 0. */
static const char *
said_inside (HeddleReverse *self, const HeddleOperation *operation, const char *operand, const char *value)
{
  const HeddleReadMark *mark = heddle_reverse_taken (self, operand, operation->axes);
  g_autoptr (GArray) operands = heddle_ids_new ();

  if (mark == NULL || mark->vanishes)
    return value;
  if (mark->inside == NULL)
    {
      heddle_reverse_fail_outside (self, operand);
      return value;
    }
  heddle_ids_append (operands, value);
  return heddle_reverse_map (self, heddle_reverse_value (self, operand)->axes,
      heddle_expr_where (heddle_expr_ref (mark->inside), heddle_expr_argument (0), heddle_expr_number (0.)),
      operands);
}

/* Contributes to each operand of a contraction, which is linear in it: its cotangent is the contraction of
 * the result's with all other operands. An axis that no other factor has was summed alone, and is
 * broadcast. */
void
heddle_reverse_contract_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      g_autoptr (GArray) factors = heddle_ids_new ();
      const char *back;

      if (!heddle_reverse_is_active (self, id))
        continue;
      heddle_ids_append (factors, cotangent);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *other = heddle_ids_index (operation->operands, j);
          if (j != i)
            heddle_ids_append (factors, said_inside (self, operation, other, other));
        }
      back = heddle_reverse_contract (self, heddle_reverse_value (self, id)->axes, factors, TRUE);
      heddle_reverse_contribute (self, id, said_inside (self, operation, id, back), TRUE);
    }
}
