/* SPDX-License-Identifier: MIT */

/* The panes beside the canvas: where they are, how wide, and whether they are wanted. */

#include "app/widgets/scene-paintable.h"
#include "app/window/panes.h"
#include "app/window/window.h"
#include "app/window/private.h"

/* px; and what it grows by with letters twice as large */
#define INSPECTOR_WIDTH 300
#define INSPECTOR_MORE 90

/* The panes are placed once before they are seen: where there is no room for them they fold at once. libadwaita 1.2 divides by the width that a
 * pane has, to see how fast it folds, and asks for -2147483648 pixels in the frame that comes before a millisecond is over. */
void
heddle_window_place_panes (HeddleWindow *self)
{
  int least, width = gtk_widget_get_width (self->pages), height = gtk_widget_get_height (self->pages);

  if (gtk_widget_get_width (self->inspector) > 0)
    return;
  if (width == 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_widget_measure (self->paned, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  width = MAX (width, least);
  gtk_widget_measure (self->paned, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (
      self->paned, &(GtkAllocation){ .width = width, .height = MAX (height, least) }, -1);
}

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

void
heddle_window_bind_panes (HeddleWindow *self, GSettings *settings)
{
  bind_pane (settings, "palette-visible", self->palette_flap);
  bind_pane (settings, "inspector-visible", self->inspector_flap);
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
