/* SPDX-License-Identifier: MIT */

/* What helps a person who is new, and one who forgot: shortcuts, tooltips, help, the tour, preferences, empty places. */

#include <string.h>

#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/move.h"
#include "app/derivation/pane.h"
#include "app/equations/equation-bar.h"
#include "app/guide/help-window.h"
#include "app/guide/markdown.h"
#include "app/guide/preferences.h"
#include "app/guide/tour.h"
#include "app/panes/examples.h"
#include "app/widgets/settings.h"
#include "app/window/open.h"
#include "app/window/panes.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"
#include "app/window/private.h"
#include "derive/machine/find.h"

/* --- shortcuts --- */

static void
add_accelerators (GtkWidget *root, GHashTable *found)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (root))
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) parts = NULL;

      g_object_get (root, "accelerator", &text, NULL);
      parts = g_strsplit (text != NULL ? text : "", " ", -1);
      for (guint i = 0; parts[i] != NULL; i++)
        {
          GdkModifierType modifiers;
          guint key;

          if (*parts[i] == '\0')
            continue;
          g_assert_true (gtk_accelerator_parse (parts[i], &key, &modifiers));
          g_hash_table_add (found, gtk_accelerator_name (key, modifiers));
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_accelerators (child, found);
}

/* Whatever key the application listens to stands in the shortcuts window. */
static void
test_shortcuts (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = 0;

  add_accelerators (
      GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window))), found);
  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, actions[i]);

      for (guint j = 0; accels[j] != NULL; j++, n++)
        {
          GdkModifierType modifiers;
          guint key;
          g_autofree char *name = NULL;

          g_assert_true (gtk_accelerator_parse (accels[j], &key, &modifiers));
          name = gtk_accelerator_name (key, modifiers);
          if (!g_hash_table_contains (found, name))
            g_error ("%s (%s) is not in the shortcuts window", name, actions[i]);
        }
    }
  g_assert_cmpuint (n, >, 25);
  robot_close (window);
}

/* No key does two things. */
static void
test_no_shortcut_twice (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, actions[i]);

      for (guint j = 0; accels[j] != NULL; j++)
        {
          g_auto (GStrv) doing = gtk_application_get_actions_for_accel (application, accels[j]);

          g_assert_cmpuint (g_strv_length (doing), ==, 1);
        }
    }
  robot_close (window);
}

static void
test_tooltips (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");

  g_assert_cmpstr (gtk_widget_get_tooltip_text (window->undo_button), ==, "Undo (Ctrl+Z)");
  g_assert_nonnull (robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "Fit in View (Ctrl+0)"));
  g_assert_nonnull (robot_find (GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, NULL, "Inspector (Ctrl+I)"));
  robot_close (window);
}

/* Asks the toolkit whether it would show a tooltip for @widget at the pointer. */
static gboolean
shows_tooltip (GtkWidget *widget)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;

  g_signal_emit_by_name (widget, "query-tooltip", 5, 5, FALSE, tooltip, &shown);
  return shown;
}

static gboolean
card_is_shown (HeddleWindow *window)
{
  GtkWidget *card = robot_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "hover-card", NULL);

  return card != NULL && gtk_widget_get_mapped (card);
}

/* While the menu of a button is open, nothing says over it what the button does. */
static void
test_tooltips_of_menus (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *wishes = robot_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL,
      "Divisors of tile sizes, the memory budget, and labels of single calls");
  GtkWidget *menu = robot_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, "Main Menu");
  GtkPopover *popover = NULL;
  gint64 end;

  g_assert_true (shows_tooltip (menu));
  gtk_menu_button_popup (GTK_MENU_BUTTON (menu));
  g_assert_false (shows_tooltip (menu));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (menu));
  g_assert_true (shows_tooltip (menu));
  robot_move (wishes, 10, 10);
  robot_until (card_is_shown (window));
  robot_click (wishes, 10, 10);
  robot_until ((popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (wishes))) != NULL
               && gtk_widget_get_mapped (GTK_WIDGET (popover)));
  robot_move (wishes, 12, 11);
  end = g_get_monotonic_time () + 800 * G_TIME_SPAN_MILLISECOND; /* longer than a tooltip waits */
  while (g_get_monotonic_time () < end)
    {
      g_assert_false (card_is_shown (window));
      robot_step ();
    }
  gtk_popover_popdown (popover);
  robot_until (!gtk_widget_get_mapped (GTK_WIDGET (popover)));
  robot_close (window);
}

