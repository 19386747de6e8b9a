/* SPDX-License-Identifier: MIT */

/* Where the time goes, in a real window: kernels by their time, as dots of the roofline and as warmth on the canvas. */

#include "app/derivation/kernel-list.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/roofline-plot.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/kernel-times.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "app/widgets/explain.h"
#include "app/window/window.h"
#include "derive/derivation/derive.h"
#include "derive/report/roofline.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"

#define ATTENTION "examples/attention.ncd"

static GtkWidget *
list_of (HeddleWindow *window)
{
  return robot_find (GTK_WIDGET (window), HEDDLE_TYPE_KERNEL_LIST, NULL, NULL);
}

static HeddleWindow *
open_list (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *each = NULL;

  robot_until (heddle_kernel_list_has_many (HEDDLE_KERNEL_LIST (list_of (window))));
  each = robot_find (GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, NULL, "The time of each kernel");
  robot_until (gtk_widget_get_mapped (each) && gtk_widget_get_width (each) > 0);
  robot_click_middle (each);
  robot_until (gtk_widget_get_mapped (list_of (window)));
  robot_settle (GTK_WIDGET (window));
  return window;
}

static GtkWidget *
row_of (HeddleWindow *window, guint place)
{
  GtkWidget *list = robot_find (list_of (window), GTK_TYPE_LIST_BOX, "kernel-times", NULL);

  return GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) place));
}

/* One equation at a time there are three kernels: the softmax moves most and takes longest. A click selects it on the canvas. */
static void
test_list (void)
{
  HeddleWindow *window = open_list ();
  g_autofree char *card = NULL;

  g_assert_true (gtk_widget_get_mapped (row_of (window, 2)));
  g_assert_false (gtk_widget_get_mapped (row_of (window, 3)));
  card = heddle_explain_get (gtk_widget_get_parent (row_of (window, 0)), 20, 4);
  g_assert_nonnull (strstr (card, " % of all, bound by "));
  robot_click_middle (row_of (window, 0));
  g_assert_true (heddle_editor_is_selected (desk_editor_of (window), desk_producer_id (window, "P")));
  g_assert_false (heddle_editor_is_selected (desk_editor_of (window), desk_producer_id (window, "O")));
  robot_click_middle (row_of (window, 1));
  g_assert_true (heddle_editor_is_selected (desk_editor_of (window), desk_producer_id (window, "O")));
  g_assert_cmpuint (heddle_editor_get_selection (desk_editor_of (window))->len, ==, 1);
  robot_close (window);
}

/* The warmest is the kernel that takes longest; what is not asked for is not shown. */
static void
test_warmth (void)
{
  HeddleWindow *window = open_list ();
  GtkWidget *warmth = robot_find (GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, "warmth", NULL);
  HeddleEditor *editor = desk_editor_of (window);

  g_assert_false (heddle_editor_is_warm (editor));
  robot_click_middle (warmth);
  g_assert_true (heddle_editor_is_warm (editor));
  g_assert_cmpfloat (heddle_editor_get_warmth (editor, desk_producer_id (window, "P")), ==, 1);
  g_assert_cmpfloat (heddle_editor_get_warmth (editor, desk_producer_id (window, "O")), <, 1);
  g_assert_cmpfloat (heddle_editor_get_warmth (editor, desk_producer_id (window, "S")), >, 0);
  g_assert_cmpfloat (heddle_editor_get_warmth (editor, desk_producer_id (window, "S")), <,
      heddle_editor_get_warmth (editor, desk_producer_id (window, "O")));
  robot_click_middle (warmth);
  g_assert_false (heddle_editor_is_warm (editor));
  robot_close (window);
}

/* Each kernel has a dot at its own FLOP per byte and rate; there is none where nothing is. */
static void
test_dots (void)
{
  HeddleWindow *window = open_list ();
  GtkWidget *chart = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_ROOFLINE_CHART, NULL, NULL);
  HeddleEditor *editor = desk_editor_of (window);
  HeddleKernel work = heddle_derivation_total_work (heddle_editor_get_derivation (editor, NULL));
  g_autoptr (GPtrArray) roofs
      = heddle_roofline_roofs (heddle_editor_get_machine (editor), heddle_editor_get_dtype (editor), &work);
  g_autoptr (GPtrArray) measured = g_ptr_array_new (), kernels = g_ptr_array_new ();
  HeddleKernelTime one = { .title = (char *) "S", .point = { 42, 3e14 } },
                   other = { .title = (char *) "O", .point = { 32, 2.5e14 } };
  const HeddlePlotPoint points[HEDDLE_N_PLOT_POINTS] = { 0 };
  HeddlePlot plot;

  g_ptr_array_add (kernels, &one);
  g_ptr_array_add (kernels, &other);
  plot = heddle_plot_make (
      chart, roofs, points, measured, kernels, gtk_widget_get_width (chart), gtk_widget_get_height (chart));
  g_assert_true (
      heddle_plot_find_kernel (&plot, heddle_plot_x (&plot, 42), heddle_plot_y (&plot, 3e14)) == &one);
  g_assert_true (
      heddle_plot_find_kernel (&plot, heddle_plot_x (&plot, 32), heddle_plot_y (&plot, 2.5e14)) == &other);
  g_assert_null (heddle_plot_find_kernel (&plot, heddle_plot_x (&plot, 300), heddle_plot_y (&plot, 3e14)));
  robot_close (window);
}

/* Of one kernel there is no list: the sum is seen again. */
static void
test_one (void)
{
  HeddleWindow *window = open_list ();

  heddle_editor_select (desk_editor_of (window), NULL);
  robot_click_middle (
      robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "The best kernels and labels for this GPU"));
  robot_until (!heddle_kernel_list_has_many (HEDDLE_KERNEL_LIST (list_of (window))));
  g_assert_false (gtk_widget_get_visible (list_of (window)));
  g_assert_true (
      gtk_widget_get_visible (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_PREDICTED_CARD, NULL, NULL)));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/kernels/list", test_list);
  g_test_add_func ("/kernels/warmth", test_warmth);
  g_test_add_func ("/kernels/dots", test_dots);
  g_test_add_func ("/kernels/one", test_one);
  return g_test_run ();
}
