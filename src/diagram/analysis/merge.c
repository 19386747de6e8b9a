/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/merge.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

HeddleExpr *
heddle_merge_index (const GArray *axes)
{
  HeddleExpr *index;

  g_return_val_if_fail (axes != NULL && axes->len > 0, NULL);

  index = heddle_expr_index (heddle_ids_index (axes, 0));
  for (guint i = 1; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      index = heddle_expr_binary (HEDDLE_EXPR_ADD,
          heddle_expr_binary (HEDDLE_EXPR_MUL, index, heddle_expr_size (axis)), heddle_expr_index (axis));
    }
  return index;
}

/* Splits x * size (u) + u into its two parts: returns x, and puts u into @axis. Returns NULL if the index has
 * another form. */
static const HeddleExpr *
take_last (const HeddleExpr *index, const char **axis)
{
  const HeddleExpr *product, *last;

  if (heddle_expr_get_kind (index) != HEDDLE_EXPR_ADD)
    return NULL;
  product = heddle_expr_get_child (index, 0);
  last = heddle_expr_get_child (index, 1);
  if (heddle_expr_get_kind (last) != HEDDLE_EXPR_INDEX || heddle_expr_get_kind (product) != HEDDLE_EXPR_MUL
      || heddle_expr_get_kind (heddle_expr_get_child (product, 1)) != HEDDLE_EXPR_SIZE
      || heddle_expr_get_symbol (heddle_expr_get_child (product, 1)) != heddle_expr_get_symbol (last))
    return NULL;
  *axis = heddle_expr_get_symbol (last);
  return heddle_expr_get_child (product, 0);
}

GArray *
heddle_merge_match (const HeddleExpr *index)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  const HeddleExpr *rest = index;
  const char *axis;

  g_return_val_if_fail (index != NULL, NULL);

  while (heddle_expr_get_kind (rest) != HEDDLE_EXPR_INDEX)
    {
      rest = take_last (rest, &axis);
      if (rest == NULL || heddle_ids_contain (axes, axis))
        return NULL;
      g_array_prepend_val (axes, axis);
    }
  axis = heddle_expr_get_symbol (rest);
  if (axes->len == 0 || heddle_ids_contain (axes, axis))
    return NULL;
  g_array_prepend_val (axes, axis);
  return g_steal_pointer (&axes);
}

/* --- the parts of an axis that is several ------------------------------------------------ */

/* Returns how far along the axes up to @part the point is. */
static HeddleExpr *
quotient (const char *merged, const GArray *axes, guint part)
{
  HeddleExpr *stride = NULL;

  for (guint i = part + 1; i < axes->len; i++)
    {
      HeddleExpr *size = heddle_expr_size (heddle_ids_index (axes, i));

      stride = stride != NULL ? heddle_expr_binary (HEDDLE_EXPR_MUL, stride, size) : size;
    }
  if (stride == NULL)
    return heddle_expr_index (merged);
  return heddle_expr_unary (
      HEDDLE_EXPR_FLOOR, heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_index (merged), stride));
}

HeddleExpr *
heddle_merge_part (const char *merged, const GArray *axes, guint part)
{
  HeddleExpr *index;

  g_return_val_if_fail (merged != NULL && axes != NULL && part < axes->len, NULL);

  index = quotient (merged, axes, part);
  if (part == 0)
    return index;
  return heddle_expr_binary (HEDDLE_EXPR_MOD, index, heddle_expr_size (heddle_ids_index (axes, part)));
}

/* Returns the axes not yet @found that are read along @merged. */
static GArray *
list_remaining (const GArray *operand_axes, const GPtrArray *indices, const char *merged)
{
  GArray *remaining = heddle_ids_new ();

  for (guint i = 0; i < MIN (indices->len, operand_axes->len); i++)
    if (heddle_ids_index (operand_axes, i) != NULL && g_ptr_array_index (indices, i) != NULL
        && heddle_expr_uses (g_ptr_array_index (indices, i), HEDDLE_EXPR_INDEX, merged))
      heddle_ids_append (remaining, heddle_ids_index (operand_axes, i));
  return remaining;
}

/* Moves the axis that comes just before those of @found there. */
static gboolean
find_before (GArray *remaining, GArray *found, const GArray *operand_axes, const GPtrArray *indices,
    const char *merged)
{
  for (guint i = 0; i < remaining->len; i++)
    {
      const char *axis = heddle_ids_index (remaining, i);
      g_autoptr (GArray) trial = heddle_ids_copy (found);
      g_autoptr (HeddleExpr) first = NULL, inner = NULL;
      const HeddleExpr *index = g_ptr_array_index (indices, (guint) heddle_ids_find (operand_axes, axis));

      g_array_prepend_val (trial, axis);
      first = heddle_merge_part (merged, trial, 0);
      inner = heddle_expr_binary (HEDDLE_EXPR_MOD, heddle_expr_ref (first), heddle_expr_size (axis));
      if (!heddle_expr_equal (index, inner) && (remaining->len > 1 || !heddle_expr_equal (index, first)))
        continue;
      g_array_prepend_val (found, axis);
      g_array_remove_index (remaining, i);
      return heddle_expr_equal (index, remaining->len == 0 ? first : inner);
    }
  return FALSE;
}

GArray *
heddle_merge_find (const GArray *operand_axes, const GPtrArray *indices, const char *merged)
{
  g_autoptr (GArray) remaining = NULL;
  g_autoptr (GArray) found = heddle_ids_new ();

  g_return_val_if_fail (operand_axes != NULL && indices != NULL && merged != NULL, NULL);

  remaining = list_remaining (operand_axes, indices, merged);
  if (remaining->len < 2)
    return NULL;
  while (remaining->len > 0)
    if (!find_before (remaining, found, operand_axes, indices, merged))
      return NULL;
  return g_steal_pointer (&found);
}
