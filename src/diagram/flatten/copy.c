/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/flatten/copy.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/values.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

GArray *
heddle_expansion_woven (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation)
{
  GArray *woven = heddle_ids_new ();
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      const HeddleValue *flat = heddle_flatten_value (self, g_hash_table_lookup (frame->values, id));
      guint own = heddle_diagram_get_value (frame->diagram, id)->axes->len;
      for (guint j = 0; j + own < flat->axes->len; j++)
        if (!heddle_ids_contain (woven, heddle_ids_index (flat->axes, j)))
          heddle_ids_append (woven, heddle_ids_index (flat->axes, j));
    }
  return woven;
}

/* Returns whether what is made can be the caller's own value at once. Operations of the diagram that read it
 * rely on the order of its axes. */
static gboolean
can_be (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value, const GArray *axes,
    const char *target)
{
  const HeddleValue *wanted = heddle_flatten_value (self, target);
  if (wanted->dtype != HEDDLE_DTYPE_UNSET && value->dtype != HEDDLE_DTYPE_UNSET
      && wanted->dtype != value->dtype)
    return FALSE;
  return heddle_ids_equal (axes, wanted->axes)
         || (heddle_ids_same_set (axes, wanted->axes)
             && heddle_diagram_count_readers (frame->diagram, value->id) == 0);
}

const char *
heddle_expansion_make (HeddleFlattener *self, HeddleExpansion *frame, const char *id, const GArray *woven)
{
  const HeddleValue *value = heddle_diagram_get_value (frame->diagram, id);
  if (frame->binding == NULL)
    return id; /* already there */
  g_autoptr (GArray) own = heddle_expansion_axes (frame, value->axes), axes = heddle_ids_copy (woven);
  g_array_append_vals (axes, own->data, own->len);
  const char *target = g_hash_table_lookup (frame->targets, id);
  if (target == NULL || !can_be (self, frame, value, axes, target))
    {
      target = heddle_flatten_add_value (self, frame, value, value->dtype, axes);
      heddle_flat_map_add_value (self->map, frame->place, target, id);
    }
  else if (heddle_flatten_value (self, target)->dtype != value->dtype && value->dtype != HEDDLE_DTYPE_UNSET)
    heddle_diagram_edit_value (self->flat, target)->dtype = value->dtype;
  g_hash_table_insert (frame->values, (gpointer) id, (gpointer) target);
  return target;
}

/* Prepends an index for each woven axis where an operand is read by position: these axes are read as they
 * are. */
static void
weave_indices (HeddleFlattener *self, const HeddleExpansion *frame, HeddleOperation *flat,
    const HeddleOperation *operation)
{
  const char *first = operation->operands->len > 0 ? heddle_ids_index (operation->operands, 0) : NULL;
  if (flat->indices == NULL || first == NULL)
    return;
  const GArray *axes = heddle_flatten_value (self, heddle_ids_index (flat->operands, 0))->axes;
  guint woven = axes->len - heddle_diagram_get_value (frame->diagram, first)->axes->len;
  for (guint i = 0; i < woven; i++)
    g_ptr_array_insert (flat->indices, (int) i, heddle_expr_index (heddle_ids_index (axes, i)));
}

gboolean
heddle_expansion_is_whole (const HeddleExpansion *frame, const HeddleOperation *operation)
{
  gboolean whole = operation->kind != NULL;
  for (guint i = 0; i < operation->operands->len && whole; i++)
    whole = frame->values == NULL
            || g_hash_table_contains (frame->values, heddle_ids_index (operation->operands, i));
  for (guint i = 0; i < operation->axes->len && whole; i++)
    whole = heddle_expansion_axis (frame, heddle_ids_index (operation->axes, i)) != NULL;
  for (guint i = 0; i < heddle_operation_n_results (operation) && whole; i++)
    whole = heddle_diagram_get_value (frame->diagram, heddle_operation_get_result (operation, i)) != NULL;
  return whole;
}

GArray *
heddle_expansion_operands (const HeddleExpansion *frame, const HeddleOperation *operation)
{
  GArray *operands = heddle_ids_copy (operation->operands);
  for (guint i = 0; i < operands->len; i++)
    heddle_ids_index (operands, i) = g_hash_table_lookup (frame->values, heddle_ids_index (operands, i));
  return operands;
}

/* Repeats the operands of a join that the call is not mapped over: what is joined end to end has the same
 * axes throughout. */
static void
spread_operands (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation,
    GArray *operands, const GArray *woven)
{
  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (frame->diagram, heddle_ids_index (operation->operands, i));
      const GArray *axes = heddle_flatten_value (self, heddle_ids_index (operands, i))->axes;
      if (axes->len == woven->len + value->axes->len)
        continue;
      g_autoptr (GArray) spread = heddle_ids_copy (woven), own = heddle_expansion_axes (frame, value->axes);
      GPtrArray *indices = g_ptr_array_new ();
      for (guint j = 0; j < axes->len; j++)
        g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, j)));
      g_array_append_vals (spread, own->data, own->len);
      const char *repeated = heddle_flatten_add_value (self, frame, value, HEDDLE_DTYPE_UNSET, spread);
      heddle_flatten_add_read (self, frame, heddle_ids_index (operands, i), repeated, indices);
      heddle_ids_index (operands, i) = repeated;
    }
}

void
heddle_flatten_copy (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation)
{
  g_autoptr (GArray) operands = heddle_expansion_operands (frame, operation),
                     axes = heddle_expansion_axes (frame, operation->axes);
  g_autoptr (GArray) woven = heddle_expansion_woven (self, frame, operation);
  g_autoptr (GArray) results = heddle_ids_new ();
  g_autofree char *id = heddle_flatten_join (frame->ids, operation->id);
  if (operation->kind->form == HEDDLE_FORM_CONCAT)
    spread_operands (self, frame, operation, operands, woven);
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    heddle_ids_append (
        results, heddle_expansion_make (self, frame, heddle_operation_get_result (operation, i), woven));
  HeddleOperation *flat = heddle_flatten_add_operation (self, frame, operation->id,
      frame->binding == NULL ? id : heddle_flatten_id (self, id), operation->kind, operands,
      heddle_ids_index (results, 0), axes);
  for (guint i = 1; i < results->len; i++)
    heddle_diagram_add_result (self->flat, flat, heddle_ids_index (results, i));
  heddle_operation_copy_details (flat, operation, heddle_expansion_leaf, frame);
  weave_indices (self, frame, flat, operation);
}
