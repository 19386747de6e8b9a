/* SPDX-License-Identifier: MIT */

/* What is read at chosen indices of a product is worked out where it is read, whoever else reads the product: a product of reads. */

#include "diagram/rewrite-private.h"

/* The axes that a read goes along: those in its indices, and those of the whole numbers it reads at. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleOperation *read;
  GArray *axes;
} Along;

static gboolean
see_leaf (const HeddleExpr *node, gpointer data)
{
  Along *self = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX
      && !heddle_ids_contain (self->axes, heddle_expr_get_symbol (node)))
    heddle_ids_append (self->axes, heddle_expr_get_symbol (node));
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT)
    heddle_rewrite_unite (
        self->axes, heddle_rewrite_axes_of (self->diagram,
                        heddle_ids_index (self->read->operands, heddle_expr_get_operand (node))));
  return TRUE;
}

/* The index of the factor's axis @axis: as the product is read there, or the axis itself where it is summed. Transfer full. */
static HeddleExpr *
index_of (const HeddleOperation *read, const GArray *product_axes, const char *axis)
{
  int at = heddle_ids_find (product_axes, axis);

  return at >= 0 ? heddle_expr_ref (g_ptr_array_index (read->indices, at)) : heddle_expr_index (axis);
}

static gboolean
is_read_elsewhere (const HeddleOperation *read, const GArray *product_axes, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    {
      g_autoptr (HeddleExpr) index = index_of (read, product_axes, heddle_ids_index (axes, i));

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (axes, i))
        return TRUE;
    }
  return FALSE;
}

/* The factor where the product is read, made before the read. */
static const char *
read_factor (HeddleDiagram *diagram, const char *read_id, const GArray *product_axes, const char *factor)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, read_id);
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, factor));
  g_autoptr (GArray) operands = heddle_ids_copy (read->operands), along = heddle_ids_new ();
  GPtrArray *indices;
  Along seen = { diagram, read, along };
  HeddleOperation *made;

  if (!is_read_elsewhere (read, product_axes, axes))
    return factor;
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < axes->len; i++)
    {
      HeddleExpr *index = index_of (read, product_axes, heddle_ids_index (axes, i));

      g_ptr_array_add (indices, index);
      heddle_expr_walk (index, see_leaf, &seen);
    }
  heddle_ids_index (operands, 0) = factor;
  made = heddle_rewrite_add (diagram, read_id, "reindex", operands, along, NULL);
  g_clear_pointer (&made->indices, g_ptr_array_unref);
  made->indices = indices;
  return made->result;
}

/* Every axis of the result is in an index, and none of them is summed. */
static gboolean
can_read (const HeddleDiagram *diagram, const HeddleOperation *read, const HeddleOperation *product)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, read->result);
  g_autoptr (GArray) along = heddle_ids_new ();
  Along seen = { diagram, read, along };

  for (guint i = 0; i < read->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (read->indices, i), see_leaf, &seen);
  for (guint i = 0; i < product->axes->len; i++)
    if (heddle_ids_contain (along, heddle_ids_index (product->axes, i)))
      return FALSE;
  return heddle_rewrite_contain_all (along, axes);
}

/* A named product stays when nobody reads it, and would be an output that was none where outputs are not told. */
static gboolean
would_come_out (const HeddleDiagram *diagram, const char *value_id)
{
  return !diagram->explicit_outputs && heddle_diagram_get_value (diagram, value_id)->name != NULL
         && heddle_diagram_count_readers (diagram, value_id) == 1;
}

gboolean
heddle_rewrite_read_product (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, operation_id);
  const HeddleOperation *product = NULL;
  const char *made;
  g_autoptr (GArray) factors = NULL, core = NULL, axes = NULL, operands = heddle_ids_new ();

  if (read->kind->form == HEDDLE_FORM_REINDEX && read->operands->len > 1)
    product = heddle_diagram_get_producer (diagram, heddle_ids_index (read->operands, 0));
  if (product == NULL || product->kind->form != HEDDLE_FORM_CONTRACT || !can_read (diagram, read, product)
      || heddle_diagram_get_value (diagram, product->result)->dtype != HEDDLE_DTYPE_UNSET
      || would_come_out (diagram, product->result))
    return FALSE;
  made = product->result;
  factors = heddle_ids_copy (product->operands);
  core = heddle_ids_copy (product->axes);
  axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, product->result));
  for (guint i = 0; i < factors->len; i++)
    heddle_ids_append (operands, read_factor (diagram, operation_id, axes, heddle_ids_index (factors, i)));
  heddle_rewrite_become (diagram, operation_id, "contract", operands, core, NULL, NULL);
  heddle_rewrite_drop (diagram, made);
  return TRUE;
}
