/* SPDX-License-Identifier: MIT */

/* Two arrays are made into one: contracted, added, multiplied. Both are selected, or one is and the other
 * is named. */

#include <string.h>

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/pair.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/insert.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleEditor *editor;
  const HeddleOperationKind *kind;
  const char *body;
  const GArray *values, *axes; /* axes: of a contraction */
  const char *made; /* out */
} Join;

gboolean
heddle_edits_joins_two (const HeddleOperationKind *kind, const char *body)
{
  if (kind == NULL)
    return FALSE;
  return kind->form == HEDDLE_FORM_CONTRACT || (body != NULL && strstr (body, "$1") != NULL);
}

static gboolean
do_join (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Join *self = data;

  self->made = heddle_edit_add_operation (snapshot, heddle_editor_diagram_in (self->editor, snapshot),
      self->kind, self->values, self->axes, self->body, error);
  return self->made != NULL;
}

static gboolean
join (Join *self, GError **error)
{
  g_autofree char *title = NULL;

  if (self->kind->form == HEDDLE_FORM_CONTRACT)
    {
      g_autofree char *axis = heddle_describe_object (self->editor, heddle_ids_index (self->axes, 0));

      title = g_strdup_printf (_ ("Contract over %s"), axis);
    }
  else
    title = g_strdup_printf (_ ("Insert %s"), self->body);
  if (!heddle_editor_edit (self->editor, title, NULL, do_join, self, error))
    return FALSE;
  heddle_editor_select (self->editor, self->made);
  return TRUE;
}

/* --- both selected --- */

/* Returns the arrays selected, as such or as results of operations. */
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
find_contraction (HeddleEditor *editor, const GArray *values, GArray **axes, GError **error)
{
  if (values->len >= 2)
    *axes = axes_to_contract (editor, values);
  else
    g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
        _ ("Select the two arrays to contract, or drag the wire of one onto the wire of the other"));
  if (*axes != NULL && (*axes)->len == 0)
    g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("The arrays selected have no axis in common: rename or unify one of each first"));
  return *axes != NULL && (*axes)->len > 0;
}

static gboolean
find_pair (
    HeddleEditor *editor, const HeddleOperationKind *kind, GArray **values, GArray **axes, GError **error)
{
  *values = selected_values (editor);
  if (kind->form == HEDDLE_FORM_CONTRACT)
    return find_contraction (editor, *values, axes, error);
  if ((*values)->len == 2)
    return TRUE;
  g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
      _ ("It takes two arrays: select both, or one of them and type / and the name of the other"));
  return FALSE;
}

gboolean
heddle_edits_can_join_selected (HeddleEditor *editor, const HeddleOperationKind *kind, GError **error)
{
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) axes = NULL;

  return find_pair (editor, kind, &values, &axes, error);
}

gboolean
heddle_edits_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error)
{
  g_autoptr (GArray) values = NULL;
  g_autoptr (GArray) axes = NULL;
  Join self = { .editor = editor, .kind = kind, .body = body };

  if (!find_pair (editor, kind, &values, &axes, error))
    return FALSE;
  self.values = values;
  self.axes = axes;
  return join (&self, error);
}

/* --- one selected, the other named --- */

/* The array that is selected, as such or as what an operation makes; NULL: none, or several. */
static const HeddleValue *
selected_value (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *id = heddle_editor_get_selected (editor), *wire = NULL;
  const HeddleOperation *operation = id != NULL ? heddle_diagram_get_operation (diagram, id) : NULL;

  if (operation != NULL)
    id = operation->result;
  else if (heddle_editor_get_wire (editor, &wire, NULL))
    id = wire;
  return id != NULL ? heddle_diagram_get_value (diagram, id) : NULL;
}

/* The last axis that both have, as in a matrix product; NULL: none. */
static const char *
common_axis (const HeddleValue *left, const HeddleValue *right)
{
  for (guint i = left->axes->len; i-- > 0;)
    if (heddle_ids_contain (right->axes, heddle_ids_index (left->axes, i)))
      return heddle_ids_index (left->axes, i);
  return NULL;
}

static gboolean
has_all (const HeddleValue *self, const HeddleValue *other)
{
  for (guint i = 0; i < other->axes->len; i++)
    if (!heddle_ids_contain (self->axes, heddle_ids_index (other->axes, i)))
      return FALSE;
  return TRUE;
}

/* A sum or product of all entries goes where one has every axis of the other, which is broadcast. */
static gboolean
fits (const HeddleOperationKind *kind, const HeddleValue *value, const HeddleValue *other)
{
  if (kind->form == HEDDLE_FORM_CONTRACT)
    return common_axis (value, other) != NULL;
  return has_all (value, other) || has_all (other, value);
}

GArray *
heddle_edits_find_partners (HeddleEditor *editor, const HeddleOperationKind *kind)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *value = diagram != NULL ? selected_value (editor) : NULL;
  GArray *partners = heddle_ids_new ();

  for (guint i = 0; value != NULL && i < diagram->values->len; i++)
    {
      const HeddleValue *other = g_ptr_array_index (diagram->values, i);

      if (other != value && fits (kind, value, other))
        heddle_ids_append (partners, other->id);
    }
  return partners;
}

const char *
heddle_edits_find_common (HeddleEditor *editor, const char *partner, const char **axis)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *value = diagram != NULL ? selected_value (editor) : NULL;

  if (value != NULL && partner != NULL)
    *axis = common_axis (value, heddle_diagram_get_value (diagram, partner));
  return value != NULL ? value->id : NULL;
}

char *
heddle_edits_contraction_title (HeddleEditor *editor, const char *partner)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *value = selected_value (editor);
  const char *axis = common_axis (value, heddle_diagram_get_value (diagram, partner));
  g_autofree char *label = heddle_diagram_value_label (diagram, partner);

  return g_strdup_printf (
      _ ("Contraction with %s over %s"), label, heddle_diagram_get_axis (diagram, axis)->name);
}

gboolean
heddle_edits_join_with (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *partner, GError **error)
{
  const HeddleValue *value = selected_value (editor);
  const HeddleValue *other = heddle_diagram_get_value (heddle_editor_get_diagram (editor), partner);
  g_autoptr (GArray) values = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  Join self = { .editor = editor, .kind = kind, .body = body, .values = values };

  g_return_val_if_fail (value != NULL && other != NULL && fits (kind, value, other), FALSE);

  heddle_ids_append (values, value->id);
  heddle_ids_append (values, other->id);
  if (kind->form == HEDDLE_FORM_CONTRACT)
    {
      heddle_ids_append (axes, common_axis (value, other));
      self.axes = axes;
    }
  return join (&self, error);
}
