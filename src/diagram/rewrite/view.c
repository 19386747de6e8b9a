/* SPDX-License-Identifier: MIT */

/* This file lets readers absorb transposes and broadcasts, moves broadcasts later, and moves reads back past
 * products. */

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/contract.h"
#include "diagram/rewrite/tools.h"
#include "diagram/rewrite/view.h"

/* --- absorbing ----------------------------------------------------------------------- */

/* Returns whether the operation may read @source, which lacks some of the axes of operand @slot, in its
 * place. */
static gboolean
can_lack (const HeddleDiagram *diagram, const HeddleOperation *operation, guint slot, const char *source)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, heddle_ids_index (operation->operands, slot));
  g_autoptr (GArray) left = heddle_ids_copy (heddle_rewrite_axes_of (diagram, source));
  HeddleOperationForm form = operation->kind->form;

  if (left->len == axes->len)
    return form != HEDDLE_FORM_CALL;
  if (form != HEDDLE_FORM_MAP && form != HEDDLE_FORM_CONTRACT)
    return FALSE;
  for (guint i = 0; i < operation->operands->len; i++)
    if (i != slot)
      heddle_rewrite_unite (
          left, heddle_rewrite_axes_of (diagram, heddle_ids_index (operation->operands, i)));
  return form == HEDDLE_FORM_MAP || heddle_rewrite_contain_all (left, axes);
}

/* Returns the indices of a read of what has the same axes in another order. */
static GPtrArray *
permute_indices (const HeddleDiagram *diagram, const HeddleOperation *read, const char *source)
{
  const GArray *from = heddle_rewrite_axes_of (diagram, heddle_ids_index (read->operands, 0)),
               *to = heddle_rewrite_axes_of (diagram, source);
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < to->len; i++)
    g_ptr_array_add (indices, heddle_expr_ref (g_ptr_array_index (
                                  read->indices, heddle_ids_find (from, heddle_ids_index (to, i)))));
  return indices;
}

static void
read_source (HeddleDiagram *diagram, const HeddleOperation *operation, guint slot, const char *source)
{
  const char *view = heddle_ids_index (operation->operands, slot);
  GPtrArray *indices = operation->kind->form == HEDDLE_FORM_REINDEX && slot == 0
                           ? permute_indices (diagram, operation, source)
                           : NULL;
  HeddleOperation *changed = heddle_diagram_edit_operation (diagram, operation->id);

  heddle_ids_index (changed->operands, slot) = source;
  if (indices != NULL)
    {
      g_ptr_array_unref (changed->indices);
      changed->indices = indices;
    }
  heddle_rewrite_drop (diagram, view);
}

static gboolean
knows_views (const HeddleOperation *operation)
{
  switch (operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
    case HEDDLE_FORM_CONTRACT:
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
    case HEDDLE_FORM_REINDEX:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
heddle_rewrite_absorb_views (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);

  for (guint i = 0; knows_views (operation) && i < operation->operands->len; i++)
    {
      const char *value_id = heddle_ids_index (operation->operands, i);
      const HeddleOperation *view = heddle_diagram_get_producer (diagram, value_id);

      if (view == NULL || !heddle_rewrite_is_view (view) || !heddle_rewrite_is_passing (diagram, value_id)
          || heddle_diagram_get_value (diagram, value_id)->dtype != HEDDLE_DTYPE_UNSET
          || !can_lack (diagram, operation, i, heddle_ids_index (view->operands, 0)))
        continue;
      read_source (diagram, operation, i, heddle_ids_index (view->operands, 0));
      return TRUE;
    }
  return FALSE;
}

/* --- broadcasts ---------------------------------------------------------------------- */

/* Returns the axes of the result that the operation would still have without them. */
static GArray *
axes_to_spare (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, operation->result);
  GArray *spare = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      gboolean used = operation->body != NULL && heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, axis);

      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *id = heddle_ids_index (operation->operands, j);
          const HeddleOperation *view = heddle_rewrite_inner (diagram, id, HEDDLE_FORM_MAP);

          if (view != NULL && heddle_rewrite_is_view (view) && operation->kind->form != HEDDLE_FORM_MAP)
            id = heddle_ids_index (view->operands, 0);
          used |= heddle_ids_contain (heddle_rewrite_axes_of (diagram, id), axis);
        }
      if (!used && !heddle_ids_contain (operation->axes, axis))
        heddle_ids_append (spare, axis);
    }
  return spare;
}

static GArray *
axes_minus (const GArray *axes, const GArray *others)
{
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (others, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

/* Returns the operand without the axes: itself, or before the operation the narrower one that it is a
 * broadcast of. */
static const char *
narrow_operand (HeddleDiagram *diagram, const char *operation_id, const char *value_id, const GArray *spare)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, value_id);
  g_autoptr (GArray) rest = axes_minus (axes, spare), operands = heddle_ids_new ();
  HeddleOperation *view;

  if (rest->len == axes->len)
    return value_id;
  heddle_ids_append (
      operands, heddle_ids_index (heddle_diagram_get_producer (diagram, value_id)->operands, 0));
  view = heddle_rewrite_add (diagram, operation_id, "map", operands, rest, NULL);
  view->body = heddle_expr_argument (0);
  return view->result;
}

