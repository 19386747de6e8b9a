/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/reduce.h"
#include "diagram/differentiate/rules.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <string.h>

/* --- reductions and norms ------------------------------------------------------------ */

/* The values and numbers that the names in a row's derivative stand for. */
typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  GArray *values; /* ids: x, y, dy, n where it is counted, then the row's own */
  const char *names[HEDDLE_MAX_STAGES + 4];
} Call;

static HeddleExpr *
product_of_sizes (const Call *self)
{
  const GArray *axes = self->operation->axes;
  HeddleExpr *product = NULL;

  for (guint i = 0; i < axes->len; i++)
    {
      HeddleExpr *size = heddle_expr_size (heddle_ids_index (axes, i));

      product = product != NULL ? heddle_expr_binary (HEDDLE_EXPR_MUL, product, size) : size;
    }
  return product;
}

static HeddleExpr *
replace_name (const HeddleExpr *leaf, gpointer data)
{
  const Call *self = data;
  const HeddleOperationKind *kind = self->operation->kind;
  const char *name;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE)
    return NULL;
  name = heddle_expr_get_symbol (leaf);
  for (guint i = 0; i < self->values->len && self->names[i] != NULL; i++)
    if (g_str_equal (self->names[i], name))
      return heddle_expr_argument (i);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && kind->options[i].name != NULL; i++)
    if (g_str_equal (kind->options[i].name, name))
      return heddle_expr_number (self->operation->options[i]);
  g_assert (g_str_equal (name, "n"));
  return product_of_sizes (self);
}

static HeddleExpr *
body_of (Call *self, const char *text)
{
  g_autoptr (HeddleExpr) literal = heddle_expr_literal (text);
  g_autoptr (HeddleExpr) raw = heddle_expr_substitute (literal, replace_name, self);

  return heddle_expr_tidy (raw);
}

/* Returns one reduction of the row's derivative. It leaves out the terms that the operation left out. */
static const char *
run_stage (Call *self, const HeddleDerivativeRow *row)
{
  HeddleReverse *reverse = self->reverse;
  const GArray *axes = heddle_reverse_value (reverse, heddle_ids_index (self->values, 0))->axes;
  const GArray *core = self->operation->axes;
  g_autoptr (GArray) rest = heddle_axes_minus (axes, core);
  g_autoptr (GArray) factors = heddle_ids_new ();
  g_autoptr (HeddleExpr) body = body_of (self, row->body);
  gboolean is_product = heddle_reverse_factors (body, self->values, factors);
  const char *mapped;

  if (is_product && factors->len > 1 && row->monoid == HEDDLE_MONOID_SUM)
    return heddle_reverse_contract (reverse, rest, factors, FALSE);
  mapped = is_product && factors->len == 1
               ? heddle_ids_index (factors, 0)
               : heddle_reverse_map (reverse, axes, heddle_expr_ref (body), self->values);
  return heddle_reverse_reduce (reverse, heddle_monoid_to_string (row->monoid), axes, mapped, core, FALSE);
}

/* Returns how many terms are inside: the sum of ones that carry the operand's mark. */
static const char *
count_inside (Call *self)
{
  HeddleReverse *reverse = self->reverse;
  const char *operand = heddle_ids_index (self->values, 0);
  const GArray *axes = heddle_reverse_value (reverse, operand)->axes;
  g_autoptr (HeddleExpr) literal = heddle_expr_literal ("where($0 == $0, 1, 1)");

  const char *ones = heddle_reverse_map (reverse, axes, heddle_expr_ref (literal), self->values);

  return heddle_reverse_reduce (reverse, "sum", axes, ones, self->operation->axes, FALSE);
}

static void
add_value (Call *self, const char *name, const char *id)
{
  self->names[self->values->len] = name;
  heddle_ids_append (self->values, id);
}

/* Returns the cotangent, with the operand's mark: a norm's result outside is 0 whatever is read, so that
 * nothing comes back from there. */
