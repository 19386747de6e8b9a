/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/check/check.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Deleting works on a draft. Where an operand has the axes of the result, an operation is bridged: what read
 * the result reads the operand. Otherwise the result is lost; what reads it loses an operand, where it can do
 * without, or goes too. */

/* --- operations ------------------------------------------------------------------ */

/* Returns whether a reindexing reads the value: it reads by position and cannot be given the same axes in
 * another order. */
static gboolean
readers_mind_order (const HeddleDiagram *draft, const char *value_id)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (draft, value_id);
  for (guint i = 0; i < readers->len; i++)
    if (((HeddleOperation *) g_ptr_array_index (readers, i))->kind->form == HEDDLE_FORM_REINDEX)
      return TRUE;
  return FALSE;
}

/* Returns an operand other than @lost that can stand for the result. */
static const char *
find_bridge (const HeddleDiagram *draft, const HeddleOperation *operation, const char *lost)
{
  const HeddleValue *result = heddle_diagram_get_value (draft, operation->result);
  gboolean in_order = readers_mind_order (draft, operation->result);
  for (guint i = 0; i < operation->operands->len && result != NULL; i++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (draft, heddle_ids_index (operation->operands, i));
      if (operand == NULL || operand == result || operand->id == lost)
        continue;
      if (in_order ? heddle_ids_equal (operand->axes, result->axes)
                   : heddle_ids_same_set (operand->axes, result->axes))
        return operand->id;
    }
  return NULL;
}

/* Puts the operand in the result's place among the outputs, and gives it the result's name if it has none. */
static void
hand_over_output (HeddleDiagram *draft, const char *result_id, const char *operand_id)
{
  if (!heddle_diagram_is_output (draft, result_id))
    return;
  const HeddleValue *result = heddle_diagram_get_value (draft, result_id);
  if (heddle_diagram_get_value (draft, operand_id)->name == NULL && result->name != NULL)
    heddle_diagram_edit_value (draft, operand_id)->name = g_strdup (result->name);
  if (draft->explicit_outputs && !heddle_ids_contain (draft->outputs, operand_id))
    heddle_edit_replace_id (draft->outputs, result_id, operand_id);
}

/* Removes the operation; a result that cannot be bridged is added to @lost_values. */
static void
remove_operation (HeddleDiagram *draft, const char *id, const char *lost, GArray *lost_values)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (draft, id);
  if (operation == NULL)
    return;
  const char *result = operation->result;
  const char *bridge
      = heddle_operation_n_results (operation) == 1 ? find_bridge (draft, operation, lost) : NULL;
  if (bridge == NULL)
    {
      for (guint i = 0; i < heddle_operation_n_results (operation); i++)
        heddle_ids_append (lost_values, heddle_operation_get_result (operation, i));
      heddle_diagram_remove (draft, id);
      return;
    }
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (draft, result);
  hand_over_output (draft, result, bridge);
  for (guint i = 0; i < readers->len; i++)
    {
      const char *reader = ((HeddleOperation *) g_ptr_array_index (readers, i))->id;
      if (reader != id)
        heddle_edit_replace_id (heddle_diagram_edit_operation (draft, reader)->operands, result, bridge);
    }
  heddle_diagram_remove (draft, id);
  heddle_diagram_remove (draft, result);
}

/* Removes the operand @lost from a contraction of three or more whose other operands have all its axes.
 * Returns FALSE if that is not so. */
static gboolean
drop_operand (HeddleDiagram *draft, const HeddleOperation *operation, const char *lost)
{
  if (operation->kind->form != HEDDLE_FORM_CONTRACT)
    return FALSE;
  g_autoptr (GArray) rest = heddle_ids_copy (operation->operands);
  for (guint i = rest->len; i-- > 0;)
    if (heddle_ids_index (rest, i) == lost)
      g_array_remove_index (rest, i);
  for (guint i = 0; i < rest->len; i++)
    if (heddle_diagram_get_value (draft, heddle_ids_index (rest, i)) == NULL)
      return FALSE;
  g_autoptr (GArray) axes = heddle_edit_operand_axes (draft, rest);
  for (guint i = 0; i < operation->axes->len; i++)
    {
      int core = heddle_ids_find (axes, heddle_ids_index (operation->axes, i));
      if (core < 0)
        return FALSE;
      g_array_remove_index (axes, (guint) core);
    }
  const HeddleValue *result = heddle_diagram_get_value (draft, operation->result);
  if (rest->len < 2 || result == NULL || !heddle_ids_same_set (axes, result->axes))
    return FALSE;
  GArray *operands = heddle_diagram_edit_operation (draft, operation->id)->operands;
  g_array_set_size (operands, 0);
  g_array_append_vals (operands, rest->data, rest->len);
  return TRUE;
}

