/* SPDX-License-Identifier: MIT */

/* Whoever goes through a window by Tab sees where they are: at each stop the window looks other than it does without the ring. */

#include <string.h>

#include "app/derivation/derivation-actions.h"
#include "app/equation-bar-private.h"
#include "app/window-private.h"
#include "robot.h"

#define MOST_STOPS 400
#define RING 4 /* px around what has the focus */

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer n)
{
  return ++*(guint *) n < 2;
}

/* What was changed is drawn. */
static void
await_frame (GtkWidget *window)
{
  guint n = 0;

  gtk_widget_add_tick_callback (window, on_frame, &n, NULL);
  robot_until (n >= 2);
}

/* Of the window, what is @area. */
static GBytes *
take_picture (GtkWidget *window, const graphene_rect_t *area)
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
static gboolean
is_text (GtkWidget *widget)
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
  await_frame (window);
  g_assert_true (gtk_widget_compute_bounds (focus, native, &area));
  graphene_rect_inset (&area, -RING, -RING);
  graphene_rect_round_extents (&area, &area);
  with = take_picture (native, &area);
  gtk_window_set_focus_visible (GTK_WINDOW (window), FALSE);
  await_frame (window);
  without = take_picture (native, &area);
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
static guint
walk (GtkWidget *window, GtkWidget *part, GtkDirectionType direction)
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
      if (is_text (focus) || is_soon_seen (window, focus))
        continue;
      g_test_message ("not seen: %s", words);
      g_test_fail ();
    }
  g_assert_cmpuint (g_hash_table_size (met), <, MOST_STOPS);
  g_assert_cmpuint (n_links, <, MOST_STOPS);
  return g_hash_table_size (met);
}

/* Light on the way there, dark on the way back, which has the same stops. */
static void
walk_both (GtkWidget *window, GtkWidget *part)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  guint n;

  robot_settle (window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  n = walk (window, part, GTK_DIR_TAB_FORWARD);
  g_assert_cmpuint (n, >, 2);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  robot_settle (window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  g_assert_cmpuint (walk (window, part, GTK_DIR_TAB_BACKWARD), ==, n);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
}

static HeddleWindow *
open_derived (void)
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

static void
test_window (void)
{
  HeddleWindow *window = open_derived ();

  walk_both (GTK_WIDGET (window), GTK_WIDGET (window));
  robot_close (window);
}

/* Whoever was typing when the equations fold, to make room for a label that is tried, is not left in what is hidden; nor do they unfold again
 * because of it, at each frame of the drag. */
static void
test_fold (void)
{
  HeddleWindow *window = open_derived ();
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleEquationBar *bar = HEDDLE_EQUATION_BAR (window->equation_bar);

  gtk_widget_grab_focus (GTK_WIDGET (bar));
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_has_focus (bar->view));
  for (guint i = 0; i < 3; i++)
    {
      heddle_editor_set_preview_schedule (editor, heddle_schedule_copy (heddle_editor_get_schedule (editor)));
      await_frame (GTK_WIDGET (window));
      g_assert_false (gtk_widget_get_visible (bar->card));
      g_assert_true (gtk_widget_has_focus (bar->expander));
    }
  robot_close (window);
}

static void
test_page (gconstpointer page)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), page);
  for (guint i = 0; i < 20; i++)
    robot_settle (GTK_WIDGET (window));
  walk_both (GTK_WIDGET (window), window->drawer);
  robot_close (window);
}

static GtkWidget *
find_dialog (HeddleWindow *window)
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

static void
test_dialog (gconstpointer action)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
  robot_until ((dialog = find_dialog (window)) != NULL);
  for (guint i = 0; i < 20; i++)
    robot_settle (dialog);
  walk_both (dialog, dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  robot_close (window);
}

static void
test_start (void)
{
  HeddleWindow *window = robot_open_nothing ();

  walk_both (GTK_WIDGET (window), GTK_WIDGET (window));
  robot_close (window);
}

/* --- by arrow keys --- */

/* From what has the focus on, as far as @key goes. Each stop has a ring. */
static guint
walk_by (GtkWidget *window, guint key)
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

/* Down a list and up again. */
static guint
walk_list (GtkWidget *window, GtkWidget *list)
{
  guint n;

  g_assert_true (gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD));
  robot_settle (window);
  walk_by (window, GDK_KEY_Up);
  n = walk_by (window, GDK_KEY_Down);
  g_assert_cmpuint (walk_by (window, GDK_KEY_Up), ==, n);
  return n;
}

static void
test_outline (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *list;

  gtk_stack_set_visible_child_name (
      GTK_STACK (gtk_widget_get_ancestor (window->outline, GTK_TYPE_STACK)), "outline");
  robot_settle (GTK_WIDGET (window));
  list = robot_find (window->outline, GTK_TYPE_LIST_BOX, NULL, NULL);
  g_assert_nonnull (list);
  g_assert_cmpuint (walk_list (GTK_WIDGET (window), list), ==, 7); /* three inputs, four operations */
  robot_close (window);
}

static void
test_steps (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *list = robot_find (window->drawer, GTK_TYPE_LIST_BOX, "steps", NULL);

  g_assert_nonnull (list);
  g_assert_cmpuint (walk_list (GTK_WIDGET (window), list), >=, 3);
  robot_close (window);
}

