/* SPDX-License-Identifier: MIT */

/* A figure is arranged, and parts of diagrams are copied and found, by the pointer and the keyboard in a real window. */

#include <string.h>

#include <gtksourceview/gtksource.h>

#include "app/canvas/canvas.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/clipping.h"
#include "app/panes/command-palette.h"
#include "app/window/find-bar.h"
#include "app/equations/equation-bar.h"
#include "app/equations/equation-completion.h"
#include "app/edits/move.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/scene/scene.h"
#include "desk.h"
#include "robot.h"

#define ATTENTION "examples/attention.ncd"
#define CONTROL GDK_CONTROL_MASK
#define SHIFT GDK_SHIFT_MASK

static const HeddlePresentation *
drawing_of (HeddleWindow *window)
{
  return heddle_snapshot_find_presentation (
      heddle_editor_get_snapshot (desk_editor_of (window)), desk_diagram_of (window));
}

static void
click (HeddleWindow *window, const char *operation)
{
  double x, y;

  robot_operation_point (window, operation, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
}

static void
key (HeddleWindow *window, guint keysym, GdkModifierType modifiers)
{
  robot_key (desk_canvas_of (window), keysym, modifiers);
}

static void
type_and_enter (HeddleWindow *window, const char *text)
{
  robot_type (desk_canvas_of (window), text);
  key (window, GDK_KEY_Return, 0);
}

/* --- the figure --- */

static void
test_block (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleBlock *block = NULL;

  click (window, desk_producer_id (window, "P"));
  key (window, GDK_KEY_b, CONTROL);
  type_and_enter (window, "Weights");
  g_assert_cmpuint (drawing_of (window)->blocks->len, ==, 1);
  block = g_ptr_array_index (drawing_of (window)->blocks, 0);
  g_assert_cmpstr (block->title, ==, "Weights");
  g_assert_true (heddle_ids_contain (block->operations, desk_producer_id (window, "P")));
  g_assert_cmpstr (heddle_editor_get_selected (desk_editor_of (window)), ==, block->id);

  key (window, GDK_KEY_z, CONTROL);
  g_assert_cmpstr (desk_undo_name (window), ==, "Add Block");
  key (window, GDK_KEY_z, CONTROL);
  g_assert_true (drawing_of (window) == NULL || drawing_of (window)->blocks->len == 0);
  key (window, GDK_KEY_z, CONTROL | SHIFT);
  g_assert_cmpuint (drawing_of (window)->blocks->len, ==, 1);
  key (window, GDK_KEY_Delete, 0);
  robot_close (window);
}

/* A card about the softmax, which is dragged. */
static void
test_note (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleAnnotation *note = NULL;
  GdkRectangle place;
  double x, y;

  click (window, desk_producer_id (window, "P"));
  key (window, GDK_KEY_m, CONTROL);
  type_and_enter (window, "Rows sum to one");
  g_assert_cmpuint (drawing_of (window)->annotations->len, ==, 1);
  note = g_ptr_array_index (drawing_of (window)->annotations, 0);
  g_assert_cmpstr (note->text, ==, "Rows sum to one");
  g_assert_cmpstr (note->target, ==, desk_producer_id (window, "P"));
  x = note->x;
  y = note->y;

  g_assert_true (heddle_canvas_get_selection_rectangle (heddle_window_get_canvas (window), &place));
  robot_drag (desk_canvas_of (window), place.x + place.width / 2., place.y + 8, desk_canvas_of (window),
      place.x + place.width / 2. + 60, place.y + 38);
  note = g_ptr_array_index (drawing_of (window)->annotations, 0);
  g_assert_cmpfloat (note->x, >, x + 20);
  g_assert_cmpfloat (note->y, >, y + 10);
  g_assert_cmpstr (desk_undo_name (window), ==, "Move");
  robot_close (window);
}

static void
test_bundle (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleDiagram *diagram = desk_diagram_of (window);
  g_autoptr (GArray) axes = heddle_ids_new ();
  const HeddleBundle *bundle = NULL;

  heddle_ids_append (axes, heddle_diagram_find_axis (diagram, "x")->id);
  heddle_ids_append (axes, heddle_diagram_find_axis (diagram, "k")->id);
  gtk_widget_grab_focus (desk_canvas_of (window));
  heddle_editor_select_ids (desk_editor_of (window), axes);
  key (window, GDK_KEY_b, CONTROL | SHIFT);
  g_assert_cmpuint (drawing_of (window)->bundles->len, ==, 1);
  bundle = g_ptr_array_index (drawing_of (window)->bundles, 0);
  g_assert_cmpstr (bundle->name, ==, "\\bar{x}");
  g_assert_true (heddle_ids_equal (bundle->axes, axes));
  g_assert_cmpstr (desk_undo_name (window), ==, "Bundle Axes");
  robot_close (window);
}

static double
scene_width (HeddleWindow *window)
{
  double x, y, width, height;

  heddle_scene_get_bounds (
      heddle_canvas_get_scene (heddle_window_get_canvas (window)), &x, &y, &width, &height);
  return width;
}

/* Lines are wrapped, their edge is dragged to the left, and one line it is again. */
static void
test_wrap (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  double one_line = scene_width (window), wrap;

  gtk_widget_grab_focus (desk_canvas_of (window));
  key (window, GDK_KEY_l, CONTROL | SHIFT);
  wrap = drawing_of (window)->wrap;
  g_assert_cmpfloat (wrap, >, 200);
  heddle_editor_select (desk_editor_of (window), NULL);
  {
    HeddleCanvas *canvas = heddle_window_get_canvas (window);
    double x, y, left, top, width, height;

    heddle_scene_get_bounds (heddle_canvas_get_scene (canvas), &left, &top, &width, &height);
    heddle_canvas_to_widget (canvas, left + wrap, top + height / 2, &x, &y);
    if (x < gtk_widget_get_width (desk_canvas_of (window)))
      robot_drag (desk_canvas_of (window), x, y, desk_canvas_of (window), x - 240, y);
  }
  g_assert_cmpfloat (drawing_of (window)->wrap, <=, wrap);
  g_assert_cmpfloat (scene_width (window), <, one_line + 1);
  g_assert_true (g_str_has_prefix (desk_undo_name (window), "Wrap Lines at"));
  key (window, GDK_KEY_l, CONTROL | SHIFT);
  g_assert_cmpfloat (drawing_of (window)->wrap, ==, 0);
  g_assert_cmpstr (desk_undo_name (window), ==, "Draw in One Line");
  robot_close (window);
}

/* --- copying --- */

/* What the clipboard gives for @mime. */
typedef struct
{
  gboolean done, good;
} Written;

static void
on_written (GObject *provider, GAsyncResult *result, gpointer data)
{
  Written *written = data;

  written->good = gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (provider), result, NULL);
  written->done = TRUE;
}

