/* SPDX-License-Identifier: MIT */

#include "focus-walk.h"

#include <string.h>

#include "app/derivation/actions.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/window/window.h"
#include "robot.h"

#define MOST_STOPS 400
#define RING 4 /* px around what has the focus */

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer n)
{
  return ++*(guint *) n < 2;
}

/* What was changed is drawn. */
void
focus_await_frame (GtkWidget *window)
{
  guint n = 0;

  gtk_widget_add_tick_callback (window, on_frame, &n, NULL);
  robot_until (n >= 2);
}

/* Of the window, what is @area. */
GBytes *
focus_take_picture (GtkWidget *window, const graphene_rect_t *area)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  guchar *data = NULL;
  gsize stride, size;

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window), gtk_widget_get_height (window));
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, area);
  stride = 4 * gdk_texture_get_width (texture);
  size = stride * gdk_texture_get_height (texture);
  data = g_malloc0 (size);
  gdk_texture_download (texture, data, stride);
  return g_bytes_new_take (data, size);
}

/* A text shows its cursor. */
gboolean
focus_is_text (GtkWidget *widget)
{
  return GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget);
}

static gboolean
is_seen (GtkWidget *window, GtkWidget *focus)
{
  GtkWidget *native = GTK_WIDGET (gtk_widget_get_native (focus)); /* the window, or a popover of it */
  g_autoptr (GBytes) with = NULL, without = NULL;
  graphene_rect_t area;

  gtk_window_set_focus_visible (GTK_WINDOW (window), TRUE);
  focus_await_frame (window);
  g_assert_true (gtk_widget_compute_bounds (focus, native, &area));
  graphene_rect_inset (&area, -RING, -RING);
  graphene_rect_round_extents (&area, &area);
  with = focus_take_picture (native, &area);
  gtk_window_set_focus_visible (GTK_WINDOW (window), FALSE);
  focus_await_frame (window);
  without = focus_take_picture (native, &area);
  gtk_window_set_focus_visible (GTK_WINDOW (window), TRUE);
  return !g_bytes_equal (with, without);
}

/* It may have to be scrolled to. */
static gboolean
is_soon_seen (GtkWidget *window, GtkWidget *focus)
{
  for (guint i = 0; i < 20; i++)
    {
      if (is_seen (window, focus))
        return TRUE;
      robot_settle (window);
    }
  return FALSE;
}

static char *
describe (GtkWidget *widget)
{
  GString *text = g_string_new (G_OBJECT_TYPE_NAME (widget));

  for (GtkWidget *at = gtk_widget_get_parent (widget); at != NULL; at = gtk_widget_get_parent (at))
    if (strstr (G_OBJECT_TYPE_NAME (at), "Heddle") != NULL)
      {
        g_string_append_printf (text, " in %s", G_OBJECT_TYPE_NAME (at));
        break;
      }
  if (gtk_widget_get_tooltip_text (widget) != NULL)
    g_string_append_printf (text, " (%s)", gtk_widget_get_tooltip_text (widget));
  return g_string_free (text, FALSE);
}

/* Once round @part of the window, from where the focus is. Each stop has a ring, and is come to once; a text with links in it, once for each. */
guint
focus_walk (GtkWidget *window, GtkWidget *part, GtkDirectionType direction)
{
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  GtkWidget *focus, *last = NULL;
  guint n_links = 0;

  while (
      gtk_widget_child_focus (part, direction) && (focus = gtk_window_get_focus (GTK_WINDOW (window))) != NULL
      && (g_hash_table_add (met, focus) || (focus == last && GTK_IS_LABEL (focus) && ++n_links < MOST_STOPS)))
    {
      g_autofree char *words = describe (focus);

      last = focus;
      g_test_message ("%s", words);
      g_assert_true (gtk_widget_get_mapped (focus));
      if (focus_is_text (focus) || is_soon_seen (window, focus))
        continue;
      g_test_message ("not seen: %s", words);
      g_test_fail ();
    }
  g_assert_cmpuint (g_hash_table_size (met), <, MOST_STOPS);
  g_assert_cmpuint (n_links, <, MOST_STOPS);
  return g_hash_table_size (met);
}

/* Light on the way there, dark on the way back, which has the same stops. */
void
focus_walk_both (GtkWidget *window, GtkWidget *part)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  guint n;

  robot_settle (window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  n = focus_walk (window, part, GTK_DIR_TAB_FORWARD);
  g_assert_cmpuint (n, >, 2);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  robot_settle (window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  g_assert_cmpuint (focus_walk (window, part, GTK_DIR_TAB_BACKWARD), ==, n);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
}

HeddleWindow *
focus_open_derived (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE, NULL);
  heddle_derivation_fuse (editor);
  heddle_derivation_suggest (editor);
  robot_until (!heddle_editor_is_searching (editor) && heddle_editor_get_derivation (editor, NULL) != NULL);
  robot_settle (GTK_WIDGET (window));
  return window;
}

GtkWidget *
focus_find_dialog (HeddleWindow *window)
{
  GListModel *tops = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (tops, i);

      if (gtk_widget_get_mapped (top)
          && gtk_window_get_transient_for (GTK_WINDOW (top)) == GTK_WINDOW (window))
        return top;
    }
  return NULL;
}

/* From what has the focus on, as far as @key goes. Each stop has a ring. */
guint
focus_walk_by (GtkWidget *window, guint key)
{
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  GtkWidget *focus;

  while ((focus = gtk_window_get_focus (GTK_WINDOW (window))) != NULL && g_hash_table_add (met, focus))
    {
      g_autofree char *words = describe (focus);

      g_test_message ("%s", words);
      g_assert_cmpuint (g_hash_table_size (met), <, MOST_STOPS);
      if (!is_soon_seen (window, focus))
        g_test_fail_printf ("not seen: %s", words);
      robot_key (window, key, 0);
    }
  return g_hash_table_size (met);
}
