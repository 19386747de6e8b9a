/* SPDX-License-Identifier: MIT */

/* What is said in passing. libadwaita 1.2 uses what it has freed where a toast is dismissed while it still rises: until it has risen
 * neither Escape nor a click reaches it. */

#include <glib/gi18n.h>

#include "app/widgets/scene-paintable.h"
#include "app/window/toasts.h"
#include "app/window/private.h"

#define SHOWN_S 6
/* µs of the frame clock: a toast rises in 300 ms, and in 500 where another one sinks meanwhile. */
#define RISING (550 * 1000)

static void
set_reachable (GtkWidget *toast, gboolean reachable)
{
  gtk_widget_set_can_target (toast, reachable);
  gtk_widget_set_can_focus (toast, reachable);
}

/* By the clock that it rises by: a program that stands still lets no time pass. */
static gboolean
rise (GtkWidget *toast, GdkFrameClock *clock, gpointer data)
{
  gint64 *end = data;

  if (*end == 0)
    *end = gdk_frame_clock_get_frame_time (clock) + RISING;
  if (gdk_frame_clock_get_frame_time (clock) < *end)
    return G_SOURCE_CONTINUE;
  set_reachable (toast, TRUE);
  return G_SOURCE_REMOVE;
}

/* Returns the toast on top, or NULL. Closing a window dismisses its toasts too. */
static GtkWidget *
get_toast (HeddleWindow *self)
{
  GtkWidget *last = self->toasts != NULL ? gtk_widget_get_last_child (GTK_WIDGET (self->toasts)) : NULL;

  return last != NULL && last != adw_toast_overlay_get_child (self->toasts) ? last : NULL;
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleWindow *self)
{
  GtkWidget *toast = get_toast (self);

  return key == GDK_KEY_Escape && toast != NULL && !gtk_widget_get_can_target (toast);
}

/* One that sinks is out of reach already. */
static void
keep_until_risen (HeddleWindow *self)
{
  GtkWidget *toast = get_toast (self);

  if (toast == NULL || !gtk_widget_get_can_target (toast))
    return;
  set_reachable (toast, FALSE);
  gtk_widget_add_tick_callback (toast, rise, g_new0 (gint64, 1), g_free);
}

/* What was said before is of the past: it does not keep what is said now waiting. One that rises is left to rise. */
void
heddle_window_dismiss_toast (HeddleWindow *self)
{
  GtkWidget *widget = get_toast (self);
  g_autoptr (AdwToast) toast = NULL;

  if (widget == NULL || !gtk_widget_get_can_target (widget)
      || g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "toast") == NULL)
    return;
  g_object_get (widget, "toast", &toast, NULL);
  if (toast != NULL)
    adw_toast_dismiss (toast);
}

static void
bring_up (HeddleWindow *self, AdwToast *toast)
{
  GtkWidget *before = NULL;

  heddle_window_dismiss_toast (self);
  before = get_toast (self);
  adw_toast_set_timeout (toast, SHOWN_S);
  adw_toast_overlay_add_toast (self->toasts, toast);
  /* After the overlay, which has brought up the next one by then. */
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (keep_until_risen), self, G_CONNECT_SWAPPED);
  if (get_toast (self) != before)
    keep_until_risen (self);
}

void
heddle_window_show_toast (HeddleWindow *self, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_return_if_fail (HEDDLE_IS_WINDOW (self));
  bring_up (self, adw_toast_new (escaped));
}

/* Of the width of a reading's button, at letters of the usual size; so much is for the rest. */
#define BUTTON_WIDTH 140
#define REST_WIDTH 460

/* Returns how many readings have a button of their own: two, and fewer where the window is narrow. */
static guint
count_buttons (HeddleWindow *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self->toasts)) / heddle_text_scale ();

  return CLAMP ((int) (width - REST_WIDTH) / BUTTON_WIDTH, 0, 2);
}

static GtkWidget *
new_reading_button (const char *title, const char *step, const char *const *words)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.read-otherwise");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(s^as)", step, words);
  return button;
}

static GtkWidget *
new_reading_menu (GMenu *menu)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("Others"));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  return button;
}

/* Appends the first ones as buttons, the rest in a menu. */
static void
append_readings (GtkWidget *box, const char *step, GVariant *readings, guint n_buttons)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (gsize i = 0; i < g_variant_n_children (readings); i++)
    {
      const char *title = NULL;
      g_autofree const char **words = NULL;

      g_variant_get_child (readings, i, "(&s^a&s)", &title, &words);
      if (i < n_buttons)
        gtk_box_append (GTK_BOX (box), new_reading_button (title, step, words));
      else
        {
          g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

          g_menu_item_set_action_and_target (item, "win.read-otherwise", "(s^as)", step, words);
          g_menu_append_item (menu, item);
        }
    }
  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    gtk_box_append (GTK_BOX (box), new_reading_menu (menu));
}

void
heddle_window_offer_readings (HeddleWindow *self, const char *text, const char *step, GVariant *readings)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *label = gtk_label_new (text);
  AdwToast *toast = adw_toast_new ("");

  g_return_if_fail (HEDDLE_IS_WINDOW (self));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  append_readings (box, step, readings, count_buttons (self));
  adw_toast_set_custom_title (toast, box);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_action_name (toast, "win.read-otherwise");
  adw_toast_set_action_target (toast, "(s^as)", step, (const char *const[]){ NULL });
  bring_up (self, toast);
}

/* Where a toast that sinks still has the focus its keys do not pass the content. */
static gboolean
on_toast_key (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus != NULL && !gtk_widget_is_ancestor (focus, adw_toast_overlay_get_child (self->toasts))
         && on_key (controller, key, code, state, self);
}

void
heddle_window_toasts_init (HeddleWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new (), *toast_keys = gtk_event_controller_key_new ();

  /* Inside of what dismisses: whatever else Escape is for has had its turn. */
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (adw_toast_overlay_get_child (self->toasts), keys);
  g_signal_connect (toast_keys, "key-pressed", G_CALLBACK (on_toast_key), self);
  gtk_event_controller_set_propagation_phase (toast_keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self->toasts), toast_keys);
  g_signal_connect (self, "message", G_CALLBACK (heddle_window_show_toast), NULL);
}

/* --- toasts of windows that are libadwaita's own --- */

static void
put_out_of_reach (GListModel *children, guint position, guint removed, guint added, gpointer data)
{
  /* The first is the content. */
  for (guint i = MAX (position, 1); i < position + added; i++)
    {
      g_autoptr (GtkWidget) toast = g_list_model_get_item (children, i);

      set_reachable (toast, FALSE);
    }
}

/* Escape is the window's; the toast goes by itself. */
static gboolean
close_window (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer window)
{
  if (key != GDK_KEY_Escape)
    return FALSE;
  gtk_window_close (window);
  return TRUE;
}

void
heddle_window_guard_toasts (AdwWindow *window)
{
  GtkWidget *overlay = adw_window_get_content (window);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GListModel *children = NULL;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  children = gtk_widget_observe_children (overlay);
  g_signal_connect (children, "items-changed", G_CALLBACK (put_out_of_reach), NULL);
  g_object_set_data_full (G_OBJECT (overlay), "heddle-children", children, g_object_unref);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (close_window), window);
  gtk_widget_add_controller (adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (overlay)), keys);
}
