/* SPDX-License-Identifier: MIT */

/* Copying, finding, going to problems, and what else works on what is selected. */

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/tidy.h"
#include "app/canvas/view.h"
#include "app/derivation/actions.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/clipboard.h"
#include "app/edits/clipping.h"
#include "app/edits/move.h"
#include "app/panes/command-palette.h"
#include "app/window/edit.h"
#include "app/window/find-bar.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "app/window/private.h"

static HeddleCanvas *
canvas_of (HeddleWindow *self)
{
  return HEDDLE_CANVAS (self->canvas);
}

/* --- the clipboard --- */

static gboolean
copy_selection (HeddleWindow *self)
{
  g_autoptr (HeddleSnapshot) part = heddle_edits_extract_selection (self->editor);
  g_autoptr (GdkContentProvider) clipping = NULL;

  if (part == NULL)
    {
      heddle_editor_report (self->editor, _ ("Select the operations to copy first"));
      return FALSE;
    }
  clipping = heddle_clipping_new (part);
  return gdk_clipboard_set_content (gtk_widget_get_clipboard (self->canvas), clipping);
}

static void
copy (HeddleWindow *self)
{
  copy_selection (self);
}

static void
cut (HeddleWindow *self)
{
  if (copy_selection (self))
    heddle_edits_delete_selection (self->editor);
}

static void
on_pasted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HeddleEditor) editor = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) clip = heddle_clipping_read_finish (result, &error);

  if (clip != NULL)
    heddle_edits_paste (editor, clip, _ ("Paste"));
  else
    heddle_editor_report (editor, "%s", error->message);
}

static void
paste (HeddleWindow *self)
{
  heddle_clipping_read_async (
      gtk_widget_get_clipboard (self->canvas), NULL, on_pasted, g_object_ref (self->editor));
}

static void
duplicate (HeddleWindow *self)
{
  g_autoptr (HeddleSnapshot) part = heddle_edits_extract_selection (self->editor);

  if (part != NULL)
    heddle_edits_paste (self->editor, part, _ ("Duplicate"));
  else
    heddle_editor_report (self->editor, _ ("Select the operations to duplicate first"));
}

static void
delete_selection (HeddleWindow *self)
{
  heddle_edits_delete_selection (self->editor);
}

static void
select_all (HeddleWindow *self)
{
  heddle_edits_select_all (self->editor);
  gtk_widget_grab_focus (self->canvas);
}

static void
tidy (HeddleWindow *self)
{
  heddle_canvas_tidy (canvas_of (self));
}

/* --- deriving --- */

static void
fuse (HeddleWindow *self)
{
  heddle_derivation_fuse (self->editor);
}

static void
unfuse (HeddleWindow *self)
{
  heddle_derivation_unfuse (self->editor);
}

static void
suggest (HeddleWindow *self)
{
  heddle_derivation_suggest (self->editor);
}

/* --- finding --- */

static void
find (HeddleWindow *self)
{
  heddle_find_bar_open (HEDDLE_FIND_BAR (self->find_bar));
}

static void
find_next (HeddleWindow *self)
{
  heddle_find_bar_step (HEDDLE_FIND_BAR (self->find_bar), 1);
}

static void
find_previous (HeddleWindow *self)
{
  heddle_find_bar_step (HEDDLE_FIND_BAR (self->find_bar), -1);
}

static void
command (HeddleWindow *self)
{
  heddle_command_palette_open (
      GTK_WINDOW (self), gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (self->menu_button)));
}

/* The next problem after the one that is selected, or before it. */
static void
go_to_problem (HeddleWindow *self, int direction)
{
  GPtrArray *problems = heddle_editor_get_problems (self->editor);
  const char *selected = heddle_editor_get_selected (self->editor);
  int at = direction > 0 ? -1 : (int) problems->len;

  for (guint i = 0; i < problems->len; i++)
    if (selected != NULL && ((HeddleProblem *) g_ptr_array_index (problems, i))->object_id == selected)
      at = (int) i;
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = NULL;

      at = (at + direction + (int) problems->len) % (int) problems->len;
      problem = g_ptr_array_index (problems, at);
      if (problem->object_id == NULL || problem->object_id == selected)
        continue;
      heddle_editor_select (self->editor, problem->object_id);
      heddle_canvas_reveal (canvas_of (self), problem->object_id);
      heddle_editor_report (self->editor, "%s", problem->message);
      return;
    }
  if (problems->len == 0)
    heddle_editor_report (self->editor, _ ("The diagram has no problems"));
}