/* Removes values, and what depends on them. */
static void
remove_values (HeddleDiagram *draft, GArray *lost_values)
{
  for (guint i = 0; i < lost_values->len; i++)
    {
      const char *lost = heddle_ids_index (lost_values, i);
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (draft, lost);
      g_autoptr (GArray) ids = heddle_ids_new ();
      for (guint j = 0; j < readers->len; j++)
        heddle_ids_append (ids, ((HeddleOperation *) g_ptr_array_index (readers, j))->id);
      for (guint j = 0; j < ids->len; j++)
        {
          const HeddleOperation *reader = heddle_diagram_get_operation (draft, heddle_ids_index (ids, j));
          if (reader != NULL && !drop_operand (draft, reader, lost))
            remove_operation (draft, reader->id, lost, lost_values);
        }
      heddle_diagram_remove (draft, lost);
    }
}

/* --- axes ------------------------------------------------------------------------ */

typedef struct
{
  HeddleDiagram *draft;
  const char *axis;
  HeddleExpr *size; /* the expression that replaces its size; NULL if there is none */
  const char *label; /* of the current operation, or the name of an axis */
  GError **error;
} AxisRemoval;

static HeddleExpr *
replace_size (const HeddleExpr *leaf, gpointer data)
{
  const AxisRemoval *self = data;
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE || heddle_expr_get_symbol (leaf) != self->axis)
    return NULL;
  return heddle_expr_ref (self->size);
}

/* Puts the axis' size where it is used in @place; %FALSE where its index is used, or its size and it has none. */
static gboolean
free_from_axis (const AxisRemoval *self, HeddleExpr **place)
{
  const char *name = heddle_axis_name (self->draft, self->axis);
  if (*place == NULL)
    return TRUE;
  if (heddle_expr_uses (*place, HEDDLE_EXPR_INDEX, self->axis))
    return heddle_edit_fail (self->error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("%s uses the index of %s: delete it or change it first"), self->label, name);
  if (!heddle_expr_uses (*place, HEDDLE_EXPR_SIZE, self->axis))
    return TRUE;
  if (self->size == NULL)
    return heddle_edit_fail (self->error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("%s uses the size of %s: delete it or change it first"), self->label, name);
  HeddleExpr *replaced = heddle_expr_substitute (*place, replace_size, (gpointer) self);
  heddle_expr_unref (*place);
  *place = replaced;
  return TRUE;
}

static gboolean
free_sizes (AxisRemoval *self)
{
  for (guint i = 0; i < self->draft->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->draft->axes, i);
      if (axis->size == NULL || !heddle_expr_uses (axis->size, HEDDLE_EXPR_SIZE, self->axis))
        continue;
      self->label = heddle_axis_name (self->draft, axis->id);
      if (!free_from_axis (self, &heddle_diagram_edit_axis (self->draft, axis->id)->size))
        return FALSE;
    }
  return TRUE;
}

/* Drops the indices at which the axis is read, which must be its own or constant, and frees the others from
 * it. */
static gboolean
free_indices (AxisRemoval *self, HeddleOperation *operation)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->draft, heddle_ids_index (operation->operands, 0));
  if (operand == NULL || operand->axes->len != operation->indices->len)
    return TRUE;
  for (guint i = operation->indices->len; i-- > 0;)
    {
      HeddleExpr **index = (HeddleExpr **) &g_ptr_array_index (operation->indices, i);
      gboolean own = heddle_ids_index (operand->axes, i) == self->axis;
      gboolean plain = heddle_expr_get_kind (*index) == HEDDLE_EXPR_INDEX
                       && heddle_expr_get_symbol (*index) == self->axis;
      if (own && (plain || heddle_expr_count (*index, HEDDLE_EXPR_INDEX) == 0))
        g_ptr_array_remove_index (operation->indices, i);
      else if (own)
        return heddle_edit_fail (self->error, HEDDLE_DIAGRAM_ERROR_TYPE,
            _ ("%s reads %s at other indices: delete it or change it first"), self->label,
            heddle_axis_name (self->draft, self->axis));
      else if (!free_from_axis (self, index))
        return FALSE;
    }
  return TRUE;
}

static gboolean
free_call_sizes (AxisRemoval *self, HeddleOperation *operation)
{
  for (guint i = 0; operation->sizes != NULL && i < operation->sizes->len; i++)
    if (!free_from_axis (self, (HeddleExpr **) &g_ptr_array_index (operation->sizes, i)))
      return FALSE;
  return TRUE;
}

static gboolean
free_operations (AxisRemoval *self)
{
  for (guint i = 0; i < self->draft->operations->len; i++)
    {
      const HeddleOperation *shared = g_ptr_array_index (self->draft->operations, i);
      g_autofree char *label = heddle_diagram_value_label (self->draft, shared->result);
      self->label = label;
      HeddleOperation *operation = heddle_diagram_edit_operation (self->draft, shared->id);
      int core = heddle_ids_find (operation->axes, self->axis);
      if (core >= 0)
        g_array_remove_index (operation->axes, (guint) core);
      if (!free_from_axis (self, &operation->body) || !free_from_axis (self, &operation->repeat)
          || !free_call_sizes (self, operation)
          || (operation->indices != NULL && !free_indices (self, operation)))
        return FALSE;
    }
  return TRUE;
}

/* Bridges reductions and norms that are left without an axis to work along, since they do nothing any
 * more. */
