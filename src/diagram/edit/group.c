/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/check/check.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/group.h"
#include "diagram/edit/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/name.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Operations that become a definition. */
typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  GHashTable *chosen; /* operation ids */
  GArray *inputs, *outputs; /* value ids, in order */
  HeddleDiagram *definition;
} Group;

/* --- what it takes and makes -------------------------------------------------------- */

static gboolean
is_chosen (const Group *self, const HeddleOperation *operation)
{
  return operation != NULL && g_hash_table_contains (self->chosen, operation->id);
}

static gboolean
is_read_outside (const Group *self, const char *value_id)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, value_id);
  for (guint i = 0; i < readers->len; i++)
    if (!is_chosen (self, g_ptr_array_index (readers, i)))
      return TRUE;
  return readers->len == 0 || heddle_diagram_is_output (self->diagram, value_id);
}

static void
find_ends (Group *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      if (!is_chosen (self, operation))
        continue;
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *operand = heddle_ids_index (operation->operands, j);
          if (!is_chosen (self, heddle_diagram_get_producer (self->diagram, operand))
              && !heddle_ids_contain (self->inputs, operand))
            heddle_ids_append (self->inputs, operand);
        }
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        if (is_read_outside (self, heddle_operation_get_result (operation, j)))
          heddle_ids_append (self->outputs, heddle_operation_get_result (operation, j));
    }
}

/* --- the definition ------------------------------------------------------------------- */

static gboolean add_size_axis (const HeddleExpr *node, gpointer data);

/* Adds the axis to the definition, with its size unless that comes from what is given. */
static void
add_axis (Group *self, const char *id, gboolean sized)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, id);
  if (axis == NULL || heddle_diagram_get_axis (self->definition, id) != NULL)
    return;
  gboolean keep = sized && axis->size != NULL;
  heddle_diagram_add_axis (
      self->definition, axis->id, axis->name, keep ? heddle_expr_ref (axis->size) : NULL);
  if (keep)
    heddle_expr_walk (axis->size, add_size_axis, self);
}

static gboolean
add_size_axis (const HeddleExpr *node, gpointer data)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_SIZE)
    add_axis (data, heddle_expr_get_symbol (node), TRUE);
  return TRUE;
}

static void
add_value (Group *self, const char *id, HeddleValueRole role)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);
  gboolean shown = role == HEDDLE_ROLE_INPUT || heddle_ids_contain (self->outputs, id);
  g_autofree char *name = shown ? heddle_diagram_value_label (self->diagram, id) : g_strdup (value->name);
  for (guint i = 0; i < value->axes->len; i++)
    add_axis (self, heddle_ids_index (value->axes, i), role != HEDDLE_ROLE_INPUT);
  HeddleValue *copy = heddle_diagram_add_value (self->definition, id, name, role, value->dtype, value->axes);
  if (role != HEDDLE_ROLE_INPUT)
    copy->comment = g_strdup (value->comment);
}

static void
add_operation (Group *self, const HeddleOperation *operation)
{
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    add_value (self, heddle_operation_get_result (operation, i), HEDDLE_ROLE_INTERMEDIATE);
  for (guint i = 0; i < operation->axes->len; i++)
    add_axis (self, heddle_ids_index (operation->axes, i), TRUE);
  heddle_operation_walk (operation, add_size_axis, self);
  HeddleOperation *copy = heddle_diagram_add_operation (self->definition, operation->id, operation->kind,
      operation->operands, operation->result, operation->axes, -1);
  for (guint i = 1; i < heddle_operation_n_results (operation); i++)
    heddle_diagram_add_result (self->definition, copy, heddle_operation_get_result (operation, i));
  heddle_operation_copy_details (copy, operation, NULL, NULL);
}

static void
define (Group *self, const char *name)
{
  self->definition = heddle_diagram_new (name);
  for (guint i = 0; i < self->inputs->len; i++)
    add_value (self, heddle_ids_index (self->inputs, i), HEDDLE_ROLE_INPUT);
  for (guint i = 0; i < self->diagram->operations->len; i++)
    if (is_chosen (self, g_ptr_array_index (self->diagram->operations, i)))
      add_operation (self, g_ptr_array_index (self->diagram->operations, i));
  g_array_append_vals (self->definition->outputs, self->outputs->data, self->outputs->len);
  self->definition->explicit_outputs = TRUE;
  heddle_snapshot_add_diagram (self->snapshot, self->definition);
}

/* --- the call --------------------------------------------------------------------------- */

