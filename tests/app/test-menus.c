/* SPDX-License-Identifier: MIT */

/* Menus, what is added by typing, and what hangs from a label or a button: whoever goes there by the keyboard sees where they are, and
 * comes back to where they were. */

#include "app/derivation/label-chip.h"
#include "app/editor/derive.h"
#include "app/window/window.h"
#include "diagram/document/schedule.h"
#include "focus-walk.h"
#include "robot.h"
#include "app/window/private.h"

/* By Down, till a picture of it is there again: each stop is seen. */
static guint
walk_menu (GtkWidget *popover)
{
  g_autoptr (GHashTable) pictures
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);

  for (;;)
    {
      const graphene_rect_t all
          = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (popover), gtk_widget_get_height (popover));

      robot_settle (popover);
      if (!g_hash_table_add (pictures, focus_take_picture (popover, &all)))
        return g_hash_table_size (pictures);
      robot_key (popover, GDK_KEY_Down, 0);
    }
}

/* The name of what the item that has the keyboard leads to; NULL: nothing. */
static char *
submenu_of_focus (GtkWidget *window)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  char *name = NULL;

  if (focus != NULL && g_object_class_find_property (G_OBJECT_GET_CLASS (focus), "menu-name") != NULL)
    g_object_get (focus, "menu-name", &name, NULL);
  return name;
}

/* Into the first submenu below where one is, through it and out again. */
static void
walk_submenu (GtkWidget *window, GtkWidget *popover)
{
  g_autofree char *name = NULL, *again = NULL;
  guint n = 0;

  for (; (name = submenu_of_focus (window)) == NULL; n++)
    {
      g_assert_cmpuint (n, <, 40);
      robot_key (popover, GDK_KEY_Down, 0);
      robot_settle (popover);
    }
  robot_key (popover, GDK_KEY_Right, 0);
  robot_settle (popover);
  g_assert_cmpuint (walk_menu (popover), >=, 4);
  robot_key (popover, GDK_KEY_Left, 0);
  robot_settle (popover);
  again = submenu_of_focus (window);
  g_assert_cmpstr (again, ==, name);
}

static void
test_main_menu (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *popover = NULL;

  robot_key (GTK_WIDGET (window), GDK_KEY_F10, 0);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (window->menu_button)));
  robot_until (gtk_widget_get_mapped (popover));
  g_assert_cmpuint (walk_menu (popover), >=, 20);
  walk_submenu (GTK_WIDGET (window), popover);
  robot_key (popover, GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (popover));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), window->menu_button));
  robot_close (window);
}

/* Of what is selected, by Shift+F10 and by the menu key. */
static void
test_canvas_menu (void)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
  } ways[] = { { GDK_KEY_F10, GDK_SHIFT_MASK }, { GDK_KEY_Menu, 0 } };
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));

  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_bracketright, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      GtkWidget *menu = NULL;

      robot_key (canvas, ways[i].key, ways[i].modifiers);
      robot_until ((menu = robot_find (canvas, GTK_TYPE_POPOVER_MENU, NULL, NULL)) != NULL
                   && gtk_widget_get_mapped (menu));
      g_assert_cmpuint (walk_menu (menu), >=, 8);
      walk_submenu (GTK_WIDGET (window), menu);
      robot_key (menu, GDK_KEY_Escape, 0);
      robot_until (!gtk_widget_get_mapped (menu));
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == canvas);
    }
  robot_close (window);
}

static void
test_quick_insert (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));

  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_slash, 0);
  robot_until (gtk_widget_get_mapped (window->quick_insert));
  g_assert_cmpuint (walk_menu (window->quick_insert), >=, 8); /* the last one stays */
  g_assert_true (focus_is_text (gtk_window_get_focus (GTK_WINDOW (window))));
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (window->quick_insert));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == canvas);
  robot_close (window);
}

/* The button in the menu button of the first label in the levels. */
static GtkWidget *
find_chip (HeddleWindow *window)
{
  GtkWidget *chip = robot_find (window->drawer, HEDDLE_TYPE_LABEL_CHIP, NULL, NULL);

  return chip != NULL ? gtk_widget_get_first_child (robot_find (chip, GTK_TYPE_MENU_BUTTON, NULL, NULL))
                      : NULL;
}

static guint
count_labels (HeddleWindow *window)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (heddle_window_get_editor (window));
  guint n = 0;

  for (guint i = 0; i < schedule->regions->len; i++)
    n += ((HeddleRegion *) g_ptr_array_index (schedule->regions, i))->labels->len;
  return n;
}

/* Its size by keys and in what opens; the keyboard is somewhere in the levels still when the label is gone. */
static void
test_label (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *inner = find_chip (window), *popover = NULL, *focus = NULL;
  const guint n = count_labels (window);

  g_assert_nonnull (inner);
  g_assert_true (gtk_widget_grab_focus (inner));
  robot_key (inner, GDK_KEY_space, 0);
  robot_until (
      (popover = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (gtk_widget_get_parent (inner)))))
          != NULL
      && gtk_widget_get_mapped (popover));
  robot_settle (popover);
  g_assert_cmpuint (focus_walk (GTK_WIDGET (window), popover, GTK_DIR_TAB_FORWARD), >=, 2);
  robot_key (GTK_WIDGET (window), GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (popover));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == inner);

  robot_key (GTK_WIDGET (window), GDK_KEY_Down, 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == find_chip (window));
  robot_key (GTK_WIDGET (window), GDK_KEY_Delete, 0);
  robot_until (count_labels (window) == n - 1);
  robot_settle (GTK_WIDGET (window));
  focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_get_mapped (focus) && gtk_widget_is_ancestor (focus, window->drawer));
  robot_close (window);
}

/* Opened and left by keys. */
static void
test_explain (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *button = robot_find (window->drawer, GTK_TYPE_MENU_BUTTON, NULL, "What the time is spent on"),
            *inner, *popover = NULL;

  g_assert_nonnull (button);
  inner = gtk_widget_get_first_child (button);
  g_assert_true (gtk_widget_grab_focus (inner));
  robot_key (inner, GDK_KEY_space, 0);
  robot_until ((popover = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))) != NULL
               && gtk_widget_get_mapped (popover));
  robot_key (GTK_WIDGET (window), GDK_KEY_Escape, 0);
  robot_until (!gtk_widget_get_mapped (popover));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == inner);
  robot_close (window);
}

/* Whatever is the outcome of measuring. */
static void
test_measure (void)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *dialog = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.measure", NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  robot_settle (dialog);
  g_assert_cmpuint (focus_walk (dialog, dialog, GTK_DIR_TAB_FORWARD), >=, 1);
  robot_strike (GDK_KEY_Escape, 0);
  robot_until (focus_find_dialog (window) == NULL);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/menus/main", test_main_menu);
  g_test_add_func ("/menus/canvas", test_canvas_menu);
  g_test_add_func ("/menus/quick-insert", test_quick_insert);
  g_test_add_func ("/menus/label", test_label);
  g_test_add_func ("/menus/explain", test_explain);
  g_test_add_func ("/menus/measure", test_measure);
  return g_test_run ();
}
