/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/operation-table.h"

GArray *
heddle_diagram_get_formals (const HeddleDiagram *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *formals = heddle_ids_new ();
  for (guint i = 0; i < self->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->values, i);
      if (value->role == HEDDLE_ROLE_INPUT)
        heddle_ids_append (formals, value->id);
    }
  for (guint i = 0; i < self->arguments->len; i++)
    if (heddle_diagram_get_value (self, heddle_ids_index (self->arguments, i)) != NULL)
      heddle_ids_append (formals, heddle_ids_index (self->arguments, i));
  return formals;
}

gboolean
heddle_diagram_has_calls (const HeddleDiagram *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      if (operation->kind != NULL && operation->kind->form == HEDDLE_FORM_CALL)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_diagram_is_box (const HeddleDiagram *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (self, heddle_ids_index (self->outputs, i));
      if (value == NULL || value->role != HEDDLE_ROLE_INTERMEDIATE)
        return FALSE;
    }
  return self->explicit_outputs && self->outputs->len > 0 && self->operations->len == 0;
}

static const HeddleOperation *
first_call (const HeddleDiagram *self)
{
  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      if (operation->kind != NULL && operation->kind->form == HEDDLE_FORM_CALL)
        return operation;
    }
  return NULL;
}

gboolean
heddle_diagram_is_flat (const HeddleDiagram *self, GError **error)
{
  const HeddleOperation *call = first_call (self);
  if (call == NULL)
    return TRUE;
  g_autofree char *label = heddle_diagram_value_label (self, call->result);
  g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED,
      _ ("%s comes from a call of %s: what that does is not known, or must be put in the place of the call "
         "first"),
      label, call->callee != NULL && g_str_has_prefix (call->callee, "d.") ? call->callee + 2 : "?");
  return FALSE;
}