static void
remove_chosen (const Group *self, HeddleDiagram *draft)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      if (!is_chosen (self, operation))
        continue;
      heddle_diagram_remove (draft, operation->id);
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        if (!heddle_ids_contain (self->outputs, heddle_operation_get_result (operation, j)))
          heddle_diagram_remove (draft, heddle_operation_get_result (operation, j));
    }
}

static void
remove_idle_axes (const Group *self, HeddleDiagram *draft)
{
  g_autoptr (GHashTable) before = heddle_diagram_used_axes (self->diagram);
  g_autoptr (GHashTable) after = heddle_diagram_used_axes (draft);
  for (guint i = draft->axes->len; i-- > 0;)
    {
      const char *id = ((HeddleAxis *) g_ptr_array_index (draft->axes, i))->id;
      if (g_hash_table_contains (before, id) && !g_hash_table_contains (after, id))
        heddle_diagram_remove (draft, id);
    }
}

static const char *
call (const Group *self, HeddleDiagram *draft)
{
  remove_chosen (self, draft);
  HeddleOperation *operation = heddle_diagram_add_operation (draft, NULL, heddle_operation_kind ("call"),
      self->inputs, heddle_ids_index (self->outputs, 0), NULL, -1);
  for (guint i = 1; i < self->outputs->len; i++)
    heddle_diagram_add_result (draft, operation, heddle_ids_index (self->outputs, i));
  operation->callee = self->definition->id;
  remove_idle_axes (self, draft);
  heddle_diagram_sort (draft);
  return operation->id;
}

/* --- doors ------------------------------------------------------------------------------- */

static gboolean
may_be_called (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *name, GError **error)
{
  g_autofree char *why = NULL;
  if (!heddle_name_is_valid (name, &why))
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, "%s", why);
  if (heddle_snapshot_get_diagram (snapshot, name) != NULL
      || heddle_diagram_find_value (diagram, name) != NULL
      || heddle_diagram_find_axis (diagram, name) != NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Something is called %s already"), name);
  return TRUE;
}

static gboolean
may_define (const Group *self, const char *name, GError **error)
{
  const HeddleOperation *hole = heddle_edit_find_hole (self->diagram, self->chosen);
  if (g_hash_table_size (self->chosen) == 0)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is nothing to define"));
  if (!may_be_called (self->snapshot, self->diagram, name, error))
    return FALSE;
  if (hole == NULL)
    return TRUE;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, hole->result);
  return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID,
      _ ("%s lies between the operations to be defined: include it too"), label);
}

const char *
heddle_edit_group (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *name, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && operations != NULL, NULL);
  g_autoptr (GHashTable) chosen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) inputs = heddle_ids_new (), outputs = heddle_ids_new ();
  Group self = { snapshot, diagram, chosen, inputs, outputs, NULL };
  for (guint i = 0; i < operations->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i)) != NULL)
      g_hash_table_add (chosen, (gpointer) heddle_ids_index (operations, i));
  if (!may_define (&self, name, error))
    return NULL;
  find_ends (&self);
  define (&self, name);
  HeddleDiagram *draft = heddle_diagram_copy (diagram);
  const char *id = call (&self, draft);
  heddle_edit_accept (snapshot, diagram, draft);
  return id;
}

gboolean
heddle_edit_rename_definition (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, const char *name, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && name != NULL, FALSE);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, call_id);
  HeddleDiagram *callee = operation != NULL && operation->callee != NULL
                              ? heddle_snapshot_get_diagram_by_id (snapshot, operation->callee)
                              : NULL;
  if (callee == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("That calls nothing"));
  if (g_str_equal (callee->name, name))
    return TRUE;
  if (!may_be_called (snapshot, diagram, name, error) || !may_be_called (snapshot, callee, name, error))
    return FALSE;
  HeddleDiagram *draft = heddle_diagram_copy (callee);
  g_free (draft->name);
  draft->name = g_strdup (name);
  heddle_edit_accept (snapshot, callee, draft);
  return TRUE;
}

gboolean
heddle_edit_ungroup (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL, FALSE);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, call_id);
  if (operation == NULL || operation->kind->form != HEDDLE_FORM_CALL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Only a call can be taken apart"));
  HeddleDiagram *flat = heddle_flatten_call (snapshot, diagram, call_id, error);
  if (flat == NULL)
    return FALSE;
  flat->explicit_outputs = FALSE;
  g_autoptr (GArray) implicit = heddle_diagram_get_outputs (flat);
  flat->explicit_outputs = diagram->explicit_outputs || !heddle_ids_equal (implicit, flat->outputs);
  heddle_edit_accept (snapshot, diagram, flat);
  return TRUE;
}
