/* SPDX-License-Identifier: MIT */

/* This file joins sums of products, splits them in the cheapest order, and removes Kronecker deltas from
 * them. */

#include "diagram/analysis/sizes.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/contract.h"
#include "diagram/rewrite/tools.h"

#include <math.h>

/* --- joining ------------------------------------------------------------------------- */

gboolean
heddle_rewrite_list_factors (const HeddleExpr *body, const GArray *operands, GArray *factors)
{
  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    {
      heddle_ids_append (factors, heddle_ids_index (operands, heddle_expr_get_operand (body)));
      return TRUE;
    }
  return heddle_expr_get_kind (body) == HEDDLE_EXPR_MUL
         && heddle_rewrite_list_factors (heddle_expr_get_child (body, 0), operands, factors)
         && heddle_rewrite_list_factors (heddle_expr_get_child (body, 1), operands, factors);
}

/* Finds what a contraction, or a product that has all its axes from its factors, multiplies and sums. Returns
 * FALSE if the operation is neither. */
static gboolean
read_product (const HeddleDiagram *diagram, const char *value_id, GArray *factors, GArray *core)
{
  const HeddleOperation *inner = heddle_rewrite_inner (diagram, value_id, HEDDLE_FORM_CONTRACT);
  g_autoptr (GArray) axes = heddle_ids_new ();

  if (inner != NULL)
    {
      g_array_append_vals (factors, inner->operands->data, inner->operands->len);
      g_array_append_vals (core, inner->axes->data, inner->axes->len);
      return TRUE;
    }
  inner = heddle_rewrite_inner (diagram, value_id, HEDDLE_FORM_MAP);
  if (inner == NULL || !heddle_rewrite_list_factors (inner->body, inner->operands, factors)
      || factors->len < 2)
    return FALSE;
  for (guint i = 0; i < factors->len; i++)
    heddle_rewrite_unite (axes, heddle_rewrite_axes_of (diagram, heddle_ids_index (factors, i)));
  return heddle_rewrite_contain_all (axes, heddle_rewrite_axes_of (diagram, value_id));
}

/* Returns whether the outer operation has none of the inner axes: they would be taken for its own. */
static gboolean
are_unknown (const HeddleDiagram *diagram, const HeddleOperation *outer, const GArray *core)
{
  for (guint i = 0; i < outer->operands->len; i++)
    for (guint j = 0; j < core->len; j++)
      if (heddle_ids_contain (heddle_rewrite_axes_of (diagram, heddle_ids_index (outer->operands, i)),
              heddle_ids_index (core, j)))
        return FALSE;
  return TRUE;
}

static gboolean
merge_operand (HeddleDiagram *diagram, const HeddleOperation *outer, guint slot)
{
  const char *value_id = heddle_ids_index (outer->operands, slot);
  g_autoptr (GArray) factors = heddle_ids_new ();
  g_autoptr (GArray) inner_core = heddle_ids_new ();
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) core = heddle_ids_copy (outer->axes);

  if (!read_product (diagram, value_id, factors, inner_core) || !are_unknown (diagram, outer, inner_core))
    return FALSE;
  if (outer->kind->form == HEDDLE_FORM_REDUCE
      && !heddle_rewrite_contain_all (heddle_rewrite_axes_of (diagram, value_id), outer->axes))
    return FALSE;
  for (guint i = 0; i < outer->operands->len; i++)
    if (i == slot)
      g_array_append_vals (operands, factors->data, factors->len);
    else
      heddle_ids_append (operands, heddle_ids_index (outer->operands, i));
  g_array_append_vals (core, inner_core->data, inner_core->len);
  heddle_rewrite_become (diagram, outer->id, "contract", operands, core, NULL, NULL);
  heddle_rewrite_remove (diagram, value_id);
  return TRUE;
}

gboolean
heddle_rewrite_merge_contraction (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *outer = heddle_diagram_get_operation (diagram, operation_id);

  if (outer->kind->form != HEDDLE_FORM_CONTRACT && !g_str_equal (outer->kind->id, "sum"))
    return FALSE;
  for (guint i = 0; i < outer->operands->len; i++)
    if (merge_operand (diagram, outer, i))
      return TRUE;
  return FALSE;
}

/* --- taking apart -------------------------------------------------------------------- */

/* Two operands of a contraction, with the axes that stay and those that are summed when they are multiplied
 * first. */
typedef struct
{
  guint a, b;
  GArray *kept, *core;
} Pair;

static gboolean
is_wanted (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, const Pair *pair)
{
  if (!heddle_ids_contain (operation->axes, axis))
    return TRUE;
  for (guint i = 0; i < operation->operands->len; i++)
    if (i != pair->a && i != pair->b
        && heddle_ids_contain (
            heddle_rewrite_axes_of (diagram, heddle_ids_index (operation->operands, i)), axis))
      return TRUE;
  return FALSE;
}

