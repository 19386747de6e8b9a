/* SPDX-License-Identifier: MIT */

/* Pictures of each dialog, pane and state of the real program: gallery FOLDER [light|dark|contrast|large|narrow|notebook|mirrored|german|hebrew], several
 * of these as one with + between. To be looked at. With `names` in place of a style no picture is made: each is gone through for what a screen reader has no name for. */

#include "config.h"

#include <locale.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/derivation/actions.h"
#include "app/derivation/compare-page.h"
#include "app/derivation/placement.h"
#include "app/derivation/suggestion-actions.h"
#include "app/documents/draft-store.h"
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/move.h"
#include "app/equations/equation-bar.h"
#include "app/widgets/settings.h"
#include "app/window/notices.h"
#include "app/window/pages.h"
#include "app/window/place.h"
#include "app/window/window.h"
#include "derive/machine/find.h"
#include "diagram/graph/diagram.h"
#include "gallery.h"
#include "names.h"
#include "robot.h"

#define WIDTH 1400
#define HEIGHT 900
#define NARROW_WIDTH 420
#define NOTEBOOK_WIDTH 1366
#define NOTEBOOK_HEIGHT 740 /* of 768, less a panel */
#define LARGE_TEXT_DPI (2 * 96 * 1024)
#define PATIENCE_US 700000

static const char *folder;
static gboolean narrow, notebook, names;
static guint n_read,
    n_widgets; /* with names: how many were gone through, and how many that can have the keyboard were in them */

/* --- taking a picture --- */

void
gallery_wait (GtkWidget *widget)
{
  const gint64 end = g_get_monotonic_time () + (names ? 0 : PATIENCE_US);

  while (g_get_monotonic_time () < end)
    robot_step ();
  robot_settle (widget);
}

static void
take_picture (GtkWidget *window, const char *name)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file = g_strdup_printf ("%s/%s.png", folder, name);
  double width, height;

  width = gdk_paintable_get_intrinsic_width (paintable);
  height = gdk_paintable_get_intrinsic_height (paintable);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (
      gtk_native_get_renderer (GTK_NATIVE (window)), node, &GRAPHENE_RECT_INIT (0, 0, width, height));
  g_assert_true (gdk_texture_save_to_png (texture, file));
  g_print ("%s\n", file);
}

static void
read_names (GtkWidget *window, const char *name)
{
  g_autoptr (GPtrArray) missing = names_find_missing (window, &n_widgets);

  g_print ("%s %u /names/%s\n", missing->len == 0 ? "ok" : "not ok", ++n_read, name);
  for (guint i = 0; i < missing->len; i++)
    g_print ("# no name: %s\n", (const char *) g_ptr_array_index (missing, i));
}

void
gallery_take (GtkWidget *window, const char *name)
{
  gallery_wait (window);
  if (names)
    read_names (window, name);
  else
    take_picture (window, name);
}

static void
size_window (HeddleWindow *window)
{
  gtk_window_set_default_size (GTK_WINDOW (window),
      narrow     ? NARROW_WIDTH
      : notebook ? NOTEBOOK_WIDTH
                 : WIDTH,
      notebook ? NOTEBOOK_HEIGHT : HEIGHT);
}

HeddleWindow *
gallery_open (const char *file)
{
  HeddleWindow *window = robot_open (file);

  size_window (window);
  gallery_wait (GTK_WIDGET (window));
  return window;
}

HeddleWindow *
gallery_open_attention (void)
{
  return gallery_open ("examples/attention.ncd");
}

/* The toplevel that came after the window. */
GtkWidget *
gallery_find_dialog (GtkWidget *window)
{
  GListModel *tops = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (tops, i);

      if (top != window && gtk_widget_get_mapped (top)
          && gtk_window_get_transient_for (GTK_WINDOW (top)) == GTK_WINDOW (window))
        return top;
    }
  return NULL;
}

void
gallery_take_dialog (HeddleWindow *window, const char *name)
{
  GtkWidget *dialog = NULL;

  robot_until ((dialog = gallery_find_dialog (GTK_WIDGET (window))) != NULL);
  if (narrow && !ADW_IS_MESSAGE_DIALOG (dialog))
    gtk_window_set_default_size (GTK_WINDOW (dialog), NARROW_WIDTH, HEIGHT * 3 / 4);
  gallery_take (dialog, name);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

void
gallery_act (HeddleWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

const char *
gallery_softmax_of (HeddleWindow *window)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));

  return heddle_diagram_get_producer (diagram, heddle_diagram_find_value (diagram, "P")->id)->id;
}

