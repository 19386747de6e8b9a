/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/describe.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/definitions.h"
#include "diagram/edit/group.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

typedef struct
{
  HeddleEditor *editor;
  const GArray *operations;
  const char *name, *call, *times;
  gboolean shared;
  const char *made; /* out */
} Change;

static GArray *
selected_operations (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; diagram != NULL && i < selection->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (selection, i)) != NULL)
      heddle_ids_append (operations, heddle_ids_index (selection, i));
  return operations;
}

const HeddleOperation *
heddle_definitions_selected_call (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *id = heddle_editor_get_selected (editor);
  const HeddleOperation *operation
      = diagram != NULL && id != NULL ? heddle_diagram_get_operation (diagram, id) : NULL;

  return operation != NULL && operation->kind->form == HEDDLE_FORM_CALL ? operation : NULL;
}

const HeddleDiagram *
heddle_definitions_get_callee (HeddleEditor *editor, const HeddleOperation *call)
{
  return call != NULL && call->callee != NULL
             ? heddle_snapshot_get_diagram_by_id (heddle_editor_get_snapshot (editor), call->callee)
             : NULL;
}

/* --- grouping --- */

static gboolean
is_taken (HeddleEditor *editor, const char *name)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  return heddle_snapshot_get_diagram (heddle_editor_get_snapshot (editor), name) != NULL
         || heddle_diagram_find_value (diagram, name) != NULL
         || heddle_diagram_find_axis (diagram, name) != NULL;
}

/* "part", "part2", … */
static char *
free_name (HeddleEditor *editor)
{
  char *name = g_strdup ("part");

  for (guint n = 2; is_taken (editor, name); n++)
    {
      g_free (name);
      name = g_strdup_printf ("part%u", n);
    }
  return name;
}

static gboolean
do_group (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_group (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->operations, change->name, error);
  return change->made != NULL;
}

gboolean
heddle_definitions_can_group (HeddleEditor *editor)
{
  g_autoptr (GArray) operations = selected_operations (editor);

  return operations->len > 0;
}

gboolean
heddle_definitions_group (HeddleEditor *editor)
{
  g_autoptr (GArray) operations = selected_operations (editor);
  g_autofree char *name = free_name (editor);
  g_autofree char *title = g_strdup_printf (_ ("Group into %s"), name);
  Change change = { .editor = editor, .operations = operations, .name = name };

  if (!heddle_editor_edit (editor, title, NULL, do_group, &change, NULL))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

static gboolean
do_ungroup (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_ungroup (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call, error);
}

gboolean
heddle_definitions_ungroup (HeddleEditor *editor)
{
  const HeddleOperation *call = heddle_definitions_selected_call (editor);
  const HeddleDiagram *callee = heddle_definitions_get_callee (editor, call);
  g_autofree char *title = NULL;
  Change change = { .editor = editor };

  if (callee == NULL)
    return FALSE;
  title = g_strdup_printf (_ ("Ungroup %s"), callee->name);
  change.call = call->id;
  return heddle_editor_edit (editor, title, NULL, do_ungroup, &change, NULL);
}

static gboolean
do_rename (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_rename_definition (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call, change->name, error);
}

gboolean
heddle_definitions_rename (HeddleEditor *editor, const char *call, const char *name, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleDiagram *callee
      = heddle_definitions_get_callee (editor, heddle_diagram_get_operation (diagram, call));
  g_autofree char *plain = g_strstrip (g_strdup (name));
  g_autofree char *title = NULL;
  Change change = { .editor = editor, .call = call, .name = plain };

  if (callee == NULL || g_str_equal (callee->name, plain))
    return TRUE;
  title = g_strdup_printf (_ ("Rename %s to %s"), callee->name, plain);
  return heddle_editor_edit (editor, title, NULL, do_rename, &change, error);
}

/* --- repeating --- */

static gboolean
do_repeat (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_repeat (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call,
      change->times, change->shared, error);
}

gboolean
heddle_definitions_set_repeat (HeddleEditor *editor, const char *call, const char *times, GError **error)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (heddle_editor_get_diagram (editor), call);
  const gboolean once = *times == '\0' || g_str_equal (times, "1");
  g_autofree char *title
      = once ? g_strdup (_ ("Repeat once")) : g_strdup_printf (_ ("Repeat %s times"), times);
  Change change = { .editor = editor, .call = call, .times = once ? NULL : times };

  if (operation == NULL)
    return TRUE;
  change.shared = operation->shared && !once;
  return heddle_editor_edit (editor, title, NULL, do_repeat, &change, error);
}

gboolean
heddle_definitions_set_shared (HeddleEditor *editor, const char *call, gboolean shared, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, call);
  g_autofree char *times = NULL;
  Change change = { .editor = editor, .call = call, .shared = shared };

  if (operation == NULL || operation->repeat == NULL || operation->shared == shared)
    return TRUE;
  change.times = times = heddle_describe_expr (diagram, operation->repeat);
  return heddle_editor_edit (editor, shared ? _ ("Share parameters") : _ ("Give each time its parameters"),
      NULL, do_repeat, &change, error);
}

/* --- opening --- */

static const HeddleOperation *
to_open (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *call = heddle_definitions_selected_call (editor);

  for (guint i = 0; call == NULL && diagram != NULL && i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      call = operation->kind->form == HEDDLE_FORM_CALL ? operation : NULL;
    }
  return heddle_definitions_get_callee (editor, call) != NULL ? call : NULL;
}

gboolean
heddle_definitions_can_open (HeddleEditor *editor)
{
  return to_open (editor) != NULL;
}

void
heddle_definitions_open (HeddleEditor *editor)
{
  const HeddleOperation *call = to_open (editor);

  if (call != NULL)
    heddle_editor_open_call (editor, call);
}