static void
next_problem (HeddleWindow *self)
{
  go_to_problem (self, 1);
}

static void
previous_problem (HeddleWindow *self)
{
  go_to_problem (self, -1);
}

/* --- actions --- */

static const struct
{
  const char *name;
  void (*run) (HeddleWindow *self);
} commands[] = {
  { "cut", cut },
  { "copy", copy },
  { "paste", paste },
  { "duplicate", duplicate },
  { "delete", delete_selection },
  { "select-all", select_all },
  { "tidy", tidy },
  { "fuse", fuse },
  { "unfuse", unfuse },
  { "suggest", suggest },
  { "find", find },
  { "find-next", find_next },
  { "find-previous", find_previous },
  { "command", command },
  { "next-problem", next_problem },
  { "previous-problem", previous_problem },
};

static void
on_activate (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      commands[i].run (data);
}

void
heddle_window_edit_update (HeddleWindow *self)
{
  static const char *const of_selection[] = { "cut", "copy", "duplicate", "delete" };
  const gboolean open = self->editor != NULL && heddle_editor_get_diagram (self->editor) != NULL;
  const gboolean selected = open && heddle_editor_get_selection (self->editor)->len > 0;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), commands[i].name);
      const gboolean needs = g_strv_contains (
          (const char *const[]){ of_selection[0], of_selection[1], of_selection[2], of_selection[3], NULL },
          commands[i].name);

      g_simple_action_set_enabled (
          G_SIMPLE_ACTION (action), (open && (!needs || selected)) || commands[i].run == command);
    }
}

void
heddle_window_edit_init (HeddleWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const GActionEntry entry = { commands[i].name, on_activate, NULL, NULL, NULL };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
}

/* Keys of the canvas, which as accelerators of the application would take copying from texts: shown all the same. */
static void
append_with_key (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}

GMenuModel *
heddle_window_new_edit_section (void)
{
  GMenu *menu = g_menu_new ();

  append_with_key (menu, _ ("Cu_t"), "win.cut", "<Primary>x");
  append_with_key (menu, _ ("_Copy"), "win.copy", "<Primary>c");
  append_with_key (menu, _ ("_Paste"), "win.paste", "<Primary>v");
  g_menu_append (menu, _ ("Dup_licate"), "win.duplicate");
  append_with_key (menu, _ ("D_elete"), "win.delete", "Delete");
  append_with_key (menu, _ ("Select _All"), "win.select-all", "<Primary>a");
  g_menu_append (menu, _ ("T_idy"), "win.tidy");
  g_menu_append (menu, _ ("_Find…"), "win.find");
  g_menu_append (menu, _ ("Next _Problem"), "win.next-problem");
  g_menu_append (menu, _ ("_Command…"), "win.command");
  return G_MENU_MODEL (menu);
}

GMenuModel *
heddle_window_new_derive_menu (void)
{
  GMenu *menu = g_menu_new ();

  g_menu_append (menu, _ ("_Fuse"), "win.fuse");
  g_menu_append (menu, _ ("_Unfuse"), "win.unfuse");
  g_menu_append (menu, _ ("_Suggest Labels"), "win.suggest");
  g_menu_append (menu, _ ("Show _Measured Results…"), "win.open-results");
  g_menu_append (menu, _ ("Export the _Kernels…"), "win.export-kernel");
  g_menu_append (menu, _ ("Export the _Roofline…"), "win.export-roofline");
  g_menu_append (menu, _ ("Export the S_teps…"), "win.export-steps");
  return G_MENU_MODEL (menu);
}
