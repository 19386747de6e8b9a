/* SPDX-License-Identifier: MIT */

/* A person who does not see the screen or does not use a mouse: what is said of the diagram, and all of it by keys. */

#include "app/canvas/canvas.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"
#include "app/canvas/private.h"
#include "app/window/private.h"

static HeddleCanvas *
canvas_of (HeddleWindow *window)
{
  return heddle_window_get_canvas (window);
}

static GtkAccessible *
find_child (HeddleCanvas *canvas, const char *id)
{
  for (guint i = 0; i < canvas->access->len; i++)
    {
      GObject *child = g_ptr_array_index (canvas->access, i);

      if (g_object_get_data (child, "id") == id)
        return GTK_ACCESSIBLE (child);
    }
  g_error ("%s cannot be read", id);
}

static void
test_words (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleCanvas *canvas = canvas_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));
  GtkAccessible *contraction = find_child (canvas, desk_producer_id (window, "S"));
  GtkAccessible *softmax = find_child (canvas, desk_producer_id (window, "P"));

  gtk_test_accessible_assert_role (canvas, GTK_ACCESSIBLE_ROLE_LIST_BOX);
  gtk_test_accessible_assert_role (contraction, GTK_ACCESSIBLE_ROLE_OPTION);
  gtk_test_accessible_assert_property (
      contraction, GTK_ACCESSIBLE_PROPERTY_LABEL, "Contraction over k of Q and K, result S, y by x");
  gtk_test_accessible_assert_property (
      contraction, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "f16[y=4096, x=4096] = 32\u00a0MiB");
  gtk_test_accessible_assert_property (find_child (canvas, heddle_diagram_find_value (diagram, "V")->id),
      GTK_ACCESSIBLE_PROPERTY_LABEL, "V: f16[x=4096, k=128] = 1\u00a0MiB");
  gtk_test_accessible_assert_property (find_child (canvas, heddle_diagram_find_axis (diagram, "k")->id),
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "128");
  gtk_test_accessible_assert_state (softmax, GTK_ACCESSIBLE_STATE_SELECTED, FALSE);
  heddle_editor_select (heddle_window_get_editor (window), desk_producer_id (window, "P"));
  gtk_test_accessible_assert_state (softmax, GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  gtk_test_accessible_assert_relation (canvas, GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, softmax);
  robot_close (window);
}

/* From thing to thing, renamed, deleted, undone: no pointer. */
static void
test_walk (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  GtkWidget *canvas = GTK_WIDGET (canvas_of (window));
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *first = NULL;

  robot_key (canvas, GDK_KEY_bracketright, 0);
  first = heddle_editor_get_selected (editor);
  g_assert_true (first == heddle_diagram_find_value (diagram, "Q")->id);
  for (guint i = 0; i < 3; i++) /* K, V, and the first operation */
    robot_key (canvas, GDK_KEY_bracketright, 0);
  g_assert_true (heddle_editor_get_selected (editor) == desk_producer_id (window, "S"));
  robot_key (canvas, GDK_KEY_bracketleft, 0);
  g_assert_true (heddle_editor_get_selected (editor) == heddle_diagram_find_value (diagram, "V")->id);
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_key (canvas, GDK_KEY_bracketleft, 0); /* the last */
  g_assert_true (heddle_editor_get_selected (editor) == desk_producer_id (window, "O"));

  robot_key (canvas, GDK_KEY_braceright, 0);
  g_assert_nonnull (heddle_diagram_get_axis (diagram, heddle_editor_get_selected (editor)));
  first = heddle_editor_get_selected (editor);
  for (guint i = 0; i < diagram->axes->len; i++)
    robot_key (canvas, GDK_KEY_braceright, 0);
  g_assert_true (heddle_editor_get_selected (editor) == first); /* round and round */
  robot_close (window);
}

/* What is called is named, and how often. */
static void
test_calls (void)
{
  HeddleWindow *window = robot_open ("examples/attention-is-all-you-need.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      g_autofree char *text = heddle_describe_operation (editor, g_ptr_array_index (diagram->operations, i));

      g_string_append_printf (all, "%s; ", text);
    }
  g_assert_nonnull (strstr (all->str, "encode (l times) of "));
  g_assert_nonnull (strstr (all->str, "place of "));
  g_assert_null (strstr (all->str, "Call"));
  robot_close (window);
}

/* What has an inside that is pressed is named outside as well; tabs by what they show, also after it got another title. The rest that can have the
 * keyboard, in all states of all windows: the test `app-names`. */
static void
test_parts (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *button = robot_find (window->drawer, GTK_TYPE_MENU_BUTTON, NULL,
      "Divisors of tile sizes, the memory budget, and labels of single calls");
  GtkWidget *pick = robot_find (window->drawer, GTK_TYPE_DROP_DOWN, NULL, NULL);
  AdwTabPage *page = adw_tab_view_get_selected_page (ADW_TAB_VIEW (window->tab_view));
  GtkWidget *close = NULL;

  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Wishes");
  gtk_test_accessible_assert_property (
      gtk_widget_get_first_child (pick), GTK_ACCESSIBLE_PROPERTY_LABEL, "The GPU the kernel is derived for");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new", NULL);
  robot_settle (GTK_WIDGET (window));
  adw_tab_page_set_title (page, "another.ncd");
  close = robot_find (window->tab_bar, GTK_TYPE_BUTTON, NULL, "Close Tab");
  gtk_test_accessible_assert_property (close, GTK_ACCESSIBLE_PROPERTY_LABEL, "Close Tab");
  gtk_test_accessible_assert_property (
      gtk_widget_get_parent (gtk_widget_get_parent (close)), GTK_ACCESSIBLE_PROPERTY_LABEL, "another.ncd");
  robot_close (window);
}

/* Tab comes to each part of the window, and out of it again. */
static void
test_tab (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *parts[]
      = { window->palette, window->canvas, window->equation_bar, window->inspector, window->drawer };
  gboolean reached[G_N_ELEMENTS (parts)] = { FALSE };
  GtkWidget *first = NULL;

  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  first = gtk_window_get_focus (GTK_WINDOW (window));
  for (guint i = 0; i < 300; i++)
    {
      GtkWidget *focus = NULL;

      /* A text takes the key for itself, as it should: Ctrl+Tab is what leaves it elsewhere, here it is told. */
      gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
      focus = gtk_window_get_focus (GTK_WINDOW (window));
      for (guint j = 0; focus != NULL && j < G_N_ELEMENTS (parts); j++)
        reached[j] |= focus == parts[j] || gtk_widget_is_ancestor (focus, parts[j]);
      if (focus == first)
        break;
    }
  for (guint j = 0; j < G_N_ELEMENTS (parts); j++)
    g_assert_true (reached[j]);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* What is said is kept where a test can read it, without a bus for it. */
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_test_add_func ("/access/words", test_words);
  g_test_add_func ("/access/walk", test_walk);
  g_test_add_func ("/access/calls", test_calls);
  g_test_add_func ("/access/parts", test_parts);
  g_test_add_func ("/access/tab", test_tab);
  return g_test_run ();
}
