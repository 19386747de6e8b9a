/* SPDX-License-Identifier: MIT */

#include "app/widgets/tooltip-place.h"
#include "app/widgets/tooltip.h"

/* ms that the pointer rests before the card comes, as before the toolkit's own tooltips. */
#define DELAY 500
#define MOST_CHARS 50 /* in a line */
#define GAP 4 /* px around the card */
#define TIP "heddle-tip"

typedef struct
{
  GtkWidget *widget, *card; /* a label over the window; NULL: not shown */
  guint waiting;
} Tip;

static void
hide (Tip *self)
{
  g_clear_handle_id (&self->waiting, g_source_remove);
  if (self->card != NULL)
    gtk_overlay_remove_overlay (GTK_OVERLAY (gtk_widget_get_parent (self->card)), self->card);
  self->card = NULL;
}

static void
on_menu (GtkWidget *widget)
{
  hide (g_object_get_data (G_OBJECT (widget), TIP));
}

/* Returns what lies over all of the window, or NULL. */
static GtkWidget *
find_overlay (GtkWidget *widget)
{
  GtkWidget *overlay = NULL;

  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (GTK_IS_OVERLAY (widget))
      overlay = widget;
  return overlay;
}

static GtkWidget *
new_card (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "hover-card");
  return label;
}

/* Puts the tooltip in the middle above the widget. */
static void
put (Tip *self, GtkWidget *overlay)
{
  const double room = gtk_widget_get_width (overlay);
  graphene_rect_t own;
  int width, height;
  double x;

  if (!gtk_widget_compute_bounds (self->widget, overlay, &own))
    return;
  gtk_widget_measure (self->card, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (self->card, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  x = CLAMP (own.origin.x + (own.size.width - width) / 2, GAP, MAX (room - width - GAP, GAP));
  if (gtk_widget_get_direction (overlay) == GTK_TEXT_DIR_RTL)
    x = room - x - width;
  gtk_widget_set_margin_start (self->card, x);
  gtk_widget_set_margin_top (self->card, MAX (own.origin.y - height - GAP, GAP));
}

static gboolean
show (gpointer data)
{
  Tip *self = data;
  const char *text = gtk_widget_get_tooltip_text (self->widget);
  GtkWidget *overlay = find_overlay (self->widget);

  self->waiting = 0;
  if (text == NULL || overlay == NULL || !gtk_widget_get_mapped (self->widget)
      || heddle_menu_is_open (self->widget))
    return G_SOURCE_REMOVE;
  self->card = new_card (text);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->card);
  put (self, overlay);
  return G_SOURCE_REMOVE;
}

static void
on_enter (GtkEventController *controller, double x, double y, Tip *self)
{
  hide (self);
  self->waiting = g_timeout_add (DELAY, show, self);
}

/* The pointer's tooltip stands here; the one that the keyboard asks for is the toolkit's. */
static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  if (!keyboard)
    g_signal_stop_emission_by_name (widget, "query-tooltip");
  return FALSE;
}

static void
place (GtkWidget *widget)
{
  Tip *self = g_new0 (Tip, 1);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *press = gtk_gesture_click_new ();

  self->widget = widget;
  g_object_set_data_full (G_OBJECT (widget), TIP, self, g_free);
  g_signal_connect (motion, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (hide), self);
  gtk_widget_add_controller (widget, motion);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (press), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (hide), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
  if (GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)) /* a key opens its menu too */
    g_signal_connect_object (gtk_widget_get_first_child (widget), "notify::active", G_CALLBACK (on_menu),
        widget, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (widget, "unmap", G_CALLBACK (hide), self);
  g_signal_connect_swapped (widget, "destroy", G_CALLBACK (hide), self);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
}

void
heddle_tooltip_place_above (GtkWidget *root)
{
  if (gtk_widget_get_tooltip_text (root) != NULL)
    place (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    heddle_tooltip_place_above (child);
}