/* --- the states --- */

static void
start_page (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.close-tab");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
editor (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
selected (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  heddle_editor_select (heddle_window_get_editor (window), gallery_softmax_of (window));
  gtk_stack_set_visible_child_name (GTK_STACK (window->sidebar_stack), "outline");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
derived (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);

  heddle_derivation_fuse (shown);
  heddle_derivation_suggest (shown);
  robot_until (heddle_editor_get_derivation (shown, NULL) != NULL);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* The drawer is one row, with what the derivation comes to. */
static void
folded (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);

  heddle_derivation_fuse (shown);
  heddle_derivation_suggest (shown);
  robot_until (heddle_editor_get_derivation (shown, NULL) != NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.derivation-open", NULL);
  gallery_take (GTK_WIDGET (window), name);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.derivation-open", NULL);
  robot_close (window);
}

/* An array kept in a cache, one that cannot be kept where it was wanted, and the step before. */
static void
placed (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (shown);

  heddle_derivation_fuse (shown);
  heddle_derivation_suggest (shown);
  robot_until (!heddle_editor_is_searching (shown));
  heddle_placement_set (shown, heddle_diagram_find_value (diagram, "K")->id, NULL, "l2");
  diagram = heddle_editor_get_diagram (shown);
  heddle_editor_select (shown, heddle_diagram_find_value (diagram, "S")->id);
  heddle_placement_set (shown, heddle_diagram_find_value (diagram, "S")->id, NULL, "l2");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
wishes (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);
  GtkWidget *button = robot_find (window->drawer, GTK_TYPE_MENU_BUTTON, NULL,
      gettext ("Divisors of tile sizes, the memory budget, and labels of single calls"));

  heddle_derivation_fuse (shown);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  gallery_take (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))), name);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  robot_close (window);
}

static void
kernel (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);

  heddle_derivation_fuse (shown);
  heddle_derivation_suggest (shown);
  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "kernel");
  for (guint i = 0; i < 8; i++) /* it is written and verified beside the window */
    gallery_wait (GTK_WIDGET (window));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
compare (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);
  GtkWidget *page = robot_find (window->drawer, HEDDLE_TYPE_COMPARE_PAGE, NULL, NULL);

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "compare");
  robot_until (heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page)) != NULL
               && heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page))->crossings);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* What running the kernels takes. */
static void
run_on_gpu (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL), *button = NULL;

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "kernel");
  button = robot_find (
      window->drawer, GTK_TYPE_MENU_BUTTON, NULL, gettext ("Run the kernels on the GPU of this computer"));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  gallery_take (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))), name);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  robot_close (window);
}

static void
quick_insert (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.insert");
  robot_until (gtk_widget_get_mapped (window->quick_insert));
  gallery_take (window->quick_insert, name);
  gtk_popover_popdown (GTK_POPOVER (window->quick_insert));
  gallery_wait (GTK_WIDGET (window));
  robot_close (window);
}

static void
problems (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gtk_text_buffer_set_text (heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)),
      "A : f32[i=8]\nB[i,j] = softmax[j](A[i]", -1);
  heddle_equation_bar_flush (heddle_window_get_equation_bar (window));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
