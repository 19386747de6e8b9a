/* SPDX-License-Identifier: MIT */

/* Keys that mean something on the canvas alone: as accelerators of the application they would eat typing. */

#include "app/canvas/drag.h"
#include "app/canvas/edit.h"
#include "app/canvas/keys.h"
#include "app/canvas/menu.h"
#include "app/canvas/view.h"
#include "app/canvas/walk.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/move.h"
#include "diagram/graph/diagram.h"
#include "app/canvas/private.h"

/* An arrow moves by a quarter of a row, and with Shift by a whole one. */
#define SMALL_STEP 5.
#define LARGE_STEP 20.

static gboolean
can_move_selection (HeddleCanvas *self)
{
  GArray *selection = heddle_editor_get_selection (self->editor);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  for (guint i = 0; i < selection->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (selection, i)) != NULL
        || heddle_editor_find_ornament (self->editor, heddle_ids_index (selection, i), NULL) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
nudge (HeddleCanvas *self, double dx, double dy, GdkModifierType state)
{
  double step = (state & GDK_SHIFT_MASK) ? LARGE_STEP : SMALL_STEP;
  g_autofree char *key = NULL;

  if (!can_move_selection (self))
    {
      heddle_canvas_pan_by (self, -dx * LARGE_STEP, -dy * LARGE_STEP);
      return TRUE;
    }
  /* One undo step for as long as the same things are moved by keys alone. */
  key = g_strdup_printf ("keys-%u", self->drag_serial);
  heddle_edits_nudge_selection (self->editor, dx * step, dy * step, key);
  return TRUE;
}

static gboolean
escape (HeddleCanvas *self)
{
  if (heddle_canvas_cancel_drag (self))
    return TRUE;
  if (heddle_editor_get_refusal (self->editor) != NULL)
    heddle_editor_set_refusal (self->editor, NULL);
  else if (heddle_editor_get_selection (self->editor)->len > 0)
    heddle_editor_select (self->editor, NULL);
  else
    return FALSE;
  return TRUE;
}

/* As accelerators of the window they would be taken from texts that are edited. */
static gboolean
clipboard_key (HeddleCanvas *self, guint key)
{
  static const struct
  {
    guint key;
    const char *action;
  } keys[] = { { GDK_KEY_a, "win.select-all" }, { GDK_KEY_c, "win.copy" }, { GDK_KEY_x, "win.cut" },
    { GDK_KEY_v, "win.paste" } };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      return gtk_widget_activate_action (GTK_WIDGET (self), keys[i].action, NULL);
  return FALSE;
}

static gboolean
on_key_pressed (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleCanvas *self)
{
  if (self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return FALSE;
  if ((state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) == GDK_CONTROL_MASK && clipboard_key (self, key))
    return TRUE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return nudge (self, -1, 0, state);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return nudge (self, 1, 0, state);
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return nudge (self, 0, -1, state);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return nudge (self, 0, 1, state);
    case GDK_KEY_Delete:
    case GDK_KEY_KP_Delete:
    case GDK_KEY_BackSpace:
      heddle_edits_delete_selection (self->editor);
      return TRUE;
    case GDK_KEY_bracketright:
    case GDK_KEY_bracketleft:
      return heddle_canvas_walk (self, FALSE, key == GDK_KEY_bracketright ? 1 : -1);
    case GDK_KEY_braceright:
    case GDK_KEY_braceleft:
      return heddle_canvas_walk (self, TRUE, key == GDK_KEY_braceright ? 1 : -1);
    case GDK_KEY_slash:
    case GDK_KEY_KP_Divide:
      g_signal_emit_by_name (self, "insert-requested");
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (heddle_definitions_selected_call (self->editor) != NULL)
        return gtk_widget_activate_action (GTK_WIDGET (self), "win.open-definition", NULL);
      return heddle_canvas_edit_selected_label (self);
    case GDK_KEY_F2:
      return heddle_canvas_edit_selected_label (self);
    case GDK_KEY_Escape:
      return escape (self);
    case GDK_KEY_Menu:
      return heddle_canvas_open_menu (self);
    case GDK_KEY_F10:
      return (state & GDK_SHIFT_MASK) != 0 && heddle_canvas_open_menu (self);
    case GDK_KEY_space:
      self->space_held = TRUE;
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grab");
      return TRUE;
    default:
      return FALSE;
    }
}

static void
release_space (HeddleCanvas *self)
{
  if (!self->space_held)
    return;
  self->space_held = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_key_released (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleCanvas *self)
{
  if (key == GDK_KEY_space)
    release_space (self);
}

static void
on_focus_leave (GtkEventControllerFocus *controller, HeddleCanvas *self)
{
  release_space (self);
}

void
heddle_canvas_keys_init (HeddleCanvas *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (on_key_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}