static void
bridge_idle (HeddleDiagram *draft)
{
  g_autoptr (GArray) idle = heddle_ids_new ();
  g_autoptr (GArray) lost = heddle_ids_new ();
  for (guint i = 0; i < draft->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (draft->operations, i);
      HeddleOperationForm form = operation->kind->form;
      gboolean needs = form == HEDDLE_FORM_REDUCE || form == HEDDLE_FORM_NORMALISE || form == HEDDLE_FORM_SCAN
                       || form == HEDDLE_FORM_SELECT || form == HEDDLE_FORM_CONCAT;
      if (needs && operation->axes->len < (form == HEDDLE_FORM_SELECT ? 2 : 1))
        heddle_ids_append (idle, operation->id);
    }
  for (guint i = 0; i < idle->len; i++)
    remove_operation (draft, heddle_ids_index (idle, i), NULL, lost);
  remove_values (draft, lost);
}

static gboolean
remove_axis (HeddleDiagram *draft, const char *id, GError **error)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (draft, id);
  g_autoptr (HeddleExpr) size = axis->size != NULL ? heddle_expr_ref (axis->size) : NULL;
  AxisRemoval removal = { .draft = draft, .axis = id, .size = size, .error = error };
  if (!free_sizes (&removal) || !free_operations (&removal))
    return FALSE;
  for (guint i = 0; i < draft->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (draft->values, i);
      int place = heddle_ids_find (value->axes, id);
      if (place >= 0)
        g_array_remove_index (heddle_diagram_edit_value (draft, value->id)->axes, (guint) place);
    }
  bridge_idle (draft);
  heddle_diagram_remove (draft, id);
  return TRUE;
}

/* --- the whole ------------------------------------------------------------------- */

static guint
count_objects (const HeddleDiagram *diagram)
{
  return diagram->axes->len + diagram->values->len + diagram->operations->len;
}

/* Makes outputs of the values that only removed operations read, if outputs are explicit, so that they are
 * not lost as well. */
static void
mend_outputs (const HeddleDiagram *diagram, HeddleDiagram *draft)
{
  if (draft->outputs->len == 0)
    draft->explicit_outputs = FALSE;
  for (guint i = 0; draft->explicit_outputs && i < draft->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (draft->values, i);
      if (value->role == HEDDLE_ROLE_INTERMEDIATE && heddle_diagram_count_readers (draft, value->id) == 0
          && heddle_diagram_count_readers (diagram, value->id) > 0
          && !heddle_ids_contain (draft->outputs, value->id))
        heddle_ids_append (draft->outputs, value->id);
    }
}

/* Removes the axes that were used before and that nothing has any more. */
static void
remove_unused_axes (const HeddleDiagram *diagram, HeddleDiagram *draft)
{
  g_autoptr (GHashTable) before = heddle_diagram_used_axes (diagram);
  g_autoptr (GHashTable) after = heddle_diagram_used_axes (draft);
  for (guint i = draft->axes->len; i-- > 0;)
    {
      const char *id = ((HeddleAxis *) g_ptr_array_index (draft->axes, i))->id;
      if (g_hash_table_contains (before, id) && !g_hash_table_contains (after, id))
        heddle_diagram_remove (draft, id);
    }
}

/* Notes, blocks and bundles. */
static guint
delete_ornaments (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const GArray *ids)
{
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  const HeddleOrnamentKind *kind = NULL;
  guint n = 0;
  for (guint i = 0; presentation != NULL && i < ids->len; i++)
    {
      gpointer ornament = heddle_presentation_find (presentation, heddle_ids_index (ids, i), &kind);
      n += ornament != NULL && g_ptr_array_remove (heddle_ornament_list (kind, presentation), ornament);
    }
  return n;
}

/* Deletes operations and values first, for an axis may become free to go with them. */
static gboolean
delete_all (HeddleDiagram *draft, const GArray *ids, GError **error)
{
  g_autoptr (GArray) lost = heddle_ids_new ();
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      const HeddleValue *value = heddle_diagram_get_value (draft, id);
      const HeddleOperation *producer = heddle_diagram_get_producer (draft, id);
      if (heddle_diagram_get_operation (draft, id) != NULL)
        remove_operation (draft, id, NULL, lost);
      else if (value != NULL && producer != NULL)
        remove_operation (draft, producer->id, NULL, lost);
      else if (value != NULL)
        heddle_ids_append (lost, id);
    }
  remove_values (draft, lost);
  for (guint i = 0; i < ids->len; i++)
    if (heddle_diagram_get_axis (draft, heddle_ids_index (ids, i)) != NULL
        && !remove_axis (draft, heddle_ids_index (ids, i), error))
      return FALSE;
  return TRUE;
}

guint
heddle_edit_delete (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, GError **error)
{
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  if (!delete_all (draft, ids, error))
    return 0;
  mend_outputs (diagram, draft);
  remove_unused_axes (diagram, draft);
  if (!heddle_edit_verify (diagram, draft, error))
    return 0;
  guint gone = count_objects (diagram) - count_objects (draft) + delete_ornaments (snapshot, diagram, ids);
  if (gone == 0)
    heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is nothing to delete"));
  else
    heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return gone;
}
