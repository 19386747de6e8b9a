/* SPDX-License-Identifier: MIT */

/* The panes beside the canvas have places and widths, and are shown or not. */

#include "app/editor/preview.h"
#include "app/equations/equation-bar.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/settings.h"
#include "app/window/panes.h"
#include "app/window/private.h"

/* px; and what it grows by with letters twice as large */
#define INSPECTOR_WIDTH 300
#define INSPECTOR_MORE 90

/* That there is no room for a pane, or that it lies over the canvas for a while, is nobody's wish for the next window. */
static GVariant *
wish_for_pane (const GValue *revealed, const GVariantType *type, gpointer flap)
{
  return adw_flap_get_folded (flap) ? NULL : g_variant_new_boolean (g_value_get_boolean (revealed));
}

static void
bind_pane (GSettings *settings, const char *key, GtkWidget *flap)
{
  g_settings_bind_with_mapping (
      settings, key, flap, "reveal-flap", G_SETTINGS_BIND_DEFAULT, NULL, wish_for_pane, flap, NULL);
}

/* Equations that fold because a label is tried do so for the time being. */
static GVariant *
wish_for_equations (const GValue *expanded, const GVariantType *type, gpointer data)
{
  HeddleWindow *self = data;
  const gboolean tried = self->editor != NULL && heddle_editor_get_preview_schedule (self->editor) != NULL;

  return tried ? NULL : g_variant_new_boolean (g_value_get_boolean (expanded));
}

/* Drawing and deriving have wishes of their own: whoever derives needs the levels beside the diagram, whoever draws the palette and the text. */
static void
follow_deriving (HeddleWindow *self)
{
  GSettings *settings = heddle_settings_get ();
  const gboolean deriving = g_settings_get_boolean (settings, "drawer-visible")
                            && g_settings_get_boolean (settings, "derivation-open");
  const gboolean folded = adw_flap_get_folded (ADW_FLAP (self->palette_flap));

  if (self->deriving == (int) deriving)
    return;
  self->deriving = deriving;
  g_settings_unbind (self->palette_flap, "reveal-flap");
  g_settings_unbind (self->equation_bar, "expanded");
  bind_pane (settings, deriving ? "palette-while-deriving" : "palette-visible", self->palette_flap);
  if (folded)
    adw_flap_set_reveal_flap (ADW_FLAP (self->palette_flap), FALSE);
  g_settings_bind_with_mapping (settings, deriving ? "equations-while-deriving" : "equations-visible",
      self->equation_bar, "expanded", G_SETTINGS_BIND_DEFAULT, NULL, wish_for_equations, self, NULL);
}

/* Makes the equations as high as somebody dragged them; folded, as high as one line. */
static void
place_equations (HeddleWindow *self)
{
  const int wish = g_settings_get_int (heddle_settings_get (), "equations-height");
  const int height = gtk_widget_get_height (self->equation_paned);
  gboolean expanded;

  g_object_get (self->equation_bar, "expanded", &expanded, NULL);
  self->equations_dragged = FALSE;
  gtk_paned_set_position (
      GTK_PANED (self->equation_paned), expanded && wish > 0 && height > wish ? height - wish : -1);
  self->equations_dragged = TRUE;
}

/* What is dragged open shows its text. */
static void
on_equations_dragged (HeddleWindow *self)
{
  const int height = gtk_widget_get_height (self->equation_paned);
  gboolean expanded, dragged;

  g_object_get (self->equation_bar, "expanded", &expanded, NULL);
  g_object_get (self->equation_paned, "position-set", &dragged, NULL);
  if (!dragged || !self->equations_dragged || height == 0)
    return;
  if (expanded)
    g_settings_set_int (heddle_settings_get (), "equations-height",
        height - gtk_paned_get_position (GTK_PANED (self->equation_paned)));
  else
    heddle_equation_bar_set_collapsed (HEDDLE_EQUATION_BAR (self->equation_bar), FALSE);
}

/* Whoever drags the edge of the folded derivation wants to see it. */
static void
on_drawer_dragged (HeddleWindow *self)
{
  HeddleDerivationPane *pane = heddle_window_get_derivation_pane (self);
  gboolean dragged;

  g_object_get (self->paned, "position-set", &dragged, NULL);
  if (pane != NULL && dragged && !heddle_derivation_pane_is_open (pane))
    heddle_derivation_pane_set_open (pane, TRUE);
}

/* The panes are placed once before they are seen: where there is no room for them they fold at once. libadwaita 1.2 divides by the width that a
 * pane has, to see how fast it folds, and asks for -2147483648 pixels in the frame that comes before a millisecond is over. */
void
heddle_window_place_panes (HeddleWindow *self)
{
  int least, width = gtk_widget_get_width (self->pages), height = gtk_widget_get_height (self->pages);

  if (gtk_widget_get_width (self->canvas) > 0)
    return;
  if (width == 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_widget_measure (self->paned, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  width = MAX (width, least);
  gtk_widget_measure (self->paned, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (
      self->paned, &(GtkAllocation){ .width = width, .height = MAX (height, least) }, -1);
  place_equations (self);
}

void
heddle_window_bind_panes (HeddleWindow *self, GSettings *settings)
{
  bind_pane (settings, "inspector-visible", self->inspector_flap);
  self->deriving = -1;
  follow_deriving (self);
  place_equations (self);
  g_signal_connect_object (
      settings, "changed::derivation-open", G_CALLBACK (follow_deriving), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      settings, "changed::drawer-visible", G_CALLBACK (follow_deriving), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->equation_bar, "notify::expanded", G_CALLBACK (place_equations), self);
  g_signal_connect_swapped (
      self->equation_paned, "notify::position", G_CALLBACK (on_equations_dragged), self);
  g_signal_connect_swapped (self->paned, "notify::position", G_CALLBACK (on_drawer_dragged), self);
}

void
heddle_window_unbind_panes (HeddleWindow *self)
{
  if (self->palette_flap == NULL)
    return;
  g_settings_unbind (self->palette_flap, "reveal-flap");
  g_settings_unbind (self->inspector_flap, "reveal-flap");
  g_settings_unbind (self->equation_bar, "expanded");
  if (heddle_settings_get () != NULL)
    g_signal_handlers_disconnect_by_data (heddle_settings_get (), self);
}

/* As wide as any of its pages needs: the diagram stays where it is when another thing is selected. */
static void
set_inspector_width (HeddleWindow *self)
{
  gtk_widget_set_size_request (
      self->inspector, INSPECTOR_WIDTH + MAX (0, heddle_text_scale () - 1) * INSPECTOR_MORE, -1);
}

HeddleDerivationPane *
heddle_window_get_derivation_pane (HeddleWindow *self)
{
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->drawer));

  return viewport != NULL ? HEDDLE_DERIVATION_PANE (gtk_viewport_get_child (GTK_VIEWPORT (viewport))) : NULL;
}

void
heddle_window_toggle_derivation (HeddleWindow *self)
{
  HeddleDerivationPane *pane = heddle_window_get_derivation_pane (self);
  const gboolean seen = gtk_widget_get_visible (self->drawer);

  gtk_widget_show (self->drawer);
  heddle_derivation_pane_set_open (pane, !seen || !heddle_derivation_pane_is_open (pane));
}

void
heddle_window_watch_text_scale (HeddleWindow *self)
{
  set_inspector_width (self);
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi",
      G_CALLBACK (set_inspector_width), self, G_CONNECT_SWAPPED);
}
