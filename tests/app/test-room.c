/* SPDX-License-Identifier: MIT */

/* How much of the window the diagram has: the panes give way to what is done. */

#include "app/canvas/canvas.h"
#include "app/canvas/minimap.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/derivation/pane.h"
#include "app/widgets/settings.h"
#include "app/window/panes.h"
#include "app/window/private.h"
#include "app/window/window.h"
#include "robot.h"

/* What part of the window the canvas has. */
static double
get_share (HeddleWindow *window)
{
  return (double) gtk_widget_get_width (window->canvas) * gtk_widget_get_height (window->canvas)
         / gtk_widget_get_width (GTK_WIDGET (window)) / gtk_widget_get_height (GTK_WIDGET (window));
}

/* As somebody finds it who never changed a setting. */
static HeddleWindow *
open_fresh (const char *file)
{
  static const char *const keys[]
      = { "palette-visible", "palette-while-deriving", "inspector-visible", "derivation-open",
          "drawer-visible", "equations-visible", "equations-while-deriving", "equations-height" };

  robot_start ();
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (heddle_settings_get (), keys[i]);
  return robot_open (file);
}

static gboolean
is_deriving (HeddleWindow *window)
{
  return heddle_derivation_pane_is_open (heddle_window_get_derivation_pane (window));
}

static gboolean
shows_palette (HeddleWindow *window)
{
  return adw_flap_get_reveal_flap (ADW_FLAP (window->palette_flap));
}

/* The palette slides: its room is the canvas's when it has come to rest. */
static void
wait_for_palette (HeddleWindow *window, double progress)
{
  robot_until (adw_flap_get_reveal_progress (ADW_FLAP (window->palette_flap)) == progress);
  robot_settle (GTK_WIDGET (window));
}

static void
test_share (void)
{
  HeddleWindow *window = open_fresh ("examples/attention.ncd");

  g_assert_false (is_deriving (window));
  g_assert_true (shows_palette (window));
  g_test_message ("drawing: %.3f of the window", get_share (window));
  g_assert_cmpfloat (get_share (window), >=, .7);
  g_assert_cmpint (gtk_widget_get_height (window->drawer), <=, 56);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  g_assert_true (is_deriving (window));
  wait_for_palette (window, 0);
  g_test_message ("deriving: %.3f of the window", get_share (window));
  g_assert_cmpfloat (get_share (window), >=, .45);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  wait_for_palette (window, 1);
  g_assert_cmpfloat (get_share (window), >=, .7);
  robot_close (window);
}

/* Whoever shows the palette while deriving wants it then, and says nothing of drawing. */
static void
test_wish (void)
{
  HeddleWindow *window = open_fresh ("examples/attention.ncd");

  robot_key (window->canvas, GDK_KEY_F9, 0);
  wait_for_palette (window, 0);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  robot_key (window->canvas, GDK_KEY_F9, 0);
  wait_for_palette (window, 1);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  wait_for_palette (window, 0);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  wait_for_palette (window, 1);
  robot_close (window);
}

/* A click on the words of the folded row, and a drag of its edge, open it; its pickers stay what they are. */
static void
test_opening (void)
{
  HeddleWindow *window = open_fresh ("examples/attention.ncd");
  const int y = gtk_widget_get_height (window->drawer) / 2;

  robot_click (window->drawer, gtk_widget_get_width (window->drawer) - 40, y);
  robot_until (is_deriving (window));
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  robot_settle (GTK_WIDGET (window));
  g_assert_false (is_deriving (window));
  robot_drag (window->drawer, 500, -3, window->drawer, 500, -120);
  robot_until (is_deriving (window));
  robot_close (window);
}

/* The equations are as high as somebody dragged them, also in the next window, and one line while deriving. */
static void
test_equations (void)
{
  HeddleWindow *window = open_fresh ("examples/attention.ncd");
  const int before = gtk_widget_get_height (window->equation_bar);
  int after;

  g_assert_cmpint (before, <, 80);
  robot_drag (window->equation_bar, 600, -3, window->equation_bar, 600, -83);
  robot_settle (GTK_WIDGET (window));
  after = gtk_widget_get_height (window->equation_bar);
  g_assert_cmpint (abs (after - before - 80), <=, 4);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_height (window->equation_bar), <, before);
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (abs (gtk_widget_get_height (window->equation_bar) - after), <=, 10);
  robot_close (window);
  window = robot_open ("examples/attention.ncd");
  g_assert_cmpint (abs (gtk_widget_get_height (window->equation_bar) - after), <=, 10);
  robot_close (window);
}

/* A diagram that can only be seen whole with labels too small to read is shown from its beginning, beside its map. */
static void
test_fit (void)
{
  HeddleWindow *window = open_fresh ("examples/attention-is-all-you-need.ncd");
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  double x, y, width, height, left, top;

  heddle_canvas_fit (canvas);
  robot_until (gtk_widget_get_mapped (window->minimap));
  g_assert_cmpfloat (16 * heddle_canvas_get_zoom (canvas), >=, 8.5);
  heddle_canvas_get_extent (canvas, &x, &y, &width, &height);
  heddle_canvas_to_widget (canvas, x, y, &left, &top);
  g_assert_cmpfloat (left, >=, 0);
  g_assert_cmpfloat (top, >=, 0);
  g_assert_cmpfloat (top, <, 60);
  robot_close (window);
}

static guint
check_buttons (GtkWidget *widget, HeddleWindow *window)
{
  guint n = 0;
  graphene_rect_t bounds;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (GTK_IS_BUTTON (widget) && gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &bounds))
    {
      g_assert_cmpfloat (bounds.origin.x, >=, 0);
      g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (GTK_WIDGET (window)));
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_buttons (child, window);
  return n;
}

/* On a small notebook every button of the derivation is whole, its steps' too, and the diagram has a third of the window. */
static void
test_small (void)
{
  HeddleWindow *window = open_fresh ("examples/attention.ncd");

  gtk_window_set_default_size (GTK_WINDOW (window), 1366, 768);
  robot_until (gtk_widget_get_width (GTK_WIDGET (window)) < 1400);
  robot_settle (GTK_WIDGET (window));
  robot_key (window->canvas, GDK_KEY_j, GDK_CONTROL_MASK);
  wait_for_palette (window, 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpuint (check_buttons (window->drawer, window), >=, 14);
  g_assert_cmpfloat (get_share (window), >=, .33);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/room/share", test_share);
  g_test_add_func ("/room/wish", test_wish);
  g_test_add_func ("/room/opening", test_opening);
  g_test_add_func ("/room/equations", test_equations);
  g_test_add_func ("/room/fit", test_fit);
  g_test_add_func ("/room/small", test_small);
  return g_test_run ();
}
