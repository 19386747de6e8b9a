/* SPDX-License-Identifier: MIT */

/* A tab is taken out of its bar by the pointer: wherever it is let go, it is in
 * one window afterwards. */

#include "app/window/open.h"
#include "app/window/window.h"
#include "robot.h"
#include "app/window/private.h"
#include "derive/machine/find.h"

static GtkApplication *
application (void)
{
  return GTK_APPLICATION (g_application_get_default ());
}

static guint
n_windows (void)
{
  return g_list_length (gtk_application_get_windows (application ()));
}

static AdwTabView *
tabs_of (HeddleWindow *window)
{
  return ADW_TAB_VIEW (window->tab_view);
}

static const char *
title_of (HeddleWindow *window, int which)
{
  return adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs_of (window), which));
}

/* A window in the corner of the screen, with tabs of three documents; whatever
 * is beside it is the desktop. */
static HeddleWindow *
open_three (void)
{
  static const char *const names[] = { "softmax.ncd", "layer-norm.ncd" };
  HeddleWindow *window = robot_open ("examples/attention.ncd");

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", names[i], NULL);

      g_assert_true (heddle_window_open_example (window, path));
    }
  robot_place (GTK_WIDGET (window), 0, 0);
  robot_settle (GTK_WIDGET (window));
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_of (window)), ==, 3);
  return window;
}

static HeddleWindow *
other_than (HeddleWindow *window)
{
  for (GList *l = gtk_application_get_windows (application ()); l != NULL; l = l->next)
    if (l->data != window)
      return l->data;
  return NULL;
}

static void
test_desktop (void)
{
  HeddleWindow *window = open_three (), *other = NULL;
  GtkWidget *bar = window->tab_bar;
  g_autofree char *title = g_strdup (title_of (window, 2));
  const double middle = gtk_widget_get_height (bar) / 2.;

  robot_drag (bar, gtk_widget_get_width (bar) * 5 / 6., middle, bar, 1500, 1000);
  robot_until (n_windows () == 2);
  other = other_than (window);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_of (window)), ==, 2);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_of (other)), ==, 1);
  g_assert_cmpstr (title_of (other, 0), ==, title);
  robot_close (other);

  /* Nothing of it is left: another one can be taken. GTK 4.8 has not seen the
   * button let go, and takes the next press for its end. */
  robot_click (bar, 10, middle);
  robot_drag (bar, gtk_widget_get_width (bar) / 4., middle, bar, 1500, 1000);
  robot_until (n_windows () == 2);
  robot_close (other_than (window));
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_of (window)), ==, 1);
  robot_close (window);
}

static int
n_tabs (void)
{
  int n = 0;

  for (GList *l = gtk_application_get_windows (application ()); l != NULL; l = l->next)
    n += adw_tab_view_get_n_pages (tabs_of (l->data));
  return n;
}

/* Out of the bar and in again, faster than the gaps in it close. */
static void
test_wiggle (void)
{
  HeddleWindow *window = open_three ();
  GtkWidget *bar = window->tab_bar;
  const double x = gtk_widget_get_width (bar) - 100, middle = gtk_widget_get_height (bar) / 2.;

  robot_move (bar, x, middle);
  robot_press ();
  robot_settle (bar);
  for (guint i = 0; i < 8; i++)
    {
      robot_point (bar, x, middle + (i % 2 == 0 ? 200 : 0));
      for (guint j = 0; j < 3; j++)
        robot_step ();
    }
  robot_release ();
  robot_until (!adw_tab_view_get_is_transferring_page (tabs_of (window)));
  robot_until (n_tabs () == 3);
  while (n_windows () > 1)
    robot_close (other_than (window));
  robot_close (window);
}

/* Out of the bar and in again, each time at rest: what left a gap for it in the bar is gone when the pointer has left, while GTK still tells
 * those that it left. */
static void
test_in_and_out (void)
{
  HeddleWindow *window = open_three ();
  GtkWidget *bar = window->tab_bar;
  const double x = gtk_widget_get_width (bar) - 100, middle = gtk_widget_get_height (bar) / 2.;

  robot_move (bar, x, middle);
  robot_press ();
  robot_settle (bar);
  for (guint i = 0; i < 24; i++)
    for (guint j = 0; j < 6; j++)
      robot_move (bar, x - 3 * j, middle + (i % 2 == 0 ? 200 + j : j % 2));
  robot_release ();
  robot_until (!adw_tab_view_get_is_transferring_page (tabs_of (window)));
  robot_until (n_tabs () == 3);
  while (n_windows () > 1)
    robot_close (other_than (window));
  robot_close (window);
}

/* An operation is carried over a tab that is closed meanwhile, or has been a moment ago. */
static void
test_rest_on_closed (gconstpointer data)
{
  const gboolean before = GPOINTER_TO_INT (data);
  HeddleWindow *window = open_three ();
  GtkWidget *bar = window->tab_bar,
            *entry = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "palette-tile", NULL);
  AdwTabView *tabs = tabs_of (window);
  const double middle = gtk_widget_get_height (bar) / 2.;
  gint64 end;

  robot_move (entry, 10, 10);
  robot_press ();
  for (guint i = 1; i < 6; i++)
    robot_move (entry, 10 + 8 * i, 10 + 4 * i);
  if (before)
    adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, 0));
  robot_point (bar, 100, middle);
  for (guint i = 0; i < 20; i++)
    robot_step ();
  robot_point (bar, 104, middle);
  for (guint i = 0; i < 20; i++)
    robot_step ();
  if (!before)
    adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, 0));
  end = g_get_monotonic_time () + G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end)
    robot_step ();
  robot_release ();
  robot_settle (bar);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tab-drag/desktop", test_desktop);
  g_test_add_func ("/tab-drag/wiggle", test_wiggle);
  g_test_add_func ("/tab-drag/in-and-out", test_in_and_out);
  g_test_add_data_func ("/tab-drag/closed-under", GINT_TO_POINTER (FALSE), test_rest_on_closed);
  g_test_add_data_func ("/tab-drag/closed-before", GINT_TO_POINTER (TRUE), test_rest_on_closed);
  return g_test_run ();
}