static GBytes *
copied_as (HeddleWindow *window, const char *mime)
{
  GdkContentProvider *content
      = gdk_clipboard_get_content (gtk_widget_get_clipboard (desk_canvas_of (window)));
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  Written written = { FALSE, FALSE };

  g_assert_true (HEDDLE_IS_CLIPPING (content));
  gdk_content_provider_write_mime_type_async (content, mime, stream, 0, NULL, on_written, &written);
  robot_until (written.done);
  g_assert_true (written.good);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
assert_begins (HeddleWindow *window, const char *mime, const char *with)
{
  g_autoptr (GBytes) bytes = copied_as (window, mime);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_assert_cmpuint (length, >, strlen (with));
  g_assert_cmpmem (data, strlen (with), with, strlen (with));
}

static guint
count (HeddleWindow *window, const char *kind)
{
  guint n = 0;

  for (guint i = 0; i < desk_diagram_of (window)->operations->len; i++)
    n += g_str_equal (
        ((HeddleOperation *) g_ptr_array_index (desk_diagram_of (window)->operations, i))->kind->id, kind);
  return n;
}

/* The softmax goes into another window, and to other programs as what they read. */
static void
test_copy (void)
{
  HeddleWindow *window = robot_open (ATTENTION), *other = NULL;

  click (window, desk_producer_id (window, "P"));
  key (window, GDK_KEY_c, CONTROL);
  assert_begins (window, "application/x-heddle-diagram", "<?xml");
  assert_begins (window, "image/svg+xml", "<?xml");
  assert_begins (window, "image/png", "\x89PNG");
  {
    g_autoptr (GBytes) text = copied_as (window, "text/plain;charset=utf-8");
    g_autofree char *terminated = g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));

    g_assert_nonnull (strstr (terminated, "P[y,x] = softmax[x]("));
  }

  other = robot_open ("examples/matrix-product.ncd");
  gtk_widget_grab_focus (desk_canvas_of (other));
  g_assert_cmpuint (count (other, "softmax"), ==, 0);
  key (other, GDK_KEY_v, CONTROL);
  robot_until (count (other, "softmax") == 1);
  g_assert_cmpstr (desk_undo_name (other), ==, "Paste");
  g_assert_cmpuint (heddle_editor_get_selection (desk_editor_of (other))->len, ==, 1);
  key (other, GDK_KEY_z, CONTROL);
  g_assert_cmpuint (count (other, "softmax"), ==, 0);
  robot_close (other);
  robot_close (window);
}