empty (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.new");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
tour (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.tour");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* Everything that can stand above a diagram at once. */
static void
notices (const char *name)
{
  g_autofree char *path = g_build_filename (folder, "notices.ncd", NULL);
  g_autofree char *source = g_build_filename (heddle_data_directory (), "examples", "attention.ncd", NULL);
  g_autofree char *data = NULL;
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_draft_record_free);
  HeddleDraftRecord *record = g_new0 (HeddleDraftRecord, 1);
  HeddleWindow *window = NULL;

  g_file_get_contents (source, &data, NULL, NULL);
  g_file_set_contents (path, data, -1, NULL);
  g_chmod (path, 0444);
  window = robot_open_path (path);
  size_window (window);
  g_chmod (path, 0644);
  g_file_set_contents (path, "<other/>", -1, NULL);
  g_chmod (path, 0444);
  heddle_session_look (heddle_page_get_session (heddle_window_get_page (window)));
  record->title = g_strdup ("self-attention.ncd");
  record->stem = g_strdup (folder);
  record->time = 1700000000;
  g_ptr_array_add (records, record);
  heddle_window_offer_drafts (window, records);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
  g_unlink (path);
}

static void
close_question (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  heddle_editor_select (heddle_window_get_editor (window), gallery_softmax_of (window));
  heddle_edits_delete_selection (heddle_window_get_editor (window));
  gtk_window_close (GTK_WINDOW (window));
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
write_nothing (HeddleWindow *window, GFile *file, gpointer unused)
{
}

/* A name without its suffix, where the suffix makes it a file that is there. */
static void
replace_question (const char *name)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", "attention", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HeddleWindow *window = gallery_open_attention ();

  heddle_window_take_place (window, file, ".ncd", write_nothing, NULL, NULL);
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void export(const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.export");
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
export_checks (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GSettings *settings = heddle_settings_get ();

  g_settings_set_string (settings, "export-width", "custom");
  g_settings_set_double (settings, "export-width-inches", 1.5);
  gallery_act (window, "win.export");
  gallery_take_dialog (window, name);
  g_settings_reset (settings, "export-width");
  g_settings_reset (settings, "export-width-inches");
  robot_close (window);
}

/* With the choice that a PDF alone has. */
static void
export_pdf (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GSettings *settings = heddle_settings_get ();

  g_settings_set_string (settings, "export-format", ".pdf");
  gallery_act (window, "win.export");
  gallery_take_dialog (window, name);
  g_settings_reset (settings, "export-format");
  robot_close (window);
}

static void
preferences (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.preferences");
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
help (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.help");
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
shortcuts (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GtkWidget *overlay = NULL;

  gallery_act (window, "win.show-help-overlay");
  overlay = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  robot_until (gtk_widget_get_mapped (overlay));
  gallery_take (overlay, name);
  robot_close (window);
}

static void
large_model (const char *name)
{
  HeddleWindow *window = gallery_open ("examples/attention-is-all-you-need.ncd");

  gallery_act (window, "win.fit");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static const GalleryState states[] = {
  { "start-page", start_page },
  { "editor", editor },
  { "selected", selected },
  { "derived", derived },
  { "folded", folded },
  { "placed", placed },
  { "wishes", wishes },
  { "kernel", kernel },
  { "run-on-gpu", run_on_gpu },
  { "compare", compare },
  { "quick-insert", quick_insert },
  { "problems", problems },
  { "empty", empty },
  { "tour", tour },
  { "notices", notices },
  { "close-question", close_question },
  { "replace-question", replace_question },
  { "export", export },
  { "export-checks", export_checks },
  { "export-pdf", export_pdf },
  { "preferences", preferences },
  { "help", help },
  { "shortcuts", shortcuts },
  { "large-model", large_model },
};

/* In another language, of which the translations were built. */
static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("HEDDLE_LOCALEDIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/* Whether it is one of those with + between. */
static gboolean
has_word (const char *mode, const char *word)
{
  g_auto (GStrv) words = g_strsplit (mode, "+", -1);

  return g_strv_contains ((const char *const *) words, word);
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 2 ? argv[2] : "light", *only = argc > 3 ? argv[3] : NULL;

  g_assert_cmpint (argc, >=, 2);
  folder = argv[1];
  narrow = has_word (mode, "narrow");
  notebook = has_word (mode, "notebook");
  names = has_word (mode, "names");
  if (has_word (mode, "contrast"))
    g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  if (has_word (mode, "german"))
    speak ("de");
  if (has_word (mode, "hebrew"))
    speak ("he");
  robot_start ();
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
      has_word (mode, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  if (has_word (mode, "large"))
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", LARGE_TEXT_DPI, NULL);
  if (has_word (mode, "mirrored") || has_word (mode, "hebrew"))
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (only == NULL || g_str_equal (only, states[i].name))
      states[i].show (states[i].name);
  for (guint i = 0; gallery_more[i].name != NULL; i++)
    if (only == NULL || g_str_equal (only, gallery_more[i].name))
      gallery_more[i].show (gallery_more[i].name);
  if (names)
    g_print ("%s %u /names/all # %u in all\n1..%u\n", n_widgets > 1000 || only != NULL ? "ok" : "not ok",
        n_read + 1, n_widgets, n_read + 1);
  return 0;
}