/* Finding, the view and a further diagram are in the header; of a long name a tab shows the beginning. */
static void
test_header (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkWidget *add = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "New Diagram (Ctrl+N)");
  g_autofree char *path
      = g_build_filename (heddle_data_directory (), "examples/sequence-parallel-attention.ncd", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  AdwTabPage *tab = NULL;

  g_assert_true (gtk_widget_get_mapped (
      robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "Find by Name (Ctrl+F)")));
  g_assert_true (gtk_widget_get_mapped (window->view_button));
  g_assert_true (gtk_widget_get_mapped (add));
  for (int i = 0; i < 6; i++)
    g_action_group_activate_action (G_ACTION_GROUP (window), "new", NULL);
  robot_until (!gtk_widget_get_visible (add)); /* the bar of tabs has one */
  g_assert_true (heddle_window_open_file (window, file));
  robot_until (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)) == 8);
  robot_settle (GTK_WIDGET (window));
  tab = adw_tab_view_get_selected_page (ADW_TAB_VIEW (window->tab_view));
  g_assert_true (g_str_has_prefix (adw_tab_page_get_title (tab), "sequence"));
  g_assert_true (g_str_has_suffix (adw_tab_page_get_title (tab), "…"));
  g_assert_cmpstr (adw_tab_page_get_tooltip (tab), ==, "sequence-parallel-attention.ncd");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "sequence-parallel-attention.ncd");
  robot_close (window);
}

/* However short the name is, the dot that says that it is not saved stands beside it. */
static void
test_unsaved_dot (void)
{
  HeddleWindow *window = robot_open ("examples/repeat.ncd");
  graphene_rect_t dot, title;
  int width;

  heddle_editor_select (heddle_window_get_editor (window),
      ((HeddleOperation *) heddle_editor_get_diagram (heddle_window_get_editor (window))
              ->operations->pdata[0])
          ->id);
  heddle_edits_delete_selection (heddle_window_get_editor (window));
  robot_until (gtk_widget_get_mapped (window->unsaved_dot) && gtk_widget_get_width (window->unsaved_dot) > 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_compute_bounds (window->unsaved_dot, GTK_WIDGET (window), &dot));
  g_assert_true (gtk_widget_compute_bounds (window->title, GTK_WIDGET (window), &title));
  pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (window->title)), &width, NULL);
  g_assert_cmpfloat (title.origin.x + (title.size.width - width) / 2 - dot.origin.x - dot.size.width, <, 20);
  robot_close (window);
}

/* --- signs --- */