/* Twice the same, reading the same array; cut takes away what it copies. */
static void
test_duplicate (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleOperation *twin = NULL;

  click (window, desk_producer_id (window, "P"));
  key (window, GDK_KEY_d, CONTROL | SHIFT);
  g_assert_cmpuint (count (window, "softmax"), ==, 2);
  twin = heddle_diagram_get_operation (
      desk_diagram_of (window), heddle_editor_get_selected (desk_editor_of (window)));
  g_assert_true (heddle_ids_equal (twin->operands,
      heddle_diagram_get_operation (desk_diagram_of (window), desk_producer_id (window, "P"))->operands));
  g_assert_nonnull (heddle_diagram_find_value (desk_diagram_of (window), "P'"));
  key (window, GDK_KEY_x, CONTROL);
  g_assert_cmpuint (count (window, "softmax"), ==, 1);
  key (window, GDK_KEY_a, CONTROL);
  g_assert_cmpuint (heddle_editor_get_selection (desk_editor_of (window))->len, ==,
      desk_diagram_of (window)->operations->len);
  robot_close (window);
}

/* --- finding --- */

static void
test_find (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *bar = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_FIND_BAR, NULL, NULL);

  gtk_widget_grab_focus (desk_canvas_of (window));
  key (window, GDK_KEY_f, CONTROL);
  g_assert_true (gtk_widget_get_visible (bar));
  robot_type (desk_canvas_of (window), "contract");
  g_assert_cmpstr (heddle_editor_get_selected (desk_editor_of (window)), ==, desk_producer_id (window, "S"));
  key (window, GDK_KEY_Return, 0);
  g_assert_cmpstr (heddle_editor_get_selected (desk_editor_of (window)), ==, desk_producer_id (window, "O"));
  key (window, GDK_KEY_Return, SHIFT);
  g_assert_cmpstr (heddle_editor_get_selected (desk_editor_of (window)), ==, desk_producer_id (window, "S"));
  key (window, GDK_KEY_Escape, 0);
  g_assert_false (gtk_widget_get_visible (bar));
  robot_close (window);
}

/* What is in a definition is found from where it is called, and Return opens the definition. */
static void
test_find_in_definitions (void)
{
  HeddleWindow *window = robot_open ("examples/decoder-transformer.ncd");
  HeddleEditor *editor = desk_editor_of (window);
  const HeddleDiagram *first = heddle_editor_get_diagram (editor), *shown;
  const char *selected;

  gtk_widget_grab_focus (desk_canvas_of (window));
  key (window, GDK_KEY_f, CONTROL);
  robot_type (desk_canvas_of (window), "softmax");
  g_assert_true (heddle_editor_get_diagram (editor) == first);
  key (window, GDK_KEY_Return, 0);
  robot_until (heddle_editor_get_diagram (editor) != first);
  shown = heddle_editor_get_diagram (editor);
  selected = heddle_editor_get_selected (editor);
  g_assert_nonnull (selected);
  g_assert_cmpstr (heddle_diagram_get_operation (shown, selected)->kind->id, ==, "softmax");
  heddle_editor_go_back (editor);
  g_assert_true (heddle_editor_get_diagram (editor) == first);
  robot_close (window);
}

static GtkWindow *
find_palette (void)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);

      if (HEDDLE_IS_COMMAND_PALETTE (window))
        return window;
    }
  return NULL;
}

/* Any action by its name. */
static void
test_command (void)
{
  HeddleWindow *window = robot_open (ATTENTION);

  gtk_widget_grab_focus (desk_canvas_of (window));
  key (window, GDK_KEY_p, CONTROL | SHIFT);
  robot_until (find_palette () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_palette ())));
  robot_settle (GTK_WIDGET (find_palette ()));
  robot_type (GTK_WIDGET (find_palette ()), "select all");
  robot_until (find_palette () != NULL);
  key (window, GDK_KEY_Return, 0);
  robot_until (find_palette () == NULL);
  g_assert_cmpuint (heddle_editor_get_selection (desk_editor_of (window))->len, ==,
      desk_diagram_of (window)->operations->len);
  robot_close (window);
}

/* Other programs call tidying laying out or arranging: it is found by these words first. */
static void
test_command_by_other_words (void)
{
  static const char *const words[] = { "layout", "arrange" };
  HeddleWindow *window = robot_open (ATTENTION);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const HeddleOperation *first = g_ptr_array_index (desk_diagram_of (window)->operations, 0);

      heddle_editor_select (desk_editor_of (window), first->id);
      heddle_edits_nudge_selection (desk_editor_of (window), 40, 30, NULL);
      gtk_widget_grab_focus (desk_canvas_of (window));
      key (window, GDK_KEY_p, CONTROL | SHIFT);
      robot_until (find_palette () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_palette ())));
      robot_settle (GTK_WIDGET (find_palette ()));
      robot_type (GTK_WIDGET (find_palette ()), words[i]);
      key (window, GDK_KEY_Return, 0);
      robot_until (find_palette () == NULL);
      robot_until (
          g_strcmp0 (
              heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window))), "Tidy")
          == 0);
    }
  robot_close (window);
}

