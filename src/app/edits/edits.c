/* SPDX-License-Identifier: MIT */

/* Edits that insert on a wire, connect two, or put another document in the place of the one before. */

#include <string.h>

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/edits.h"
#include "diagram/base/error.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/definitions.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/unify.h"
#include "diagram/graph/diagram.h"

/* A change has what one edit needs to know; each uses its part. */
typedef struct
{
  HeddleEditor *editor;
  const HeddleOperationKind *kind;
  const char *text;
  const char *value, *axis, *other_value, *other_axis;
  const HeddleSnapshot *replacement;
  const char *made; /* out: the id of what was made */
} Change;

gboolean
heddle_edits_needs_axis (const HeddleOperationKind *kind)
{
  return kind->form == HEDDLE_FORM_REDUCE || kind->form == HEDDLE_FORM_NORMALISE
         || kind->form == HEDDLE_FORM_SCAN;
}

gboolean
heddle_edits_can_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *value,
    const char **axis, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  if (!heddle_edits_needs_axis (kind))
    *axis = NULL;
  return heddle_edit_can_insert (diagram, kind, value, *axis, NULL, error);
}

static gboolean
do_insert (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_insert_operation (snapshot, heddle_editor_diagram_in (change->editor, snapshot),
      change->kind, change->value, change->axis, NULL, change->text, error);
  return change->made != NULL;
}

/* Returns the axis that the contraction which made @value summed last, or NULL. */
static const HeddleAxis *
summed_axis (const HeddleDiagram *diagram, const char *value)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (diagram, value);

  if (maker == NULL || maker->kind->form != HEDDLE_FORM_CONTRACT || maker->axes->len == 0)
    return NULL;
  return heddle_diagram_get_axis (diagram, heddle_ids_index (maker->axes, maker->axes->len - 1));
}

static gboolean
fill_summed (const HeddleDiagram *diagram, const char *value, GString *text, GError **error)
{
  const HeddleAxis *axis = NULL;

  if (strstr (text->str, "{summed}") == NULL)
    return TRUE;
  axis = summed_axis (diagram, value);
  if (axis != NULL)
    g_string_replace (text, "{summed}", axis->name, 0);
  else
    g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("It scales by the axis that a contraction summed: put it behind a contraction"));
  return axis != NULL;
}

/* A body may speak of the last two axes of what it is put on as {row} and {column}: a mask compares them; and of the
 * axis that was summed to make it as {summed}. */
static gboolean
fill_axes (HeddleEditor *editor, const char *value, const char *body, char **filled, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *v = heddle_diagram_get_value (diagram, value);
  static const char *const marks[] = { "{row}", "{column}" };
  g_autoptr (GString) text = g_string_new (body);

  *filled = NULL;
  if (body == NULL)
    return TRUE;
  if (!fill_summed (diagram, value, text, error))
    return FALSE;
  if (strstr (body, marks[0]) != NULL && (v == NULL || v->axes->len < 2))
    {
      g_autofree char *label = heddle_diagram_value_label (diagram, value);

      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
          _ ("A mask compares two axes, and %s has fewer"), label);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (marks) && strstr (body, marks[i]) != NULL; i++)
    {
      const char *id = heddle_ids_index (v->axes, v->axes->len - 2 + i);
      g_autofree char *index = g_strdup_printf ("index(%s)", heddle_diagram_get_axis (diagram, id)->name);

      g_string_replace (text, marks[i], index, 0);
    }
  *filled = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}

gboolean
heddle_edits_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *value, const char *axis, GError **error)
{
  g_autofree char *filled = NULL;
  Change change = {
    .editor = editor, .kind = kind, .value = value, .axis = heddle_edits_needs_axis (kind) ? axis : NULL
  };
  g_autofree char *title = NULL;

  if (!fill_axes (editor, value, body, &filled, error))
    return FALSE;
  change.text = filled;
  title = g_strdup_printf (_ ("Insert %s"), filled != NULL ? filled : _ (kind->title));
  if (!heddle_editor_edit (editor, title, NULL, do_insert, &change, error))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

/* --- connecting --- */

static gboolean
do_unify (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_unify_axes (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->axis, change->other_axis, error);
}

gboolean
heddle_edits_unify (HeddleEditor *editor, const char *from, const char *into, GError **error)
{
  Change change = { .editor = editor, .axis = from, .other_axis = into };
  g_autofree char *left = heddle_describe_object (editor, from);
  g_autofree char *right = heddle_describe_object (editor, into);
  g_autofree char *title = g_strdup_printf (_ ("Unify %s with %s"), left, right);

  return heddle_editor_edit (editor, title, NULL, do_unify, &change, error);
}

static gboolean
do_unify_and_connect (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  if (!do_unify (snapshot, data, error))
    return FALSE;
  change->made = heddle_edit_connect (snapshot, heddle_editor_diagram_in (change->editor, snapshot),
      change->value, change->other_axis, change->other_value, change->other_axis, error);
  return change->made != NULL;
}

gboolean
heddle_edits_unify_and_connect (HeddleEditor *editor, const char *left_value, const char *left_axis,
    const char *right_value, const char *right_axis, GError **error)
{
  Change change = { .editor = editor,
    .value = left_value,
    .axis = left_axis,
    .other_value = right_value,
    .other_axis = right_axis };
  const HeddleAxis *axis = heddle_diagram_get_axis (heddle_editor_get_diagram (editor), right_axis);
  g_autofree char *title = g_strdup_printf (_ ("Contract over %s"), axis->name);

  if (!heddle_editor_edit (editor, title, NULL, do_unify_and_connect, &change, error))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

/* --- replacing --- */

static gboolean
do_replace (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  if (diagram == NULL)
    diagram = heddle_snapshot_add_diagram (
        snapshot, heddle_diagram_new (heddle_snapshot_get_diagram (change->replacement, NULL)->name));
  heddle_edit_replace_document (snapshot, diagram, change->replacement);
  return TRUE;
}

void
heddle_edits_replace (HeddleEditor *editor, const HeddleSnapshot *read)
{
  Change change = { .editor = editor, .replacement = read };

  heddle_editor_edit (editor, _ ("Edit equations"), NULL, do_replace, &change, NULL);
}
