/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/edits/definitions.h"
#include "app/panes/inspector-call.h"
#include "app/panes/inspector-rows.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation.h"

static void
on_shared (GtkSwitch *control, GParamSpec *pspec, HeddleEditor *editor)
{
  heddle_definitions_set_shared (
      editor, g_object_get_data (G_OBJECT (control), "id"), gtk_switch_get_active (control), NULL);
}

static void
add_shared (GtkWidget *group, HeddleEditor *editor, const HeddleOperation *call)
{
  GtkWidget *row = adw_action_row_new (), *control = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Same parameters each time"));
  gtk_switch_set_active (GTK_SWITCH (control), call->shared);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (control), "id", (gpointer) call->id);
  g_signal_connect_object (control, "notify::active", G_CALLBACK (on_shared), editor, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

/* The parameters that the definition has of its own: they are of the call, and not among its operands. */
static char *
list_parameters (const HeddleDiagram *callee)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < callee->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (callee->values, i);

      if (value->role == HEDDLE_ROLE_PARAMETER && !heddle_ids_contain (callee->arguments, value->id))
        g_ptr_array_add (names, value->name);
    }
  return names->len > 0 ? heddle_describe_list (names) : NULL;
}

void
heddle_inspector_add_call (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *call)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleDiagram *callee = heddle_definitions_get_callee (editor, call);
  GtkWidget *group = heddle_inspector_add_group (box, _ ("Definition")), *open = NULL, *row = NULL;
  g_autofree char *times
      = call->repeat != NULL ? heddle_describe_expr (diagram, call->repeat) : g_strdup ("1");
  g_autofree char *parameters = callee != NULL ? list_parameters (callee) : NULL;

  row = heddle_inspector_add_fact (group, _ ("Calls"), callee != NULL ? callee->name : "?");
  open = gtk_button_new_with_mnemonic (_ ("_Open"));
  gtk_widget_set_valign (open, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-definition");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), open);
  if (callee != NULL)
    heddle_inspector_add_entry (group, editor, _ ("Name"), callee->name, call->id, heddle_definitions_rename);
  if (heddle_call_scan_axis (call) != NULL)
    heddle_inspector_add_fact (
        group, _ ("Scanned along"), heddle_axis_name (diagram, heddle_call_scan_axis (call)));
  else
    heddle_inspector_add_entry (
        group, editor, _ ("Repeated"), times, call->id, heddle_definitions_set_repeat);
  if (call->repeat != NULL)
    add_shared (group, editor, call);
  if (parameters != NULL)
    heddle_inspector_add_fact (group, _ ("Its parameters"), parameters);
}
