/* SPDX-License-Identifier: MIT */

/* Where an operation goes that was asked for without saying where: after what is selected, else at the end of the diagram. */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/array.h"
#include "app/edits/edits.h"
#include "app/edits/pair.h"
#include "app/edits/place.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/linear.h"
#include "diagram/graph/diagram.h"

/* Returns the values to try, the selected ones first. */
static GArray *
candidate_values (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *values = heddle_ids_new ();
  const char *wire = NULL;

  if (heddle_editor_get_wire (editor, &wire, NULL))
    heddle_ids_append (values, wire);
  for (guint i = 0; i < selection->len; i++)
    {
      const char *id = heddle_ids_index (selection, i);
      const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);

      if (operation != NULL)
        heddle_ids_append (values, operation->result);
      else if (heddle_diagram_get_value (diagram, id) != NULL)
        heddle_ids_append (values, id);
    }
  if (values->len == 0)
    {
      g_array_unref (values);
      values = heddle_diagram_get_outputs (diagram);
    }
  return values;
}

/* Returns the axes of @value to try: the wire picked first, then from the innermost outwards. */
static GArray *
candidate_axes (HeddleEditor *editor, const HeddleValue *value)
{
  GArray *axes = heddle_ids_new ();
  const char *wire_axis = NULL;
  const char *selected = heddle_editor_get_selected (editor);

  heddle_editor_get_wire (editor, NULL, &wire_axis);
  if (wire_axis == NULL)
    wire_axis = selected;
  if (wire_axis != NULL && heddle_ids_contain (value->axes, wire_axis))
    heddle_ids_append (axes, wire_axis);
  for (guint i = value->axes->len; i-- > 0;)
    heddle_ids_append (axes, heddle_ids_index (value->axes, i));
  return axes;
}

static gboolean
find_axis (HeddleEditor *editor, const HeddleOperationKind *kind, const char *value_id, const char **axis,
    GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (heddle_editor_get_diagram (editor), value_id);
  g_autoptr (GArray) axes = candidate_axes (editor, value);

  *axis = NULL;
  if (axes->len == 0 || !heddle_edits_needs_axis (kind))
    return heddle_edits_can_insert (editor, kind, value_id, axis, error);
  for (guint i = 0; i < axes->len; i++)
    {
      *axis = heddle_ids_index (axes, i);
      g_clear_error (error);
      if (heddle_edits_can_insert (editor, kind, value_id, axis, error))
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_place (HeddleEditor *editor, const HeddleOperationKind *kind, const char **value, const char **axis,
    GError **error)
{
  g_autoptr (GArray) values = candidate_values (editor);
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < values->len; i++)
    {
      g_autoptr (GError) why = NULL;

      *value = heddle_ids_index (values, i);
      if (find_axis (editor, kind, *value, axis, &why))
        return TRUE;
      if (first == NULL)
        first = g_steal_pointer (&why);
    }
  if (first == NULL)
    g_set_error_literal (&first, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
        _ ("There is no wire to put it on: add an array first"));
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

/* --- a learned linear map --- */

typedef struct
{
  HeddleEditor *editor;
  const char *value, *axis, *into;
  const char *made; /* out */
} Linear;

static gboolean
do_add_linear (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Linear *self = data;

  self->made = heddle_edit_add_linear (snapshot, heddle_editor_diagram_in (self->editor, snapshot),
      self->value, self->axis, self->into, error);
  return self->made != NULL;
}

/* Puts a linear layer with new weights on the wire @axis of @value, leading into the axis @into (NULL: a new
 * one), and selects it. Returns FALSE with @error where that cannot be. */
static gboolean
edits_add_linear_on (
    HeddleEditor *editor, const char *value, const char *axis, const char *into, GError **error)
{
  Linear self = { .editor = editor, .value = value, .axis = axis, .into = into };

  if (!heddle_editor_edit (editor, _ ("Add a linear layer"), NULL, do_add_linear, &self, error))
    return FALSE;
  heddle_editor_select (editor, self.made);
  return TRUE;
}

gboolean
heddle_edits_find_wire (HeddleEditor *editor, const char **value, const char **axis, GError **error)
{
  g_autoptr (GArray) values = candidate_values (editor);

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *candidate
          = heddle_diagram_get_value (heddle_editor_get_diagram (editor), heddle_ids_index (values, i));
      g_autoptr (GArray) axes = candidate != NULL ? candidate_axes (editor, candidate) : NULL;

      if (axes == NULL || axes->len == 0)
        continue;
      *value = candidate->id;
      *axis = heddle_ids_index (axes, 0);
      return TRUE;
    }
  g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
      _ ("There is no wire to put it on: add an array first"));
  return FALSE;
}

gboolean
heddle_edits_can_add_linear (HeddleEditor *editor, GError **error)
{
  const char *value, *axis;

  return heddle_edits_find_wire (editor, &value, &axis, error);
}

gboolean
heddle_edits_add_linear_to (HeddleEditor *editor, const char *text, GError **error)
{
  const char *value, *axis;

  return heddle_edits_find_wire (editor, &value, &axis, error)
         && heddle_edits_add_linear_typed (editor, value, axis, text, error);
}

gboolean
heddle_edits_add_linear (HeddleEditor *editor, const char *into, GError **error)
{
  const char *value, *axis;

  return heddle_edits_find_wire (editor, &value, &axis, error)
         && edits_add_linear_on (editor, value, axis, into, error);
}

GArray *
heddle_edits_find_features (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *axes = heddle_ids_new ();
  const char *value, *axis;

  if (!heddle_edits_find_wire (editor, &value, &axis, NULL))
    return axes;
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *other = g_ptr_array_index (diagram->axes, i);

      if (!heddle_ids_contain (heddle_diagram_get_value (diagram, value)->axes, other->id))
        heddle_ids_append (axes, other->id);
    }
  return axes;
}

/* --- whatever it is --- */

gboolean
heddle_edits_can_add (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error)
{
  const char *value, *axis;

  if (kind == NULL)
    return heddle_editor_get_diagram (editor) != NULL;
  if (heddle_edits_joins_two (kind, body))
    return heddle_edits_can_join_selected (editor, kind, error);
  return find_place (editor, kind, &value, &axis, error);
}

gboolean
heddle_edits_add (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error)
{
  const char *value, *axis;

  if (kind == NULL)
    return heddle_edits_add_new_array (editor, error);
  if (heddle_edits_joins_two (kind, body))
    return heddle_edits_join_selected (editor, kind, body, error);
  return find_place (editor, kind, &value, &axis, error)
         && heddle_edits_insert (editor, kind, body, value, axis, error);
}