static void
split_axes (const HeddleDiagram *diagram, const HeddleOperation *operation, Pair *pair)
{
  g_autoptr (GArray) all = heddle_ids_new ();

  heddle_rewrite_unite (
      all, heddle_rewrite_axes_of (diagram, heddle_ids_index (operation->operands, pair->a)));
  heddle_rewrite_unite (
      all, heddle_rewrite_axes_of (diagram, heddle_ids_index (operation->operands, pair->b)));
  for (guint i = 0; i < all->len; i++)
    {
      const char *axis = heddle_ids_index (all, i);

      heddle_ids_append (is_wanted (diagram, operation, axis, pair) ? pair->kept : pair->core, axis);
    }
}

/* Returns the cost of the order: the number of products, before that of elements made; the constant stands
 * for sizes that are not known. */
static double
price (const HeddleSizes *sizes, const Pair *pair)
{
  const GArray *axes[] = { pair->kept, pair->core };
  double products = 1.;

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    for (guint j = 0; j < axes[i]->len; j++)
      products *= sizes != NULL ? (double) heddle_sizes_get (sizes, heddle_ids_index (axes[i], j)) : 1e3;
  return products * (1. + 1e-9 * pair->kept->len);
}

static void
pair_clear (Pair *pair)
{
  g_array_unref (pair->kept);
  g_array_unref (pair->core);
}

static void
find_cheapest (const HeddleDiagram *diagram, const HeddleOperation *operation, guint *a, guint *b)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  double least = INFINITY;

  for (guint i = 0; i < operation->operands->len; i++)
    for (guint j = i + 1; j < operation->operands->len; j++)
      {
        Pair pair = { i, j, heddle_ids_new (), heddle_ids_new () };
        double products;

        split_axes (diagram, operation, &pair);
        products = price (sizes, &pair);
        if (products < least)
          {
            least = products;
            *a = i;
            *b = j;
          }
        pair_clear (&pair);
      }
}

/* Makes the pair before the operation. */
static const char *
make_pair (HeddleDiagram *diagram, const char *operation_id, const Pair *pair, const GArray *operands)
{
  g_autoptr (GArray) factors = heddle_ids_new ();
  HeddleOperation *made;

  heddle_ids_append (factors, heddle_ids_index (operands, pair->a));
  heddle_ids_append (factors, heddle_ids_index (operands, pair->b));
  if (pair->core->len > 0)
    return heddle_rewrite_add (diagram, operation_id, "contract", factors, pair->kept, pair->core)->result;
  if (heddle_ids_index (factors, 0) == heddle_ids_index (factors, 1))
    g_array_set_size (factors, 1);
  made = heddle_rewrite_add (diagram, operation_id, "map", factors, pair->kept, NULL);
  made->body = heddle_expr_binary (
      HEDDLE_EXPR_MUL, heddle_expr_argument (0), heddle_expr_argument (factors->len - 1));
  return made->result;
}

gboolean
heddle_rewrite_split_contraction (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GArray) operands = heddle_ids_copy (operation->operands), rest = heddle_ids_new ();
  g_autoptr (GArray) core = heddle_ids_new ();
  Pair pair = { 0, 1, heddle_ids_new (), heddle_ids_new () };

  if (operation->kind->form != HEDDLE_FORM_CONTRACT || operands->len < 3
      || heddle_rewrite_may_read_outside (diagram, operation->result))
    {
      pair_clear (&pair);
      return FALSE;
    }
  find_cheapest (diagram, operation, &pair.a, &pair.b);
  split_axes (diagram, operation, &pair);
  for (guint i = 0; i < operation->axes->len; i++)
    if (!heddle_ids_contain (pair.core, heddle_ids_index (operation->axes, i)))
      heddle_ids_append (core, heddle_ids_index (operation->axes, i));
  for (guint i = 0; i < operands->len; i++)
    if (i == pair.a)
      heddle_ids_append (rest, make_pair (diagram, operation_id, &pair, operands));
    else if (i != pair.b)
      heddle_ids_append (rest, heddle_ids_index (operands, i));
  heddle_rewrite_become (diagram, operation_id, "contract", rest, core, NULL, NULL);
  pair_clear (&pair);
  return TRUE;
}

/* --- units --------------------------------------------------------------------------- */

/* Returns whether the value is 1 where two of its indices are equal and else 0: a Kronecker delta, drawn as a
 * cup mirrored. */