static const char *
mark_cotangent (HeddleReverse *self, const char *operand, const char *cotangent)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (HeddleExpr) literal = heddle_expr_literal ("where($0 == $0, $1, 0)");

  heddle_ids_append (operands, operand);
  heddle_ids_append (operands, cotangent);
  return heddle_reverse_map (
      self, heddle_reverse_value (self, operand)->axes, heddle_expr_ref (literal), operands);
}

/* Returns whether the cotangent can have marks that the rule's reductions take. */
static gboolean
may_come (const HeddleReverse *self, const Call *call, const HeddleReadMark *mark)
{
  const HeddleReadMark *coming
      = heddle_reverse_taken (self, heddle_ids_index (call->values, 2), call->operation->axes);

  return coming == NULL || coming->vanishes
         || (mark != NULL && *mark->condition != '\0' && g_str_equal (mark->condition, coming->condition));
}

/* Returns whether the rule holds although some terms were left out: the cotangent of a plain read goes
 * nowhere outside, a weight of softmax is 0 there, and terms of a sum that are 0 are the same as left out. */
static gboolean
holds_outside (const Call *call, const HeddleReadMark *mark)
{
  const HeddleOperationKind *kind = call->operation->kind;
  gboolean is_linear = kind->derivative[0].name == NULL && kind->stages[1].name == NULL;

  return mark == NULL || mark->direct || g_str_equal (kind->id, "softmax") || (is_linear && mark->vanishes);
}

/* Returns the cotangent, made 0 where nothing was reduced. */
static const char *
cotangent_inside (Call *self, HeddleExpr *cotangent, const HeddleReadMark *mark)
{
  HeddleReverse *reverse = self->reverse;
  const GArray *axes = heddle_reverse_value (reverse, heddle_ids_index (self->values, 0))->axes;
  g_autofree char *condition = g_strdup (mark->condition);
  const char *made = heddle_reverse_map (reverse, axes,
      heddle_expr_where (heddle_expr_ref (mark->inside), cotangent, heddle_expr_number (0.)), self->values);
  HeddleReadMark *left = g_hash_table_lookup (reverse->marks, made);

  if (left != NULL && g_str_equal (left->condition, condition))
    left->vanishes = TRUE;
  return made;
}

/* Contributes to the operand of a reduction what the derivative in the operation's row gives. */
void
heddle_reverse_reduce_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  const HeddleOperationKind *kind = operation->kind;
  const char *operand = heddle_ids_index (operation->operands, 0);
  const GArray *axes = heddle_reverse_value (self, operand)->axes;
  const HeddleReadMark *mark = heddle_reverse_taken (self, operand, operation->axes);
  g_autoptr (GArray) values = heddle_ids_new ();
  Call call = { self, operation, values, { NULL } };
  HeddleExpr *back;

  add_value (&call, "x", operand);
  add_value (&call, "y", operation->result);
  add_value (&call, "dy", cotangent);
  if (!may_come (self, &call, mark) || (!holds_outside (&call, mark) && mark->inside == NULL))
    heddle_reverse_fail_outside (self, operand);
  if (mark != NULL && kind->form == HEDDLE_FORM_NORMALISE)
    heddle_ids_index (values, 2) = mark_cotangent (self, operand, cotangent);
  if (mark != NULL && strstr (kind->cotangent, "/n") != NULL)
    add_value (&call, "n", count_inside (&call));
  for (guint i = 0; i < HEDDLE_MAX_STAGES && kind->derivative[i].name != NULL; i++)
    add_value (&call, kind->derivative[i].name, run_stage (&call, &kind->derivative[i]));
  back = body_of (&call, kind->cotangent);
  heddle_reverse_contribute (self, operand,
      holds_outside (&call, mark) || mark->inside == NULL ? heddle_reverse_map (self, axes, back, values)
                                                          : cotangent_inside (&call, back, mark),
      TRUE);
}
