/* SPDX-License-Identifier: MIT */

/* The menu of what is under the pointer, or with the menu key of what is selected. */

#include <glib/gi18n.h>

#include "app/canvas/edit.h"
#include "app/canvas/menu.h"
#include "app/canvas/pick.h"
#include "app/canvas/placing.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"

static void
append (GMenu *menu, const char *label, const char *action)
{
  g_menu_append (menu, label, action);
}

/* Appends an item whose key is of the canvas alone and no accelerator of the application. */
static void
append_with_key (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_object_unref (section);
}

static GMenu *
new_notes (void)
{
  GMenu *notes = g_menu_new ();

  append (notes, _ ("_Card"), "win.add-note::card");
  append (notes, _ ("_Text"), "win.add-note::text");
  append (notes, _ ("_Legend"), "win.add-note::legend");
  append (notes, _ ("_Array of Cells"), "win.add-note::array");
  append (notes, _ ("A_rrow"), "win.add-note::arrow");
  append (notes, _ ("_Wide Arrow"), "win.add-note::banner");
  return notes;
}

static void
append_figure (GMenu *menu)
{
  GMenu *section = g_menu_new ();
  g_autoptr (GMenu) notes = new_notes ();

  append (section, _ ("_Block around Selection"), "win.add-block");
  append (section, _ ("B_undle Axes"), "win.add-bundle");
  g_menu_append_submenu (section, _ ("Add _Note"), G_MENU_MODEL (notes));
  append_section (menu, section);
}

static GMenu *
new_model (HeddleCanvas *self)
{
  GMenu *menu = g_menu_new (), *section = g_menu_new ();

  append (section, _ ("_Add Operation…"), "win.insert");
  append (section, _ ("_Rename"), "win.rename");
  append (section, _ ("Open _Definition"), "win.open-definition");
  append (section, _ ("_Group into a Definition"), "win.group");
  append_section (menu, section);
  section = g_menu_new ();
  append_with_key (section, _ ("Cu_t"), "win.cut", "<Primary>x");
  append_with_key (section, _ ("_Copy"), "win.copy", "<Primary>c");
  append_with_key (section, _ ("_Paste"), "win.paste", "<Primary>v");
  append (section, _ ("Dup_licate"), "win.duplicate");
  append_with_key (section, _ ("D_elete"), "win.delete", "Delete");
  append_section (menu, section);
  append_figure (menu);
  section = g_menu_new ();
  append (section, _ ("_Fuse"), "win.fuse");
  append (section, _ ("Unfu_se"), "win.unfuse");
  append_section (menu, section);
  return menu;
}

static void
on_closed (GtkPopover *popover, HeddleCanvas *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Makes the menu anew each time: GTK 4.8 leaves the submenus of a removed section behind, and shows them in
 * the place of later ones of their names. */
static void
replace_menu (HeddleCanvas *self)
{
  g_autoptr (GMenu) model = new_model (self);

  heddle_canvas_append_placing (self, model);
  if (self->menu != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->menu, self);
      gtk_widget_unparent (self->menu);
    }
  self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (model));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  g_signal_connect (self->menu, "closed", G_CALLBACK (on_closed), self);
}

static void
open_at (HeddleCanvas *self, double x, double y)
{
  self->menu_x = x;
  self->menu_y = y;
  replace_menu (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, HeddleCanvas *self)
{
  if (self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  heddle_canvas_edit_finish (self);
  heddle_canvas_select_at (self, x, y);
  open_at (self, x, y);
}

gboolean
heddle_canvas_open_menu (HeddleCanvas *self)
{
  GdkRectangle place
      = { gtk_widget_get_width (GTK_WIDGET (self)) / 2, gtk_widget_get_height (GTK_WIDGET (self)) / 2, 1, 1 };

  heddle_canvas_get_selection_rectangle (self, &place);
  open_at (self, place.x + place.width / 2., place.y + place.height / 2.);
  return TRUE;
}

void
heddle_canvas_get_note_place (HeddleCanvas *self, double *x, double *y)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self)),
            height = gtk_widget_get_height (GTK_WIDGET (self));

  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->menu != NULL && self->menu_x > 0)
    heddle_canvas_to_scene (self, self->menu_x, self->menu_y, x, y);
  else
    heddle_canvas_to_scene (self, width / 2., height * .2, x, y);
  self->menu_x = 0; /* the next one that is asked for elsewhere goes elsewhere */
}

void
heddle_canvas_menu_init (HeddleCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