gboolean
heddle_rewrite_slide_broadcast (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GArray) spare = NULL;
  g_autoptr (GArray) axes = NULL;
  g_autoptr (GArray) operands = heddle_ids_new (), old = heddle_ids_copy (operation->operands);
  HeddleOperation *narrow;

  if (!knows_views (operation) || operation->kind->form == HEDDLE_FORM_REINDEX || old->len == 0
      || heddle_rewrite_is_view (operation))
    return FALSE;
  spare = axes_to_spare (diagram, operation);
  if (spare->len == 0)
    return FALSE;
  axes = axes_minus (heddle_rewrite_axes_of (diagram, operation->result), spare);
  for (guint i = 0; i < old->len; i++)
    heddle_ids_append (operands, narrow_operand (diagram, operation_id, heddle_ids_index (old, i), spare));
  operation = heddle_diagram_get_operation (diagram, operation_id);
  narrow = heddle_rewrite_add (diagram, operation_id, operation->kind->id, operands, axes, operation->axes);
  operation = heddle_diagram_get_operation (diagram, operation_id);
  heddle_operation_copy_details (narrow, operation, NULL, NULL);
  g_array_set_size (operands, 0);
  heddle_ids_append (operands, narrow->result);
  heddle_rewrite_become (diagram, operation_id, "map", operands, NULL, heddle_expr_argument (0), NULL);
  for (guint i = 0; i < old->len; i++)
    heddle_rewrite_drop (diagram, heddle_ids_index (old, i));
  return TRUE;
}

/* --- reads --------------------------------------------------------------------------- */

typedef struct
{
  GArray *axes;
} Appearance;

static gboolean
see_axis (const HeddleExpr *node, gpointer data)
{
  Appearance *self = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX
      && !heddle_ids_contain (self->axes, heddle_expr_get_symbol (node)))
    heddle_ids_append (self->axes, heddle_expr_get_symbol (node));
  return TRUE;
}

/* Returns the factor as the read has it; it is made before the operation. */
static const char *
read_factor (HeddleDiagram *diagram, const HeddleOperation *read, const GArray *read_axes, const char *factor)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, factor);
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_autoptr (GArray) operands = heddle_ids_new ();
  Appearance appearance = { heddle_ids_new () };
  gboolean changed = FALSE;
  HeddleOperation *made;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      int at = heddle_ids_find (read_axes, axis);
      HeddleExpr *index
          = at >= 0 ? heddle_expr_ref (g_ptr_array_index (read->indices, at)) : heddle_expr_index (axis);

      changed |= heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis;
      g_ptr_array_add (indices, index);
      heddle_expr_walk (index, see_axis, &appearance);
    }
  heddle_ids_append (operands, factor);
  if (changed)
    {
      made = heddle_rewrite_add (diagram, read->id, "reindex", operands, appearance.axes, NULL);
      g_clear_pointer (&made->indices, g_ptr_array_unref);
      made->indices = g_ptr_array_ref (indices);
      factor = made->result;
    }
  g_ptr_array_unref (indices);
  g_array_unref (appearance.axes);
  return factor;
}

/* Returns whether every axis of the read's result is in an index, and none of them is summed inside. */
static gboolean
can_slide (const HeddleDiagram *diagram, const HeddleOperation *read, const HeddleOperation *product)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, read->result);
  Appearance appearance = { heddle_ids_new () };
  gboolean fits;

  for (guint i = 0; i < read->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (read->indices, i), see_axis, &appearance);
  fits = heddle_rewrite_contain_all (appearance.axes, axes);
  for (guint i = 0; i < product->axes->len; i++)
    fits = fits && !heddle_ids_contain (axes, heddle_ids_index (product->axes, i));
  g_array_unref (appearance.axes);
  return fits;
}

/* Returns the operation if it is a contraction, or a map that multiplies and has all its axes from its
 * factors, and the read alone reads it: 0 where they are. Returns NULL if it is neither. */
static const HeddleOperation *
find_product (const HeddleDiagram *diagram, const HeddleOperation *read)
{
  const char *value_id = heddle_ids_index (read->operands, 0);
  const HeddleOperation *product = heddle_rewrite_inner (diagram, value_id, HEDDLE_FORM_CONTRACT);
  g_autoptr (GArray) factors = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();

  if (product != NULL)
    return product;
  product = heddle_rewrite_inner (diagram, value_id, HEDDLE_FORM_MAP);
  if (product == NULL || !heddle_rewrite_list_factors (product->body, product->operands, factors)
      || factors->len < 2)
    return NULL;
  for (guint i = 0; i < factors->len; i++)
    heddle_rewrite_unite (axes, heddle_rewrite_axes_of (diagram, heddle_ids_index (factors, i)));
  return heddle_rewrite_contain_all (axes, heddle_rewrite_axes_of (diagram, value_id)) ? product : NULL;
}

gboolean
heddle_rewrite_slide_read (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, operation_id);
  const HeddleOperation *product = NULL;
  g_autoptr (GArray) old = NULL, core = NULL, read_axes = NULL;
  g_autoptr (GArray) operands = heddle_ids_new ();
  const char *gone, *kind;
  HeddleExpr *body;

  if (read->kind->form == HEDDLE_FORM_REINDEX && read->operands->len == 1)
    product = find_product (diagram, read);
  if (product == NULL || !can_slide (diagram, read, product))
    return FALSE;
  gone = product->result;
  kind = product->kind->id;
  old = heddle_ids_copy (product->operands);
  core = heddle_ids_copy (product->axes);
  body = product->body != NULL ? heddle_expr_ref (product->body) : NULL;
  read_axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, gone));
  for (guint i = 0; i < old->len; i++)
    heddle_ids_append (operands, read_factor (diagram, heddle_diagram_get_operation (diagram, operation_id),
                                     read_axes, heddle_ids_index (old, i)));
  heddle_rewrite_become (diagram, operation_id, kind, operands, core, body, NULL);
  heddle_rewrite_remove (diagram, gone);
  return TRUE;
}
