/* SPDX-License-Identifier: MIT */

/* Where an operation goes that was asked for without saying where: after what is selected, else at the end of the diagram. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/edits.h"

/* The values to try, the selected ones first. */
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

/* The axes of @value to try: the wire picked first, then from the innermost outwards. */
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

/* --- contracting what is selected --- */

/* The arrays selected, as such or as results of operations. */
static GArray *
selected_values (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *values = heddle_ids_new ();

  for (guint i = 0; i < selection->len; i++)
    {
      const char *id = heddle_ids_index (selection, i);
      const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);

      if (operation != NULL)
        id = operation->result;
      if (heddle_diagram_get_value (diagram, id) != NULL && !heddle_ids_contain (values, id))
        heddle_ids_append (values, id);
    }
  return values;
}

static gboolean
is_on_all (const HeddleDiagram *diagram, const GArray *values, const char *axis)
{
  for (guint i = 0; i < values->len; i++)
    if (!heddle_ids_contain (heddle_diagram_get_value (diagram, heddle_ids_index (values, i))->axes, axis))
      return FALSE;
  return TRUE;
}

/* The axes that all of @values have: those selected too, else only the last, as in a matrix product. */
static GArray *
axes_to_contract (HeddleEditor *editor, const GArray *values)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const GArray *axes = heddle_diagram_get_value (diagram, heddle_ids_index (values, 0))->axes;
  GArray *chosen = heddle_ids_new ();
  const char *last = NULL;

  for (guint i = 0; i < axes->len; i++)
    if (is_on_all (diagram, values, heddle_ids_index (axes, i)))
      {
        last = heddle_ids_index (axes, i);
        if (heddle_editor_is_selected (editor, last))
          heddle_ids_append (chosen, last);
      }
  if (chosen->len == 0 && last != NULL)
    heddle_ids_append (chosen, last);
  return chosen;
}

static gboolean
find_contraction (HeddleEditor *editor, GArray **values, GArray **axes, GError **error)
{
  g_autoptr (GArray) found = selected_values (editor);

  if (found->len < 2)
    {
      g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
          _ ("Select the two arrays to contract, or drag the wire of one onto the wire of the other"));
      return FALSE;
    }
  *axes = axes_to_contract (editor, found);
  *values = g_steal_pointer (&found);
  if ((*axes)->len > 0)
    return TRUE;
  g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
      _ ("The arrays selected have no axis in common: rename or unify one of each first"));
  return FALSE;
}

gboolean
heddle_edits_can_add (HeddleEditor *editor, const HeddleOperationKind *kind, GError **error)
{
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) axes = NULL;
  const char *value, *axis;

  if (kind == NULL)
    return heddle_editor_get_diagram (editor) != NULL;
  if (kind->form == HEDDLE_FORM_CONTRACT)
    return find_contraction (editor, &values, &axes, error);
  return find_place (editor, kind, &value, &axis, error);
}

gboolean
heddle_edits_add (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error)
{
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) axes = NULL;
  const char *value, *axis;

  if (kind == NULL)
    return heddle_edits_add_new_array (editor, error);
  if (kind->form == HEDDLE_FORM_CONTRACT)
    return find_contraction (editor, &values, &axes, error)
           && heddle_edits_contract (editor, kind, values, axes, error);
  return find_place (editor, kind, &value, &axis, error)
         && heddle_edits_insert (editor, kind, body, value, axis, error);
}
