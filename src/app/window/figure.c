/* SPDX-License-Identifier: MIT */

/* The window changes the figure: blocks, bundles, notes, lines, and in which colours it is shown. */

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/edit.h"
#include "app/canvas/menu.h"
#include "app/canvas/page-frame.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/edits/figure-edits.h"
#include "app/widgets/settings.h"
#include "app/window/figure.h"
#include "diagram/document/schedule.h"
#include "files/picture/venue.h"
#include "app/window/private.h"

/* A new thing is named where it stands. */
static void
edit_label (HeddleWindow *self)
{
  heddle_canvas_edit_selected_label (HEDDLE_CANVAS (self->canvas));
}

static void
add_block (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;

  if (heddle_figure_add_block (self->editor))
    edit_label (self);
}

static void
add_bundle (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;

  if (heddle_figure_add_bundle (self->editor))
    edit_label (self);
}

static void
add_note (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;
  const char *kind = g_variant_get_string (parameter, NULL);
  double x, y;

  heddle_canvas_get_note_place (HEDDLE_CANVAS (self->canvas), &x, &y);
  if (heddle_figure_add_note (self->editor, kind, x, y) && !g_str_equal (kind, "arrow"))
    edit_label (self);
}

/* Lines as wide as what can be seen, or one line again. */
static void
wrap_lines (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;
  HeddleCanvas *canvas = HEDDLE_CANVAS (self->canvas);
  const double seen = gtk_widget_get_width (self->canvas) / heddle_canvas_get_zoom (canvas);

  heddle_figure_set_wrap (self->editor,
      heddle_figure_get_wrap (self->editor) > 0 ? 0 : CLAMP (round (seen * .8), 240, 4000), NULL);
}

static void
show_definitions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;
  const HeddlePresentation *presentation = heddle_figure_get_presentation (self->editor);

  heddle_figure_set_definitions (
      self->editor, presentation == NULL || presentation->definitions != HEDDLE_DEFINITIONS_BELOW);
}

static void
shade_columns (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;
  const HeddlePresentation *presentation = heddle_figure_get_presentation (self->editor);

  heddle_figure_set_bands (self->editor, presentation == NULL || presentation->bands != HEDDLE_BANDS_SHADED);
}

static void
set_theme (GSimpleAction *action, GVariant *value, gpointer data)
{
  HeddleWindow *self = data;

  g_simple_action_set_state (action, value);
  heddle_canvas_set_theme (HEDDLE_CANVAS (self->canvas), g_variant_get_string (value, NULL));
  heddle_settings_set_string ("figure-theme", g_variant_get_string (value, NULL));
}

static void
set_page_frame (GSimpleAction *action, GVariant *value, gpointer data)
{
  HeddleWindow *self = data;

  g_simple_action_set_state (action, value);
  heddle_canvas_set_page_frame (HEDDLE_CANVAS (self->canvas), g_variant_get_string (value, NULL));
  heddle_settings_set_string ("page-frame", g_variant_get_string (value, NULL));
}

static void
set_legend (GSimpleAction *action, GVariant *value, gpointer data)
{
  HeddleWindow *self = data;

  g_simple_action_set_state (action, value);
  heddle_canvas_set_legend (HEDDLE_CANVAS (self->canvas), g_variant_get_boolean (value));
  heddle_settings_set_string ("legend", g_variant_get_boolean (value) ? "below" : "none");
}

static const GActionEntry entries[] = {
  { "add-block", add_block, NULL, NULL, NULL },
  { "add-bundle", add_bundle, NULL, NULL, NULL },
  { "add-note", add_note, "s", NULL, NULL },
  { "wrap-lines", wrap_lines, NULL, "false", NULL },
  { "show-definitions", show_definitions, NULL, "false", NULL },
  { "shade-columns", shade_columns, NULL, "false", NULL },
  { "figure-theme", NULL, "s", "'window'", set_theme },
  { "page-frame", NULL, "s", "''", set_page_frame },
  { "legend", NULL, NULL, "false", set_legend },
};

