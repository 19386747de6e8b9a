/* SPDX-License-Identifier: MIT */

/* Two machines side by side, what running a kernel takes, how far compiling is, and from a problem to its place: in a real window. */

#include <json-glib/json-glib.h>

#include "app/derivation/compare-job.h"
#include "app/derivation/compare-page.h"
#include "app/widgets/format.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/pane.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/label.h"
#include "app/equations/equation-bar.h"
#include "app/panes/inspector.h"
#include "app/window/window.h"
#include "codegen/compile/compile.h"
#include "derive/machine/find.h"
#include "derive/report/comparison.h"
#include "derive/suggest/codesign.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "robot.h"

#define ATTENTION "examples/attention.ncd"

static GtkWidget *
pane_of (HeddleWindow *window)
{
  return robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
}

/* The page whose button is the @nth of the switch. */
static GtkWidget *
open_page (HeddleWindow *window, guint nth, GType type)
{
  GtkWidget *button
      = gtk_widget_get_first_child (robot_find (pane_of (window), GTK_TYPE_STACK_SWITCHER, NULL, NULL));
  GtkWidget *page = NULL;

  while (nth-- > 0)
    button = gtk_widget_get_next_sibling (button);
  robot_click_middle (button);
  page = robot_find (pane_of (window), type, NULL, NULL);
  robot_until (gtk_widget_get_mapped (page));
  return page;
}

/* What `heddle compare` says of the file: the rows. */
static JsonArray *
compare_by_command (JsonParser *parser, const char *dtype)
{
  g_autofree char *file = g_build_filename (heddle_data_directory (), ATTENTION, NULL);
  const char *argv[] = { g_getenv ("HEDDLE"), "compare", file, "--gpu", "h100-sxm", "--gpu", "a100-80-sxm",
    "--json", dtype != NULL ? "--dtype" : NULL, dtype, NULL };
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (json_parser_load_from_data (parser, out, -1, &error));
  return json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "comparisons");
}

static const HeddleCompareJob *
wait_for_result (GtkWidget *page)
{
  robot_until (heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page)) != NULL);
  robot_settle (page);
  return heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page));
}

static gboolean
has_text (GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL (root) && g_str_equal (gtk_label_get_text (GTK_LABEL (root)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text (child, text))
      return TRUE;
  return FALSE;
}

static gboolean
has_part (GtkWidget *root, const char *part)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), part) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_part (child, part))
      return TRUE;
  return FALSE;
}

/* The window says what the command line says, number by number. */
static void
assert_as_command (GtkWidget *page, const HeddleCompareJob *job, guint column, JsonArray *rows, guint row)
{
  JsonObject *said = json_array_get_object_element (rows, row);
  const HeddleComparison *shown = job->columns[column];
  g_autofree char *time = heddle_format_seconds (json_object_get_double_member (said, "expected_s"));
  g_autofree char *moved = heddle_format_bytes (json_object_get_int_member (said, "transfer_bytes"));
  g_autofree char *held = heddle_format_bytes (json_object_get_int_member (said, "memory_bytes"));

  g_assert_nonnull (shown);
  g_assert_cmpstr (shown->machine->name, ==, json_object_get_string_member (said, "gpu"));
  g_assert_cmpfloat (shown->derivation->expected_s, ==, json_object_get_double_member (said, "expected_s"));
  g_assert_true (has_text (page, time));
  g_assert_true (has_text (page, moved));
  g_assert_true (has_text (page, held));
}

/* Opens a drop-down list and goes @down rows below the one chosen. */
static void
choose (GtkWidget *picker, guint down)
{
  GtkWidget *popover = robot_find (picker, GTK_TYPE_POPOVER, NULL, NULL);

  robot_click_middle (picker);
  robot_until (gtk_widget_get_mapped (popover));
  while (down-- > 0)
    robot_key (popover, GDK_KEY_Down, 0);
  robot_key (popover, GDK_KEY_Return, 0);
  robot_until (!gtk_widget_get_mapped (popover));
}

static void
test_two_gpus (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *rows = compare_by_command (parser, NULL);
  const HeddleCompareJob *job = wait_for_result (page);
  g_autofree char *ratio = NULL;

  assert_as_command (page, job, 0, rows, 0);
  assert_as_command (page, job, 1, rows, 1);
  ratio = g_strdup_printf (
      "× %.3g", job->columns[1]->derivation->expected_s / job->columns[0]->derivation->expected_s);
  g_assert_true (has_text (page, ratio));
  robot_close (window);
}

