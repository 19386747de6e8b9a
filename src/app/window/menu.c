/* SPDX-License-Identifier: MIT */

/* The main menu, and what of it names what would be undone. */

#include <glib/gi18n.h>

#include "app/widgets/tooltip.h"
#include "app/window/edit.h"
#include "app/window/figure.h"
#include "app/window/menu.h"
#include "app/window/private.h"

static GMenu *
new_panes_section (void)
{
  GMenu *panes = g_menu_new ();

  g_menu_append (panes, _ ("_Palette and Outline"), "win.palette-visible");
  g_menu_append (panes, _ ("_Inspector"), "win.inspector-visible");
  g_menu_append (panes, _ ("_Derivation"), "win.drawer-visible");
  g_menu_append (panes, _ ("_Map of the Diagram"), "win.minimap-visible");
  return panes;
}

GMenuModel *
heddle_window_new_view_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) zoom = g_menu_new ();
  g_autoptr (GMenu) panes = new_panes_section ();
  g_autoptr (GMenu) more = g_menu_new ();
  g_autoptr (GMenuModel) figure = heddle_window_new_figure_menu ();

  g_menu_append (zoom, _ ("_Fit in View"), "win.fit");
  g_menu_append (zoom, _ ("_Original Size"), "win.zoom-normal");
  g_menu_append (zoom, _ ("Zoom _In"), "win.zoom-in");
  g_menu_append (zoom, _ ("Zoom O_ut"), "win.zoom-out");
  g_menu_append_submenu (more, _ ("Fi_gure"), figure);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (zoom));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (panes));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  return G_MENU_MODEL (menu);
}

GMenuModel *
heddle_window_new_menu (HeddleWindow *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  g_autoptr (GMenu) edit = g_menu_new ();
  g_autoptr (GMenu) editing = g_menu_new ();
  g_autoptr (GMenu) view = g_menu_new ();
  g_autoptr (GMenu) panes = new_panes_section ();
  g_autoptr (GMenu) help = g_menu_new ();
  g_autoptr (GMenuModel) clipboard = heddle_window_new_edit_section ();
  g_autoptr (GMenuModel) figure = heddle_window_new_figure_menu ();
  g_autoptr (GMenuModel) derive = heddle_window_new_derive_menu ();

  self->history_menu = g_menu_new ();
  g_menu_append (files, _ ("_New Window"), "win.new-window");
  g_menu_append (files, _ ("_Save"), "win.save");
  g_menu_append (files, _ ("Save _As…"), "win.save-as");
  g_menu_append (files, _ ("_Export…"), "win.export");
  g_menu_append (files, _ ("Export A_gain"), "win.export-again");
  g_menu_append (files, _ ("_Print…"), "win.print");
  g_menu_append (files, _ ("Opt_imise…"), "win.optimise");
  g_menu_append (files, _ ("_Measure This GPU…"), "win.measure");
  g_menu_append (edit, _ ("_Add Operation…"), "win.insert");
  g_menu_append (edit, _ ("_Rename"), "win.rename");
  g_menu_append (edit, _ ("_Group into a Definition"), "win.group");
  g_menu_append (edit, _ ("_Ungroup"), "win.ungroup");
  g_menu_append (edit, _ ("Open _Definition"), "win.open-definition");
  g_menu_append (edit, _ ("Open Definition in a _Tab"), "win.open-definition-in-tab");
  g_menu_append_submenu (view, _ ("Fi_gure"), figure);
  g_menu_append_submenu (view, _ ("Deri_vation"), derive);
  g_menu_append (view, _ ("_Fit in View"), "win.fit");
  g_menu_append_submenu (view, _ ("Pane_s"), G_MENU_MODEL (panes));
  g_menu_append (view, _ ("Edit E_quations"), "win.equations");
  g_menu_append (help, _ ("_Preferences"), "win.preferences");
  g_menu_append (help, _ ("_Keyboard Shortcuts"), "win.show-help-overlay");
  g_menu_append (help, _ ("Take the _Tour"), "win.tour");
  g_menu_append (help, _ ("_Help"), "win.help");
  g_menu_append (help, _ ("A_bout Heddle"), "win.about");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->history_menu));
  /* Short enough to be read, and for a small screen. */
  g_menu_append_section (editing, NULL, clipboard);
  g_menu_append_section (editing, NULL, G_MENU_MODEL (edit));
  g_menu_prepend_submenu (view, _ ("_Edit"), G_MENU_MODEL (editing));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (help));
  return G_MENU_MODEL (menu);
}

static gboolean
is_called (GMenu *menu, int i, const char *label)
{
  g_autofree char *shown = NULL;

  return g_menu_model_get_n_items (G_MENU_MODEL (menu)) > i
         && g_menu_model_get_item_attribute (G_MENU_MODEL (menu), i, G_MENU_ATTRIBUTE_LABEL, "s", &shown)
         && g_str_equal (shown, label);
}

/* The menu and the tooltips name what would be undone. An edit tells of itself several times, and each item that is put into a menu is a
 * widget. */
void
heddle_window_update_history (HeddleWindow *self, const char *undo_name, const char *redo_name)
{
  g_autofree char *undo_label
      = undo_name != NULL ? g_strdup_printf (_ ("Undo %s"), undo_name) : g_strdup (_ ("Undo"));
  g_autofree char *redo_label
      = redo_name != NULL ? g_strdup_printf (_ ("Redo %s"), redo_name) : g_strdup (_ ("Redo"));

  if (is_called (self->history_menu, 0, undo_label) && is_called (self->history_menu, 1, redo_label))
    return;
  heddle_tooltip_set (self->undo_button, undo_label);
  heddle_tooltip_set (self->redo_button, redo_label);
  g_menu_remove_all (self->history_menu);
  g_menu_append (self->history_menu, undo_label, "win.undo");
  g_menu_append (self->history_menu, redo_label, "win.redo");
}