static GSimpleAction *
find (HeddleWindow *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

void
heddle_window_figure_update (HeddleWindow *self)
{
  const gboolean open = self->editor != NULL;
  const HeddlePresentation *presentation = open ? heddle_figure_get_presentation (self->editor) : NULL;
  const gboolean below = presentation != NULL && presentation->definitions == HEDDLE_DEFINITIONS_BELOW;
  const gboolean shaded = presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (find (self, entries[i].name), open);
  if (!open)
    return;
  g_simple_action_set_enabled (find (self, "add-block"), heddle_figure_can_add_block (self->editor));
  g_simple_action_set_enabled (find (self, "add-bundle"), heddle_figure_can_add_bundle (self->editor));
  g_simple_action_set_state (
      find (self, "wrap-lines"), g_variant_new_boolean (heddle_figure_get_wrap (self->editor) > 0));
  g_simple_action_set_state (find (self, "show-definitions"), g_variant_new_boolean (below));
  g_simple_action_set_state (find (self, "shade-columns"), g_variant_new_boolean (shaded));
}

void
heddle_window_figure_init (HeddleWindow *self)
{
  g_autofree char *theme = heddle_settings_dup_string ("figure-theme", "window");
  g_autofree char *venue = heddle_settings_dup_string ("page-frame", "");
  g_autofree char *legend = heddle_settings_dup_string ("legend", "none");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_change_state (G_ACTION (find (self, "figure-theme")), g_variant_new_string (theme));
  g_action_change_state (G_ACTION (find (self, "page-frame")), g_variant_new_string (venue));
  g_action_change_state (
      G_ACTION (find (self, "legend")), g_variant_new_boolean (g_str_equal (legend, "below")));
}

static GMenuModel *
new_page_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autofree char *names = heddle_venue_list ();
  g_auto (GStrv) venues = g_strsplit (names, " ", -1);

  g_menu_append (menu, _ ("_None"), "win.page-frame::");
  for (guint i = 0; venues[i] != NULL; i++)
    {
      g_autofree char *action = g_strconcat ("win.page-frame::", venues[i], NULL);

      g_menu_append (menu, heddle_venue_get_title (venues[i]), action);
    }
  return G_MENU_MODEL (menu);
}

GMenuModel *
heddle_window_new_figure_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) add = g_menu_new ();
  g_autoptr (GMenu) notes = g_menu_new ();
  g_autoptr (GMenu) lines = g_menu_new ();
  g_autoptr (GMenu) themes = g_menu_new ();
  g_autoptr (GMenuModel) page = new_page_menu ();

  g_menu_append (add, _ ("_Block around Selection"), "win.add-block");
  g_menu_append (add, _ ("B_undle Selected Axes"), "win.add-bundle");
  g_menu_append (notes, _ ("Add _Card"), "win.add-note::card");
  g_menu_append (notes, _ ("Add _Text"), "win.add-note::text");
  g_menu_append (notes, _ ("Add _Legend"), "win.add-note::legend");
  g_menu_append (notes, _ ("Add _Array of Cells"), "win.add-note::array");
  g_menu_append (notes, _ ("Add A_rrow"), "win.add-note::arrow");
  g_menu_append (notes, _ ("Add _Wide Arrow"), "win.add-note::banner");
  g_menu_append (lines, _ ("Wrap _Lines"), "win.wrap-lines");
  g_menu_append_submenu (lines, _ ("Page _Frame"), page);
  g_menu_append (lines, _ ("_Definitions Below"), "win.show-definitions");
  g_menu_append (lines, _ ("Meaning of the S_igns Below"), "win.legend");
  g_menu_append (lines, _ ("_Shaded Columns"), "win.shade-columns");
  g_menu_append (themes, _ ("Colours of the _Window"), "win.figure-theme::window");
  g_menu_append (themes, _ ("Colours of _Paper"), "win.figure-theme::paper");
  g_menu_append (themes, _ ("_High Contrast"), "win.figure-theme::contrast");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (add));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (notes));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (lines));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (themes));
  return G_MENU_MODEL (menu);
}