/* Of a network that fits no memory as one kernel its equations are compared, and one time beside the other. */
static void
test_network (void)
{
  HeddleWindow *window = robot_open ("examples/decoder-transformer.ncd");
  GtkWidget *page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  const HeddleCompareJob *job = NULL;

  robot_until ((job = heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page))) != NULL && job->crossings);
  robot_settle (page);
  g_assert_true (heddle_comparison_summarise (job->columns[0]).fits);
  g_assert_cmpuint (job->columns[0]->derivation->kernels->len, >, 64);
  g_assert_false (has_text (page, "does not fit"));
  g_assert_true (has_text (page, "Not searched for in so many kernels"));
  robot_close (window);
}

/* What would move each bound, as `heddle compare` prints it: every crossing with its figure, both ways. */
static void
test_crossings (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *rows = compare_by_command (parser, NULL);
  const HeddleCompareJob *job = NULL;

  robot_until ((job = heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page))) != NULL && job->crossings);
  robot_settle (page);
  g_assert_true (has_text (page, "Would move the bound"));
  for (guint column = 0; column < HEDDLE_N_COMPARED; column++)
    {
      JsonArray *said
          = json_object_get_array_member (json_array_get_object_element (rows, column), "crossings");
      GArray *found = job->columns[column]->crossings;

      g_assert_cmpuint (found->len, ==, json_array_get_length (said));
      g_assert_cmpuint (found->len, >, 0);
      for (guint i = 0; i < found->len; i++)
        {
          const HeddleCrossing *crossing = &g_array_index (found, HeddleCrossing, i);
          JsonObject *row = json_array_get_object_element (said, i);

          g_assert_cmpstr (heddle_machine_figure_name (crossing->figure), ==,
              json_object_get_string_member (row, "figure"));
          g_assert_cmpfloat (crossing->at, ==, json_object_get_double_member (row, "at"));
          g_assert_cmpstr (crossing->bound, ==, json_object_get_string_member (row, "bound"));
        }
    }
  robot_close (window);
}

/* "85.3 GB/s" stays that among words from right to left, where the number would come after its unit. */
static void
test_mirrored_crossings (void)
{
  HeddleWindow *window = NULL;
  GtkWidget *page = NULL;
  const HeddleCompareJob *job = NULL;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  window = robot_open (ATTENTION);
  page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  robot_until ((job = heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page))) != NULL && job->crossings);
  robot_until (has_part (page, "GB/s\342\201\251 (× "));
  robot_close (window);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* One GPU, every array in f32: the second row of the list of types below "as declared" is f16, bf16, f32. */
static void
test_dtype (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *rows = compare_by_command (parser, "f32");
  const HeddleCompareJob *job = wait_for_result (page);

  choose (robot_find (page, GTK_TYPE_DROP_DOWN, NULL, "The data type of every array"), 3);
  job = wait_for_result (page);
  g_assert_cmpint (job->dtypes[0], ==, HEDDLE_DTYPE_F32);
  g_assert_cmpint (job->dtypes[1], ==, HEDDLE_DTYPE_UNSET);
  assert_as_command (page, job, 0, rows, 0);
  /* The document is as it was. */
  g_assert_false (
      heddle_document_get_modified (heddle_editor_get_document (heddle_window_get_editor (window))));
  robot_close (window);
}

static void
test_failure (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkWidget *page = NULL;

  gtk_text_buffer_set_text (heddle_equation_bar_get_buffer (bar), "A : f32[i]\nB[i] = relu(A[i])\n", -1);
  g_assert_true (heddle_equation_bar_flush (bar));
  page = open_page (window, 2, HEDDLE_TYPE_COMPARE_PAGE);
  robot_until (has_text (page, "The size of i is not given"));
  g_assert_null (heddle_compare_page_get_result (HEDDLE_COMPARE_PAGE (page)));
  robot_close (window);
}

static HeddleKernelState
state_of (GtkWidget *page)
{
  return heddle_kernel_page_get_state (HEDDLE_KERNEL_PAGE (page), NULL);
}

static void
cancel (GtkWidget *page, GtkWidget *bar)
{
  const char *words = NULL;

  g_assert_cmpint (state_of (page), ==, HEDDLE_KERNEL_BUSY);
  robot_until (gtk_widget_get_mapped (bar));
  robot_click_middle (gtk_widget_get_next_sibling (bar));
  robot_until (state_of (page) != HEDDLE_KERNEL_BUSY);
  g_assert_cmpint (
      heddle_kernel_page_get_state (HEDDLE_KERNEL_PAGE (page), &words), ==, HEDDLE_KERNEL_PLANNED);
  g_assert_cmpstr (words, ==, "Cancelled");
}