static gboolean
is_unit (const HeddleDiagram *diagram, const char *value_id)
{
  static const char *const numbers[] = { "1", "0" };
  const HeddleOperation *map = heddle_diagram_get_producer (diagram, value_id);
  const GArray *axes = heddle_rewrite_axes_of (diagram, value_id);
  const HeddleExpr *equal;

  if (map == NULL || map->kind->form != HEDDLE_FORM_MAP || map->operands->len > 0 || axes->len != 2
      || heddle_expr_get_kind (map->body) != HEDDLE_EXPR_WHERE)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HeddleExpr) number = heddle_expr_literal (numbers[i]);

      if (!heddle_expr_equal (heddle_expr_get_child (map->body, i + 1), number))
        return FALSE;
    }
  equal = heddle_expr_get_child (map->body, 0);
  return heddle_expr_get_kind (equal) == HEDDLE_EXPR_EQ
         && heddle_expr_uses (equal, HEDDLE_EXPR_INDEX, heddle_ids_index (axes, 0))
         && heddle_expr_uses (equal, HEDDLE_EXPR_INDEX, heddle_ids_index (axes, 1))
         && heddle_expr_get_n_children (heddle_expr_get_child (equal, 0)) == 0
         && heddle_expr_get_n_children (heddle_expr_get_child (equal, 1)) == 0;
}

/* Adds a read of the operand along @to in the place of @from, before the operation, and returns its
 * result. */
static const char *
rename_axis (
    HeddleDiagram *diagram, const char *operation_id, const char *value_id, const char *from, const char *to)
{
  g_autoptr (GArray) axes = heddle_ids_new (), operands = heddle_ids_new ();
  const GArray *old = heddle_rewrite_axes_of (diagram, value_id);
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  HeddleOperation *read;

  for (guint i = 0; i < old->len; i++)
    {
      const char *axis = heddle_ids_index (old, i) == from ? to : heddle_ids_index (old, i);

      g_ptr_array_add (indices, heddle_expr_index (axis));
      if (!heddle_ids_contain (axes, axis))
        heddle_ids_append (axes, axis);
    }
  heddle_ids_append (operands, value_id);
  read = heddle_rewrite_add (diagram, operation_id, "reindex", operands, axes, NULL);
  g_clear_pointer (&read->indices, g_ptr_array_unref);
  read->indices = indices;
  return read->result;
}

/* Makes the operation one over @operands, none of which is the unit any more. */
static void
contract_rest (HeddleDiagram *diagram, const char *operation_id, const GArray *operands, const GArray *core)
{
  if (operands->len > 1)
    heddle_rewrite_become (diagram, operation_id, "contract", operands, core, NULL, NULL);
  else if (core->len > 0)
    heddle_rewrite_become (diagram, operation_id, "sum", operands, core, NULL, NULL);
  else
    heddle_rewrite_become (diagram, operation_id, "map", operands, core, heddle_expr_argument (0), NULL);
}

/* Removes the unit from a sum over one of its axes: the other factors are read at its other index. */
static gboolean
remove_unit_at (
    HeddleDiagram *diagram, const HeddleOperation *operation, guint slot, const char *gone, const char *stays)
{
  g_autoptr (GArray) old = heddle_ids_copy (operation->operands), operands = heddle_ids_new ();
  g_autoptr (GArray) core = heddle_ids_new (), rest = heddle_ids_new ();
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  const char *id = operation->id, *unit = heddle_ids_index (old, slot);
  gboolean is_covered = FALSE;

  for (guint i = 0; i < old->len; i++)
    if (i != slot)
      heddle_rewrite_unite (rest, heddle_rewrite_axes_of (diagram, heddle_ids_index (old, i)));
  is_covered = heddle_ids_contain (rest, gone);
  if (sizes == NULL || heddle_sizes_get (sizes, gone) != heddle_sizes_get (sizes, stays) || !is_covered
      || !heddle_ids_contain (operation->axes, gone))
    return FALSE;
  for (guint i = 0; i < operation->axes->len; i++)
    if (heddle_ids_index (operation->axes, i) != gone)
      heddle_ids_append (core, heddle_ids_index (operation->axes, i));
  for (guint i = 0; i < old->len; i++)
    if (i != slot)
      heddle_ids_append (
          operands, heddle_ids_contain (heddle_rewrite_axes_of (diagram, heddle_ids_index (old, i)), gone)
                        ? rename_axis (diagram, id, heddle_ids_index (old, i), gone, stays)
                        : heddle_ids_index (old, i));
  contract_rest (diagram, id, operands, core);
  heddle_rewrite_drop (diagram, unit);
  return TRUE;
}

gboolean
heddle_rewrite_remove_unit (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);

  for (guint i = 0; operation->kind->form == HEDDLE_FORM_CONTRACT && i < operation->operands->len; i++)
    {
      const char *unit = heddle_ids_index (operation->operands, i);
      const char *a, *b;

      if (!is_unit (diagram, unit))
        continue;
      a = heddle_ids_index (heddle_rewrite_axes_of (diagram, unit), 0);
      b = heddle_ids_index (heddle_rewrite_axes_of (diagram, unit), 1);
      if (remove_unit_at (diagram, operation, i, a, b) || remove_unit_at (diagram, operation, i, b, a))
        return TRUE;
    }
  return FALSE;
}
