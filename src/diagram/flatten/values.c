/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/map.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/values.h"
#include "diagram/graph/calls.h"

HeddleOperation *
heddle_flatten_add_operation (HeddleFlattener *self, const HeddleExpansion *frame, const char *own,
    const char *id, const HeddleOperationKind *kind, const GArray *operands, const char *result,
    const GArray *axes)
{
  HeddleOperation *operation
      = heddle_diagram_add_operation (self->flat, id, kind, operands, result, axes, -1);
  heddle_flat_map_add_operation (self->map, frame->place, operation->id, own);
  return operation;
}

const char *
heddle_flatten_add_value (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value,
    HeddleDtype dtype, const GArray *axes)
{
  g_autofree char *id = heddle_flatten_join (frame->ids, value->id);
  g_autofree char *name = heddle_flatten_name (self, frame->name, value->name);
  return heddle_diagram_add_value (
      self->flat, heddle_flatten_id (self, id), name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes)
      ->id;
}

void
heddle_flatten_add_read (HeddleFlattener *self, const HeddleExpansion *frame, const char *operand,
    const char *result, GPtrArray *indices)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autofree char *id = g_strconcat (result, ".read", NULL);
  heddle_ids_append (operands, operand);
  g_ptr_array_set_free_func (indices, (GDestroyNotify) heddle_expr_unref);
  heddle_flatten_add_operation (self, frame, NULL, heddle_flatten_id (self, id),
      heddle_operation_kind ("reindex"), operands, result, NULL)
      ->indices
      = indices;
}

GPtrArray *
heddle_flatten_indices (const GArray *axes, const GArray *own)
{
  GPtrArray *indices = g_ptr_array_new ();
  guint leading = axes->len - own->len;
  for (guint i = 0; i < leading; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, i)));
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (own, i)));
  return indices;
}

/* --- what a diagram is given --------------------------------------------------------------- */

/* Returns the argument with the axes and the data type of the formal. */
static const char *
adapt_argument (
    HeddleFlattener *self, const HeddleExpansion *frame, const char *argument, const HeddleValue *formal)
{
  const HeddleValue *given = heddle_flatten_value (self, argument);
  g_autoptr (GArray) own = heddle_expansion_axes (frame, formal->axes);
  g_autoptr (GArray) axes = heddle_ids_copy (given->axes);
  gboolean same_dtype = formal->dtype == HEDDLE_DTYPE_UNSET || formal->dtype == given->dtype;
  g_array_set_size (axes, given->axes->len - own->len);
  g_array_append_vals (axes, own->data, own->len);
  if (heddle_ids_equal (axes, given->axes) && same_dtype)
    return argument;
  const char *adapted = heddle_flatten_add_value (self, frame, formal, formal->dtype, axes);
  heddle_flatten_add_read (self, frame, argument, adapted,
      heddle_flatten_indices (heddle_flatten_value (self, argument)->axes, own));
  return adapted;
}

static const char *
own_parameter (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value)
{
  g_autofree char *id = g_strconcat (frame->binding->ids, ".", value->id, NULL);
  const char *known = g_hash_table_lookup (self->parameters, id);
  if (known != NULL)
    return known;
  g_autoptr (GArray) axes = heddle_ids_new (), own = heddle_expansion_axes (frame, value->axes);
  for (guint i = 0; i < frame->times->len; i++)
    heddle_ids_append (axes, g_array_index (frame->times, HeddleFlatTime, i).axis);
  g_array_append_vals (axes, own->data, own->len);
  g_autofree char *name = heddle_flatten_name (self, frame->binding->name, value->name);
  HeddleValue *made = heddle_diagram_add_value (
      self->flat, heddle_flatten_id (self, id), name, HEDDLE_ROLE_PARAMETER, value->dtype, axes);
  made->comment = g_strdup (value->comment);
  known = made->id;
  g_hash_table_insert (self->parameters, g_steal_pointer (&id), (gpointer) known);
  return known;
}

/* Returns a parameter of the callee's own, or the part of it that this repetition has. */
static const char *
take_parameter (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value)
{
  const char *parameter = own_parameter (self, frame, value);
  g_autoptr (GArray) own = heddle_expansion_axes (frame, value->axes);
  if (frame->times->len == 0)
    {
      heddle_flat_map_add_value (self->map, frame->place, parameter, value->id);
      return parameter;
    }
  GPtrArray *indices = g_ptr_array_new ();
  for (guint i = 0; i < frame->times->len; i++)
    g_ptr_array_add (indices, heddle_expr_number (g_array_index (frame->times, HeddleFlatTime, i).index));
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (own, i)));
  const char *slice = heddle_flatten_add_value (self, frame, value, HEDDLE_DTYPE_UNSET, own);
  heddle_flat_map_add_value (self->map, frame->place, slice, value->id);
  heddle_flatten_add_read (self, frame, parameter, slice, indices);
  return slice;
}

void
heddle_flatten_take_inputs (HeddleFlattener *self, HeddleExpansion *frame, const char *const *arguments)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (frame->diagram);
  for (guint i = 0; i < formals->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (frame->diagram, heddle_ids_index (formals, i));
      g_hash_table_insert (frame->values, (gpointer) formal->id,
          (gpointer) adapt_argument (self, frame, arguments[i], formal));
    }
  for (guint i = 0; i < frame->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (frame->diagram->values, i);
      if (value->role == HEDDLE_ROLE_PARAMETER && !heddle_ids_contain (formals, value->id))
        g_hash_table_insert (
            frame->values, (gpointer) value->id, (gpointer) take_parameter (self, frame, value));
    }
}