/* Without a compiler there is nothing to wait for: it says so, and is done before anyone can give up. */
static void
assert_no_compiler (GtkWidget *page)
{
  const char *words = NULL;

  robot_until (state_of (page) == HEDDLE_KERNEL_FAILED);
  heddle_kernel_page_get_state (HEDDLE_KERNEL_PAGE (page), &words);
  g_assert_nonnull (strstr (words, "no CUDA compiler on this machine"));
}

/* Given up while it compiles or verifies: the texts stay, and it can be begun again. What it verifies takes far longer than a click. */
static void
test_cancel (void)
{
  HeddleWindow *window = robot_open ("examples/attention-backward.ncd");
  GtkWidget *page = open_page (window, 1, HEDDLE_TYPE_KERNEL_PAGE);
  GtkWidget *bar = robot_find (page, GTK_TYPE_PROGRESS_BAR, NULL, NULL);

  robot_until (state_of (page) != HEDDLE_KERNEL_BUSY);
  robot_click_middle (robot_find (pane_of (window), GTK_TYPE_BUTTON, NULL,
      "Compile every kernel, and compare what it computes with the reference"));
  if (heddle_compile_is_available (NULL))
    cancel (page, bar);
  else
    assert_no_compiler (page);
  g_assert_false (gtk_widget_get_visible (bar));
  robot_close (window);
}

/* From a row of the inspector's problems to what is wrong. */
static void
test_problem (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkWidget *inspector = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_INSPECTOR, NULL, NULL), *row = NULL;
  HeddleEditor *editor = heddle_window_get_editor (window);
  double x = 0, y = 0;

  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (bar), "A : f32[i, j=4]\nB[i,j] = relu(A[i,j])\n", -1);
  g_assert_true (heddle_equation_bar_flush (bar));
  heddle_editor_select (editor, NULL);
  robot_until ((row = robot_find (inspector, ADW_TYPE_ACTION_ROW, NULL, "Show where it is")) != NULL);
  robot_settle (GTK_WIDGET (window));
  /* The row goes with what it opens: the window is clicked where it is. */
  g_assert_true (gtk_widget_translate_coordinates (
      row, GTK_WIDGET (window), gtk_widget_get_width (row) / 2., gtk_widget_get_height (row) / 2., &x, &y));
  robot_click (GTK_WIDGET (window), x, y);
  g_assert_cmpstr (heddle_editor_get_selected (editor), ==,
      heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "i")->id);
  robot_close (window);
}

/* Who is at a line of the inspector stays there while prices come in, and when something else is changed. */
static void
test_focus (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleAxis *shown = g_ptr_array_index (diagram->axes, 0),
                   *other = g_ptr_array_index (diagram->axes, 1);
  GtkWidget *inspector = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_INSPECTOR, NULL, NULL);
  GtkWidget *row = NULL, *focus = NULL;
  const char *id = other->id;

  heddle_editor_select (editor, shown->id);
  robot_settle (GTK_WIDGET (window));
  robot_until ((row = robot_find (inspector, ADW_TYPE_ENTRY_ROW, NULL, NULL)) != NULL);
  gtk_widget_grab_focus (row);
  robot_settle (GTK_WIDGET (window));
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (gtk_widget_is_ancestor (focus, row));
  g_signal_emit_by_name (editor, "derivation-changed");
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == focus);

  g_assert_true (heddle_edits_rename (editor, id, "other", NULL));
  robot_settle (GTK_WIDGET (window));
  row = robot_find (inspector, ADW_TYPE_ENTRY_ROW, NULL, NULL);
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (focus != NULL && gtk_widget_is_ancestor (focus, row));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/compare/two-gpus", test_two_gpus);
  g_test_add_func ("/compare/network", test_network);
  g_test_add_func ("/compare/crossings", test_crossings);
  g_test_add_func ("/compare/mirrored-crossings", test_mirrored_crossings);
  g_test_add_func ("/compare/dtype", test_dtype);
  g_test_add_func ("/compare/failure", test_failure);
  g_test_add_func ("/compare/cancel", test_cancel);
  g_test_add_func ("/compare/problem", test_problem);
  g_test_add_func ("/compare/focus", test_focus);
  return g_test_run ();
}
