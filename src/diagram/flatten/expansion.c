/* SPDX-License-Identifier: MIT */
#include "diagram/base/error.h"
#include "diagram/expression/private.h"
#include "diagram/flatten/expansion.h"

void
heddle_flatten_fail (HeddleFlattener *self, int code, const char *format, ...)
{
  va_list arguments;
  if (self->error != NULL)
    return;
  va_start (arguments, format);
  self->error = g_error_new_valist (HEDDLE_DIAGRAM_ERROR, code, format, arguments);
  va_end (arguments);
}

const char *
heddle_expansion_axis (const HeddleExpansion *frame, const char *axis)
{
  return frame->binding == NULL ? axis : g_hash_table_lookup (frame->binding->axes, axis);
}

HeddleExpr *
heddle_expansion_leaf (const HeddleExpr *leaf, gpointer data)
{
  const HeddleExpansion *frame = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *axis = kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX
                         ? heddle_expansion_axis (frame, heddle_expr_get_symbol (leaf))
                         : NULL;
  HeddleExpr *number = kind == HEDDLE_EXPR_SIZE && frame->binding != NULL
                           ? g_hash_table_lookup (frame->binding->numbers, heddle_expr_get_symbol (leaf))
                           : NULL;
  if (number != NULL)
    return heddle_expr_ref (number);
  if (axis == NULL)
    return NULL;
  return kind == HEDDLE_EXPR_SIZE ? heddle_expr_size (axis) : heddle_expr_index (axis);
}

const HeddleValue *
heddle_flatten_value (const HeddleFlattener *self, const char *id)
{
  return heddle_diagram_get_value (self->flat, id);
}

GArray *
heddle_expansion_axes (const HeddleExpansion *frame, const GArray *axes)
{
  GArray *flat = heddle_ids_new ();
  for (guint i = 0; i < axes->len; i++)
    heddle_ids_append (flat, heddle_expansion_axis (frame, heddle_ids_index (axes, i)));
  return flat;
}
