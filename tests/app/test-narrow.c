/* SPDX-License-Identifier: MIT */

/* A window as narrow as half of a small screen: nothing that is worked with is beyond its edge. */

#include "app/canvas/canvas.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/derivation/actions.h"
#include "app/derivation/compare-page.h"
#include "app/derivation/compare-table.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/level-half.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/suggestion-actions.h"
#include "app/derivation/target-picker.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/widgets/settings.h"
#include "app/window/open.h"
#include "app/window/window.h"
#include "robot.h"
#include "app/window/private.h"
#include "derive/machine/find.h"

#define WIDTH 420

static HeddleWindow *
open_narrow (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");

  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, 900);
  robot_until (gtk_widget_get_width (GTK_WIDGET (window)) < 1.1 * WIDTH);
  robot_settle (GTK_WIDGET (window));
  return window;
}

static void
derive (HeddleWindow *window)
{
  HeddleEditor *editor = heddle_window_get_editor (window);

  heddle_derivation_fuse (editor);
  heddle_derivation_suggest (editor);
  robot_until (!heddle_editor_is_searching (editor) && heddle_editor_get_derivation (editor, NULL) != NULL);
  robot_settle (GTK_WIDGET (window));
}

/* Both ends of it are in the window. */
static void
assert_within (GtkWidget *widget, HeddleWindow *window)
{
  double left, right;

  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (window), 0, 0, &left, NULL));
  g_assert_true (gtk_widget_translate_coordinates (
      widget, GTK_WIDGET (window), gtk_widget_get_width (widget), 0, &right, NULL));
  g_assert_cmpfloat (MIN (left, right), >=, 0);
  g_assert_cmpfloat (MAX (left, right), <=, gtk_widget_get_width (GTK_WIDGET (window)));
}

static guint
check_halves (GtkWidget *widget, HeddleWindow *window)
{
  guint n = 0;

  if (HEDDLE_IS_LEVEL_HALF (widget))
    {
      assert_within (widget, window);
      return 1;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_halves (child, window);
  return n;
}

/* Where an axis is dropped: also beside labels that are there already. */
static void
test_halves (void)
{
  HeddleWindow *window = open_narrow ();

  g_assert_cmpuint (check_halves (window->drawer, window), >=, 4);
  derive (window);
  g_assert_cmpuint (check_halves (window->drawer, window), >=, 4);
  robot_close (window);
}

/* The columns of what is moved and held reach over the diagram on both sides: it is shown from their beginning. */
static void
test_columns (void)
{
  HeddleWindow *window = open_narrow ();
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  double x, y, width, height, left, right, top;

  derive (window);
  heddle_canvas_fit (canvas);
  heddle_canvas_get_extent (canvas, &x, &y, &width, &height);
  heddle_canvas_to_widget (canvas, x, y, &left, &top);
  heddle_canvas_to_widget (canvas, x + width, y, &right, &top);
  g_assert_cmpfloat (left, >=, 0);
  g_assert_cmpfloat (left, <, 60);
  g_assert_cmpfloat (
      right, >, gtk_widget_get_width (GTK_WIDGET (canvas))); /* smaller, nobody could read it */
  robot_until (gtk_widget_get_mapped (window->minimap));
  robot_until (gtk_widget_get_width (window->minimap) <= .31 * gtk_widget_get_width (GTK_WIDGET (canvas)));
  robot_close (window);
}

/* Those compared stand below each other, and all of it is within the window; in a wide one they stand beside each other again. */
static void
test_compare (void)
{
  HeddleWindow *window = open_narrow ();
  GtkWidget *page = robot_find (window->drawer, HEDDLE_TYPE_COMPARE_PAGE, NULL, NULL), *first, *second;
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);
  GtkWidget *table = robot_find (page, HEDDLE_TYPE_COMPARE_TABLE, NULL, NULL);
  double x, y;

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "compare");
  robot_until (heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page)) != NULL
               && heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page))->crossings);
  robot_settle (GTK_WIDGET (window));
  assert_within (table, window);
  first = robot_find (table, HEDDLE_TYPE_TARGET_PICKER, NULL, NULL);
  second = gtk_widget_get_next_sibling (first);
  g_assert_true (HEDDLE_IS_TARGET_PICKER (second));
  g_assert_true (gtk_widget_translate_coordinates (second, first, 0, 0, &x, &y));
  g_assert_cmpfloat (x, ==, 0);
  g_assert_cmpfloat (y, >, 100);
  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 900);
  robot_until (gtk_widget_get_width (GTK_WIDGET (window)) > 1300);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_translate_coordinates (second, first, 0, 0, &x, &y));
  g_assert_cmpfloat (x, >, 0);
  g_assert_cmpfloat (y, ==, 0);
  robot_close (window);
}