static gboolean
says (GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL (root) && gtk_widget_get_mapped (root)
      && g_strcmp0 (gtk_label_get_text (GTK_LABEL (root)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

/* The palette is a legend of its signs when it is asked for their names, and stays one in the next window. */
static void
test_names_of_signs (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkWidget *toggle = robot_find (window->palette, GTK_TYPE_TOGGLE_BUTTON, NULL, "Names Beside the Signs");

  g_assert_false (says (window->palette, "ReLU"));
  robot_click (toggle, gtk_widget_get_width (toggle) / 2., gtk_widget_get_height (toggle) / 2.);
  robot_until (says (window->palette, "ReLU"));
  robot_settle (GTK_WIDGET (window));
  g_assert_nonnull (robot_find (window->palette, GTK_TYPE_BUTTON, "palette-tile", "ReLU"));
  g_assert_cmpint (gtk_widget_get_width (window->palette), <=, 260); /* no wider than with signs alone */
  robot_close (window);
  window = robot_open ("examples/softmax.ncd");
  robot_until (says (window->palette, "ReLU"));
  g_settings_reset (heddle_settings_get (), "palette-list");
  robot_until (!says (window->palette, "ReLU"));
  robot_close (window);
}

/* --- examples --- */

static guint
count_cards (GtkWidget *root)
{
  guint n = gtk_widget_has_css_class (root, "example-card") && gtk_widget_get_mapped (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_cards (child);
  return n;
}

/* Each example has a proper name, stands in a group that is not that of what nobody knows, and is found by words. */
static void
test_examples (void)
{
  g_autoptr (GPtrArray) paths = heddle_examples_list ();
  g_autofree char *title = heddle_example_title ("/elsewhere/fp8-attention.ncd");
  g_autofree char *other = heddle_example_title ("/elsewhere/my-thing.ncd");
  HeddleWindow *window = robot_open_nothing ();
  GtkWidget *search = robot_find (window->start_page, GTK_TYPE_SEARCH_ENTRY, NULL, NULL);
  guint n_groups = 1;

  g_assert_cmpstr (title, ==, "FP8 Attention");
  g_assert_cmpstr (other, ==, "My Thing");
  g_assert_cmpstr (heddle_example_group ("/elsewhere/my-thing.ncd"), ==, "Others");
  g_assert_true (g_str_has_suffix (g_ptr_array_index (paths, 0), "/attention.ncd"));
  for (guint i = 0; i < paths->len; i++)
    {
      const char *group = heddle_example_group (g_ptr_array_index (paths, i));

      g_assert_cmpstr (group, !=, "Others");
      if (i > 0)
        n_groups += !g_str_equal (group, heddle_example_group (g_ptr_array_index (paths, i - 1)));
    }
  g_assert_cmpuint (n_groups, ==, 6);
  robot_until (count_cards (window->start_page) == paths->len);
  gtk_editable_set_text (GTK_EDITABLE (search), "ATTENTION fp8");
  robot_until (count_cards (window->start_page) == 1);
  gtk_editable_set_text (GTK_EDITABLE (search), "no such thing");
  robot_until (count_cards (window->start_page) == 0);
  gtk_editable_set_text (GTK_EDITABLE (search), "");
  robot_until (count_cards (window->start_page) == paths->len);
  robot_close (window);
}

/* --- help --- */

static void
check_link (const char *markup, const char *folder)
{
  for (const char *at = strstr (markup, "href=\""); at != NULL; at = strstr (at + 1, "href=\""))
    {
      g_autofree char *name = g_strndup (at + 6, strcspn (at + 6, "\""));
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
    }
}

/* Each page begins with its title, each link leads somewhere, each line is markup that can be shown; in each language. */
static void
test_help_pages (gconstpointer language)
{
  g_autofree char *folder = g_build_filename (heddle_data_directory (), "help", language, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GtkWidget *label = NULL;
  const char *name;
  guint n = 0;

  robot_start ();
  label = g_object_ref_sink (gtk_label_new (NULL));
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      g_autofree char *title = NULL;
      g_auto (GStrv) lines = NULL;

      if (!g_str_has_suffix (name, ".md"))
        continue;
      n++;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      title = heddle_markdown_title (text);
      g_assert_nonnull (title);
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        {
          g_autofree char *markup = heddle_markdown_to_markup (lines[i]);

          gtk_label_set_markup (GTK_LABEL (label), markup); /* which warns of what it cannot read */
          check_link (markup, folder);
        }
    }
  g_assert_cmpuint (n, >=, 6);
  g_object_unref (label);
}

static void
test_markdown (void)
{
  g_autofree char *markup = heddle_markdown_to_markup ("a **b** `c<d` [e](f.md) * g");
  g_autofree char *open = heddle_markdown_to_markup ("**no end, [no link");

  g_assert_cmpstr (markup, ==, "a <b>b</b> <tt>c&lt;d</tt> <a href=\"f.md\">e</a> * g");
  g_assert_cmpstr (open, ==, "**no end, [no link");
}

static HeddleHelpWindow *
find_help (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (HEDDLE_IS_HELP_WINDOW (window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return HEDDLE_HELP_WINDOW (window);
    }
  return NULL;
}

/* The row of a page in the list of pages. */
static GtkWidget *
find_titled_row (GtkWidget *root, const char *title)
{
  if (GTK_IS_LIST_BOX_ROW (root))
    {
      GtkWidget *label = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (root));

      return GTK_IS_LABEL (label) && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), title) ? root
                                                                                                 : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_titled_row (child, title);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_help (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleHelpWindow *help = NULL;

  robot_key (desk_canvas_of (window), GDK_KEY_F1, 0);
  robot_until ((help = find_help ()) != NULL);
  g_assert_cmpstr (heddle_help_window_get_page (help), ==, "10-first-steps.md");
  g_assert_true (heddle_help_window_show (help, "40-deriving.md"));
  g_assert_cmpstr (heddle_help_window_get_page (help), ==, "40-deriving.md");
  g_assert_false (heddle_help_window_show (help, "../ncd.rng"));
  robot_settle (GTK_WIDGET (help));
  robot_key (GTK_WIDGET (window), GDK_KEY_Escape, 0); /* goes to what has the focus */
  robot_until (find_help () == NULL);
  robot_close (window);
}

/* In the person's language; in English where it has no page. */
static void
test_help_language (void)
{
  static const char *const titles[][2] = { { "de_AT.UTF-8", "Erste Schritte" }, { "fr:de", "Erste Schritte" },
    { "fr", "First steps" }, { "en_GB:de", "First steps" } };
  HeddleWindow *window = robot_open ("examples/softmax.ncd");

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      HeddleHelpWindow *help = NULL;

      g_setenv ("LANGUAGE", titles[i][0], TRUE);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.help", NULL);
      robot_until ((help = find_help ()) != NULL);
      g_assert_nonnull (find_titled_row (GTK_WIDGET (help), titles[i][1]));
      gtk_window_close (GTK_WINDOW (help));
      robot_until (find_help () == NULL);
    }
  g_setenv ("LANGUAGE", "", TRUE);
  robot_close (window);
}

/* --- the tour --- */

static const HeddleAxis *
axis_x (HeddleWindow *window)
{
  return heddle_diagram_find_axis (heddle_editor_get_diagram (heddle_window_get_editor (window)), "x");
}

/* Done by doing: each step ends when the person did what it says. */
static void
test_tour (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleEditor *editor = NULL;
  const HeddleDiagram *diagram = NULL;
  double x, y;

  g_settings_set_boolean (heddle_settings_get (), "derivation-open", FALSE); /* as it begins */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.tour", NULL);
  robot_settle (GTK_WIDGET (window));
  editor = heddle_window_get_editor (window);
  diagram = heddle_editor_get_diagram (editor);
  g_assert_nonnull (window->tour);
  g_assert_cmpuint (heddle_tour_get_step (window->tour), ==, 0);

  robot_wire_point (window, heddle_diagram_find_value (diagram, "K")->id, axis_x (window)->id, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
  robot_until (heddle_tour_get_step (window->tour) == 1);
  robot_key (desk_canvas_of (window), GDK_KEY_F2, 0);
  robot_until (robot_find (desk_canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL) != NULL);
  robot_type (desk_canvas_of (window), "n");
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_until (heddle_tour_get_step (window->tour) == 2);
  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  robot_until (heddle_tour_get_step (window->tour) == 3);
  g_assert_true (heddle_derivation_pane_is_open (heddle_window_get_derivation_pane (window)));

  /* What is not wanted is passed over, and the rest can be left. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.tour-skip", NULL);
  g_assert_cmpuint (heddle_tour_get_step (window->tour), ==, 4);
  while (heddle_tour_get_step (window->tour) + 1 < heddle_tour_get_n_steps (window->tour))
    heddle_tour_skip (window->tour);
  g_assert_true (g_str_has_prefix (
      heddle_tour_get_text (window->tour), "Fused, with x streamed")); /* nobody has made it */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.tour-leave", NULL);
  g_assert_null (window->tour);
  g_assert_null (gtk_widget_get_first_child (window->notices));
  robot_close (window);
}

/* --- preferences --- */

/* That the row of that title shows @wanted as its choice. */
static gboolean
check_choice (GtkWidget *root, const char *title, const char *wanted)
{
  gboolean found = ADW_IS_COMBO_ROW (root)
                   && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title);

  if (found)
    g_assert_cmpstr (
        gtk_string_object_get_string (adw_combo_row_get_selected_item (ADW_COMBO_ROW (root))), ==, wanted);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && !found;
       child = gtk_widget_get_next_sibling (child))
    found = check_choice (child, title, wanted);
  return found;
}

static void
test_preferences (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkWidget *preferences = heddle_preferences_new (GTK_WINDOW (window));
  g_autofree char *style = NULL;
  GtkWidget *row = NULL;

  g_assert_true (check_choice (preferences, "GPU", "H100 SXM"));
  g_assert_true (check_choice (preferences, "Data Type", "f16"));
  gtk_window_present (GTK_WINDOW (preferences));
  robot_until (gtk_widget_get_mapped (preferences));
  row = robot_find (preferences, ADW_TYPE_COMBO_ROW, NULL, NULL); /* the style comes first */
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 2);
  style = heddle_settings_dup_string ("style", "");
  g_assert_cmpstr (style, ==, "dark");
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  gtk_window_destroy (GTK_WINDOW (preferences));
  robot_close (window);
}

/* --- empty places --- */

static void
test_empty (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);

  g_assert_false (gtk_widget_get_visible (window->empty_state));
  robot_key (desk_canvas_of (window), GDK_KEY_n, GDK_CONTROL_MASK);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_visible (window->empty_state));
  gtk_text_buffer_set_text (heddle_equation_bar_get_buffer (bar), "A : f32[i=8]", -1);
  g_assert_true (heddle_equation_bar_flush (bar));
  g_assert_false (gtk_widget_get_visible (window->empty_state));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guide/shortcuts", test_shortcuts);
  g_test_add_func ("/guide/no-shortcut-twice", test_no_shortcut_twice);
  g_test_add_func ("/guide/tooltips", test_tooltips);
  g_test_add_func ("/guide/tooltips-of-menus", test_tooltips_of_menus);
  g_test_add_func ("/guide/header", test_header);
  g_test_add_func ("/guide/unsaved-dot", test_unsaved_dot);
  g_test_add_func ("/guide/names-of-signs", test_names_of_signs);
  g_test_add_func ("/guide/examples", test_examples);
  g_test_add_data_func ("/guide/help-pages", "", test_help_pages);
  g_test_add_data_func ("/guide/help-pages/de", "de", test_help_pages);
  g_test_add_data_func ("/guide/help-pages/he", "he", test_help_pages);
  g_test_add_func ("/guide/help-language", test_help_language);
  g_test_add_func ("/guide/markdown", test_markdown);
  g_test_add_func ("/guide/help", test_help);
  g_test_add_func ("/guide/tour", test_tour);
  g_test_add_func ("/guide/preferences", test_preferences);
  g_test_add_func ("/guide/empty", test_empty);
  return g_test_run ();
}