static void
test_topics (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.help", NULL));
  robot_until ((dialog = find_dialog (window)) != NULL);
  robot_settle (dialog);
  g_assert_cmpuint (walk_list (dialog, robot_find (dialog, GTK_TYPE_LIST_BOX, NULL, NULL)), >=, 5);
  gtk_window_destroy (GTK_WINDOW (dialog));
  robot_close (window);
}

/* What is selected on the canvas by ] is seen: its picture is another with each. */
static void
test_canvas (void)
{
  HeddleWindow *window = open_derived ();
  HeddleEditor *editor = heddle_window_get_editor (window);
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));
  g_autoptr (GHashTable) met
      = g_hash_table_new (NULL, NULL),
      pictures = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  graphene_rect_t area;

  g_assert_true (gtk_widget_compute_bounds (canvas, GTK_WIDGET (window), &area));
  graphene_rect_round_extents (&area, &area);
  gtk_widget_grab_focus (canvas);
  for (robot_key (canvas, GDK_KEY_bracketright, 0);
       g_hash_table_add (met, (gpointer) heddle_editor_get_selected (editor));
       robot_key (canvas, GDK_KEY_bracketright, 0))
    {
      g_assert_nonnull (heddle_editor_get_selected (editor));
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == canvas);
      await_frame (GTK_WIDGET (window));
      g_assert_true (g_hash_table_add (pictures, take_picture (GTK_WIDGET (window), &area)));
    }
  g_assert_cmpuint (g_hash_table_size (met), >=, 4);
  robot_close (window);
}

/* The row that Enter takes is seen: each Down, which leaves the keyboard in the entry, makes another picture. */
static void
test_commands (void)
{
  HeddleWindow *window = open_derived ();
  g_autoptr (GHashTable) pictures
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.command", NULL));
  robot_until ((dialog = find_dialog (window)) != NULL);
  robot_until (gtk_widget_get_width (dialog) > 0);
  robot_settle (dialog);
  for (guint i = 0; i < 12; i++)
    {
      const graphene_rect_t all
          = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (dialog), gtk_widget_get_height (dialog));

      robot_settle (dialog);
      g_assert_true (is_text (gtk_window_get_focus (GTK_WINDOW (dialog))));
      g_assert_true (g_hash_table_add (pictures, take_picture (dialog, &all)));
      robot_key (dialog, GDK_KEY_Down, 0);
    }
  robot_strike (GDK_KEY_Escape, 0);
  robot_until (find_dialog (window) == NULL);
  robot_close (window);
}

/* --- what is open for a while --- */

static void
test_find (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));

  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_f, GDK_CONTROL_MASK);
  robot_until (gtk_widget_get_mapped (window->find_bar));
  robot_type (canvas, "x");
  g_assert_cmpuint (walk (GTK_WIDGET (window), window->find_bar, GTK_DIR_TAB_FORWARD), >=, 3);
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (window->find_bar));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == canvas);
  robot_close (window);
}

static void
test_optimise (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *dialog = NULL, *open = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.optimise", NULL));
  robot_until ((dialog = find_dialog (window)) != NULL);
  robot_until ((open = robot_find (dialog, GTK_TYPE_BUTTON, "suggested-action", NULL)) != NULL
               && gtk_widget_get_mapped (open));
  robot_settle (dialog);
  walk_both (dialog, dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  robot_close (window);
}

static GtkWidget *
popover_of (GtkWidget *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (button));

  return popover != NULL && gtk_widget_get_mapped (GTK_WIDGET (popover)) ? GTK_WIDGET (popover) : NULL;
}

/* Opened by a key, gone through by Tab, and left by Escape for where one came from. */
static void
test_popover (gconstpointer tip)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *button = robot_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, tip), *inner,
            *popover = NULL;

  g_assert_nonnull (button);
  inner = gtk_widget_get_first_child (button);
  g_assert_true (gtk_widget_grab_focus (inner));
  robot_key (inner, GDK_KEY_space, 0);
  robot_until ((popover = popover_of (button)) != NULL);
  robot_settle (popover);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), popover));
  g_assert_cmpuint (walk (GTK_WIDGET (window), popover, GTK_DIR_TAB_FORWARD), >, 2);
  robot_key (GTK_WIDGET (window), GDK_KEY_Escape, 0);
  robot_until (popover_of (button) == NULL);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == inner);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/focus/start", test_start);
  g_test_add_func ("/focus/window", test_window);
  g_test_add_func ("/focus/fold", test_fold);
  g_test_add_data_func ("/focus/kernel", "kernel", test_page);
  g_test_add_data_func ("/focus/compare", "compare", test_page);
  g_test_add_data_func ("/focus/steps", "steps", test_page);
  g_test_add_data_func ("/focus/export", "win.export", test_dialog);
  g_test_add_data_func ("/focus/preferences", "win.preferences", test_dialog);
  g_test_add_data_func ("/focus/help", "win.help", test_dialog);
  g_test_add_func ("/focus/commands", test_commands);
  g_test_add_func ("/focus/find", test_find);
  g_test_add_func ("/focus/optimise", test_optimise);
  g_test_add_func ("/focus/outline", test_outline);
  g_test_add_func ("/focus/steps-list", test_steps);
  g_test_add_func ("/focus/topics", test_topics);
  g_test_add_func ("/focus/canvas", test_canvas);
  g_test_add_data_func (
      "/focus/wishes", "Multiples that tiles go by, and how much memory may be held", test_popover);
  return g_test_run ();
}
