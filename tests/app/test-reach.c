/* SPDX-License-Identifier: MIT */

/* Whoever goes by the keyboard through lists, the canvas and what is open for a while sees where they are, and comes back. */

#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/window/window.h"
#include "focus-walk.h"
#include "robot.h"
#include "app/window/private.h"

/* Down a list and up again. */
static guint
walk_list (GtkWidget *window, GtkWidget *list)
{
  guint n;

  g_assert_true (gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD));
  robot_settle (window);
  focus_walk_by (window, GDK_KEY_Up);
  n = focus_walk_by (window, GDK_KEY_Down);
  g_assert_cmpuint (focus_walk_by (window, GDK_KEY_Up), ==, n);
  return n;
}

static void
test_outline (void)
{
  HeddleWindow *window = focus_open_derived ();
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
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *list = robot_find (window->drawer, GTK_TYPE_LIST_BOX, "steps", NULL);

  g_assert_nonnull (list);
  g_assert_cmpuint (walk_list (GTK_WIDGET (window), list), >=, 3);
  robot_close (window);
}

static void
test_topics (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.help", NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  robot_settle (dialog);
  g_assert_cmpuint (walk_list (dialog, robot_find (dialog, GTK_TYPE_LIST_BOX, NULL, NULL)), >=, 5);
  gtk_window_destroy (GTK_WINDOW (dialog));
  robot_close (window);
}

/* What is selected on the canvas by ] is seen: its picture is another with each. */
static void
test_canvas (void)
{
  HeddleWindow *window = focus_open_derived ();
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
      focus_await_frame (GTK_WIDGET (window));
      g_assert_true (g_hash_table_add (pictures, focus_take_picture (GTK_WIDGET (window), &area)));
    }
  g_assert_cmpuint (g_hash_table_size (met), >=, 4);
  robot_close (window);
}

/* The row that Enter takes is seen: each Down, which leaves the keyboard in the entry, makes another picture. */
static void
test_commands (void)
{
  HeddleWindow *window = focus_open_derived ();
  g_autoptr (GHashTable) pictures
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.command", NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  robot_until (gtk_widget_get_width (dialog) > 0);
  robot_settle (dialog);
  for (guint i = 0; i < 12; i++)
    {
      const graphene_rect_t all
          = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (dialog), gtk_widget_get_height (dialog));

      robot_settle (dialog);
      g_assert_true (focus_is_text (gtk_window_get_focus (GTK_WINDOW (dialog))));
      g_assert_true (g_hash_table_add (pictures, focus_take_picture (dialog, &all)));
      robot_key (dialog, GDK_KEY_Down, 0);
    }
  robot_strike (GDK_KEY_Escape, 0);
  robot_until (focus_find_dialog (window) == NULL);
  robot_close (window);
}

/* What is opened over a window goes with it, be it at work: what it knows of the window would be of nothing. */
static void
test_goes (gconstpointer action)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *) &dialog);
  robot_close (window);
  robot_until (dialog == NULL);
}

/* --- what is open for a while --- */

static void
test_find (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));

  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_f, GDK_CONTROL_MASK);
  robot_until (gtk_widget_get_mapped (window->find_bar));
  robot_type (canvas, "x");
  g_assert_cmpuint (focus_walk (GTK_WIDGET (window), window->find_bar, GTK_DIR_TAB_FORWARD), >=, 3);
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (window->find_bar));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == canvas);
  robot_close (window);
}

static void
test_optimise (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *dialog = NULL, *open = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.optimise", NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  robot_until ((open = robot_find (dialog, GTK_TYPE_BUTTON, "suggested-action", NULL)) != NULL
               && gtk_widget_get_mapped (open));
  robot_settle (dialog);
  focus_walk_both (dialog, dialog);
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
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *button = robot_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, tip), *inner,
            *popover = NULL;

  g_assert_nonnull (button);
  inner = gtk_widget_get_first_child (button);
  g_assert_true (gtk_widget_grab_focus (inner));
  robot_key (inner, GDK_KEY_space, 0);
  robot_until ((popover = popover_of (button)) != NULL);
  robot_settle (popover);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), popover));
  g_assert_cmpuint (focus_walk (GTK_WIDGET (window), popover, GTK_DIR_TAB_FORWARD), >, 2);
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
  g_test_add_func ("/reach/commands", test_commands);
  g_test_add_data_func ("/reach/commands-go", "win.command", test_goes);
  g_test_add_data_func ("/reach/optimise-goes", "win.optimise", test_goes);
  g_test_add_func ("/reach/find", test_find);
  g_test_add_func ("/reach/optimise", test_optimise);
  g_test_add_func ("/reach/outline", test_outline);
  g_test_add_func ("/reach/steps-list", test_steps);
  g_test_add_func ("/reach/topics", test_topics);
  g_test_add_func ("/reach/canvas", test_canvas);
  g_test_add_data_func (
      "/reach/wishes", "Divisors of tile sizes, the memory budget, and labels of single calls", test_popover);
  return g_test_run ();
}