/* Both texts are within the window, below each other. */
static void
test_kernel (void)
{
  HeddleWindow *window = open_narrow ();
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);
  GtkWidget *page = robot_find (window->drawer, HEDDLE_TYPE_KERNEL_PAGE, NULL, NULL);
  GtkWidget *cuda = GTK_WIDGET (heddle_kernel_page_get_cuda (HEDDLE_KERNEL_PAGE (page)));
  double x, y;

  derive (window);
  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "kernel");
  robot_until (heddle_kernel_page_get_state (HEDDLE_KERNEL_PAGE (page), NULL) == HEDDLE_KERNEL_PLANNED);
  robot_settle (GTK_WIDGET (window));
  assert_within (cuda, window);
  g_assert_true (gtk_widget_translate_coordinates (
      cuda, GTK_WIDGET (heddle_kernel_page_get_program (HEDDLE_KERNEL_PAGE (page))), 0, 0, &x, &y));
  g_assert_cmpfloat (x, ==, 0);
  g_assert_cmpfloat (y, >, 0);
  robot_close (window);
}

static gboolean
menu_has (GMenuModel *menu, const char *action)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) submenu = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autofree char *own = NULL;

      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &own);
      if (g_strcmp0 (own, action) == 0 || (section != NULL && menu_has (section, action))
          || (submenu != NULL && menu_has (submenu, action)))
        return TRUE;
    }
  return FALSE;
}

/* A toggle of the header is seen, or in the menu alone. */
static guint
count_toggles (GtkWidget *widget, GMenuModel *menu)
{
  guint n = 0;

  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) != NULL)
    {
      g_assert_true (menu_has (menu, gtk_actionable_get_action_name (GTK_ACTIONABLE (widget))));
      return gtk_widget_get_mapped (widget);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_toggles (child, menu);
  return n;
}

/* The name is read whole, for which the header's buttons give way: the menu has what they do. */
static void
test_title (void)
{
  HeddleWindow *window = open_narrow ();
  GMenuModel *menu = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (window->menu_button));
  GtkWidget *header = gtk_widget_get_ancestor (window->title, ADW_TYPE_HEADER_BAR);

  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (window->title))));
  g_assert_cmpuint (count_toggles (header, menu), ==, 0);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 900);
  robot_until (gtk_widget_get_width (GTK_WIDGET (window)) > 900);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpuint (count_toggles (header, menu), ==, 3);
  robot_close (window);
}

/* Where letters are twice as large, levels, roofline and prediction are beside each other in a window as wide as usual. */
static void
test_levels_large (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  HeddleWindow *window;
  GtkWidget *predicted;
  int usual;

  g_object_get (settings, "gtk-xft-dpi", &usual, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  window = robot_open ("examples/attention.ncd");
  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 900);
  predicted = robot_find (window->drawer, HEDDLE_TYPE_PREDICTED_CARD, NULL, NULL);
  derive (window);
  for (guint i = 0; i < 5; i++)
    robot_settle (GTK_WIDGET (window));
  assert_within (predicted, window);
  g_assert_cmpuint (check_halves (window->drawer, window), >=, 4);
  robot_close (window);
  g_object_set (settings, "gtk-xft-dpi", usual, NULL);
}

static void
count_moves (GtkWidget *flap, GParamSpec *pspec, guint *n)
{
  *n += gtk_widget_get_mapped (flap);
}

/* A document comes into a window that is too narrow for its panes: they are folded before they are seen, and wider windows have them still. */
static void
test_opened (void)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", "attention.ncd", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HeddleWindow *window = robot_open_nothing ();
  guint n = 0;

  g_signal_connect (window->inspector_flap, "notify::reveal-progress", G_CALLBACK (count_moves), &n);
  g_signal_connect (window->palette_flap, "notify::reveal-progress", G_CALLBACK (count_moves), &n);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, 900);
  robot_until (gtk_widget_get_width (GTK_WIDGET (window)) < 1.1 * WIDTH);
  robot_settle (GTK_WIDGET (window));
  heddle_window_show_or_open (window, file);
  robot_until (heddle_window_get_editor (window) != NULL);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (adw_flap_get_folded (ADW_FLAP (window->inspector_flap)));
  g_assert_true (adw_flap_get_folded (ADW_FLAP (window->palette_flap)));
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (g_settings_get_boolean (heddle_settings_get (), "palette-visible"));
  g_assert_true (g_settings_get_boolean (heddle_settings_get (), "inspector-visible"));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/narrow/opened", test_opened);
  g_test_add_func ("/narrow/halves", test_halves);
  g_test_add_func ("/narrow/columns", test_columns);
  g_test_add_func ("/narrow/compare", test_compare);
  g_test_add_func ("/narrow/kernel", test_kernel);
  g_test_add_func ("/narrow/title", test_title);
  g_test_add_func ("/narrow/levels-large", test_levels_large);
  return g_test_run ();
}