/* What the menu does not have is found as well: whatever has keys is a command. */
static void
test_command_of_keys (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  double zoom;

  gtk_widget_grab_focus (desk_canvas_of (window));
  zoom = heddle_canvas_get_zoom (heddle_window_get_canvas (window));
  key (window, GDK_KEY_p, CONTROL | SHIFT);
  robot_until (find_palette () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_palette ())));
  robot_settle (GTK_WIDGET (find_palette ()));
  robot_type (GTK_WIDGET (find_palette ()), "zoom in");
  key (window, GDK_KEY_Return, 0);
  robot_until (find_palette () == NULL);
  robot_until (heddle_canvas_get_zoom (heddle_window_get_canvas (window)) > 1.05 * zoom);
  robot_close (window);
}

/* --- words of the equations --- */

static void
assert_offers (const char *text, const char *prefix, const char *expected)
{
  g_autoptr (GPtrArray) words = heddle_equation_completion_find (text, prefix);
  g_autofree char *all = NULL;

  g_ptr_array_add (words, NULL);
  all = g_strjoinv (" ", (char **) words->pdata);
  g_assert_cmpstr (all, ==, expected);
}

/* Names of arrays and axes come first, then functions; what is whole is not offered again. */
static void
test_completion (void)
{
  const char *text = "Scores : f16[query=8, key=4]  # softly\nO[query] = so";

  assert_offers (text, "so", "softmax");
  assert_offers (text, "SC", "Scores");
  assert_offers (text, "que", "query");
  assert_offers (text, "query", "");
  assert_offers (text, "zz", "");
}

/* The name that is not known is what was meant after Ctrl+., and the text is a diagram again. */
static void
test_fix (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (bar);
  g_autofree char *text = NULL;

  gtk_text_buffer_set_text (
      buffer, "Q : f16[y=8, k=4]\nK : f16[x=8, k]\nP[y,x] = sofmax[x](Q[y,k] K[x,k])", -1);
  g_assert_false (heddle_equation_bar_flush (bar));
  robot_key (desk_canvas_of (window), GDK_KEY_l, CONTROL);
  robot_key (desk_canvas_of (window), GDK_KEY_period, CONTROL);
  robot_until (heddle_equation_bar_matches (bar));
  text = heddle_equation_bar_dup_text (bar);
  g_assert_nonnull (strstr (text, "P[y,x] = softmax[x](Q[y,k] K[x,k])"));
  g_assert_false (heddle_equation_bar_fix (bar)); /* nothing is wrong any more */
  robot_close (window);
}

/* A word that is scrolled out of sight, and would be below the screen, has no list beside it. */
static void
test_completion_out_of_sight (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *bar = GTK_WIDGET (heddle_window_get_equation_bar (window));
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (bar));
  g_autoptr (GString) lines = g_string_new (NULL);
  GtkTextIter end;

  for (guint i = 0; i < 400; i++)
    g_string_append (lines, "# a line\n");
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, lines->str, -1);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_widget_grab_focus (bar);
  robot_settle (bar);
  for (const char *next = "softm"; *next != '\0'; next++)
    {
      gtk_text_buffer_insert_at_cursor (buffer, (char[]){ *next, '\0' }, 1);
      robot_settle (bar);
    }
  g_assert_null (robot_find (GTK_WIDGET (window), GTK_SOURCE_TYPE_COMPLETION_CELL, NULL, NULL));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/editing/block", test_block);
  g_test_add_func ("/editing/note", test_note);
  g_test_add_func ("/editing/bundle", test_bundle);
  g_test_add_func ("/editing/wrap", test_wrap);
  g_test_add_func ("/editing/copy", test_copy);
  g_test_add_func ("/editing/duplicate", test_duplicate);
  g_test_add_func ("/editing/find", test_find);
  g_test_add_func ("/editing/find-in-definitions", test_find_in_definitions);
  g_test_add_func ("/editing/command", test_command);
  g_test_add_func ("/editing/command-by-other-words", test_command_by_other_words);
  g_test_add_func ("/editing/command-of-keys", test_command_of_keys);
  g_test_add_func ("/editing/completion", test_completion);
  g_test_add_func ("/editing/completion-out-of-sight", test_completion_out_of_sight);
  g_test_add_func ("/editing/fix", test_fix);
  return g_test_run ();
}
