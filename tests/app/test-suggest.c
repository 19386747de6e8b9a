/* SPDX-License-Identifier: MIT */

/* The button Suggest in a real window does what `heddle derive --suggest --apply` does, in one step, and shows what `heddle derive` tells of it. */

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <unistd.h>

#include "app/derivation/outlook.h"
#include "app/edits/definitions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "app/editor/flat.h"
#include "app/widgets/format.h"
#include "app/equations/equation-bar.h"
#include "app/window/private.h"
#include "app/window/window.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/find.h"
#include "derive/report/forecast.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/exchange/load.h"
#include "desk.h"
#include "robot.h"

#define BUTTON "The best kernels and labels for this GPU"

static void
suggest (HeddleWindow *window)
{
  GtkWidget *button = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, BUTTON);

  g_assert_nonnull (button);
  robot_settle (button);
  robot_click (button, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2.);
}

static void
keep_message (HeddleEditor *editor, const char *text, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

/* Opens a window, of a document for the H100 with these equations. What the editor says is put into @said. */
static HeddleWindow *
open_equations (const char *text, char **said)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)), text, -1);
  g_assert_true (heddle_equation_bar_flush (heddle_window_get_equation_bar (window)));
  heddle_editor_show_diagram (editor, NULL);
  heddle_editor_set_machine (editor, "h100-sxm");
  g_signal_connect (editor, "message", G_CALLBACK (keep_message), said);
  return window;
}

/* --- the schedule in words --- */

static int
compare_texts (gconstpointer one, gconstpointer other)
{
  return g_strcmp0 (*(const char *const *) one, *(const char *const *) other);
}

/* (transfer full): the texts in order, joined; @texts is taken. */
static char *
join_sorted (GPtrArray *texts, const char *between)
{
  char *joined;

  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  joined = g_strjoinv (between, (char **) texts->pdata);
  g_ptr_array_unref (texts);
  return joined;
}

static char *
describe_region (const HeddleDiagram *diagram, const HeddleRegion *region)
{
  GPtrArray *operations = g_ptr_array_new_with_free_func (g_free),
            *labels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *first = NULL, *second = NULL;

  for (guint i = 0; i < region->operations->len; i++)
    g_ptr_array_add (operations, g_strdup (heddle_ids_index (region->operations, i)));
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      g_ptr_array_add (labels,
          g_strdup_printf ("%s:%s@%s=%" G_GINT64_FORMAT, heddle_diagram_get_axis (diagram, label->axis)->name,
              heddle_label_kind_to_string (label->kind), label->level, label->size));
    }
  first = join_sorted (operations, " ");
  second = join_sorted (labels, " ");
  return g_strdup_printf ("%s: %s", first, second);
}

static char *
describe_schedule (const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  GPtrArray *regions = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < schedule->regions->len; i++)
    g_ptr_array_add (regions, describe_region (diagram, g_ptr_array_index (schedule->regions, i)));
  return join_sorted (regions, "\n");
}

/* --- the command line --- */

static void
run (const char *const *argv, char **out)
{
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, out, &errors, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
}

/* What the command line applies to @file, into a document at @path. */
static char *
apply (const char *file, const char *path)
{
  const char *argv[] = { g_getenv ("HEDDLE"), "derive", file, "--gpu", "h100-sxm", "--suggest", "--apply",
    "-o", path, NULL };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  const HeddleDiagram *diagram;

  run (argv, &out);
  snapshot = heddle_file_load (path, problems, &error);
  g_assert_no_error (error);
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  return describe_schedule (diagram, heddle_snapshot_find_schedule (snapshot, diagram));
}

/* What the whole takes by a command that prints JSON. */
static double
price_by (const char *const *argv)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  JsonObject *total;

  run (argv, &out);
  g_assert_true (json_parser_load_from_data (parser, out, -1, &error));
  total = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "total");
  return json_object_get_double_member (total, "expected_s");
}

static double
price (const char *path)
{
  const char *argv[] = { g_getenv ("HEDDLE"), "derive", path, "--json", NULL };

  return price_by (argv);
}

/* --- the same in the window --- */

static gboolean
shows (GtkWidget *root, const char *start)
{
  if (GTK_IS_LABEL (root) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (root)), start))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows (child, start))
      return TRUE;
  return FALSE;
}

static void
check_headline (HeddleWindow *window, double seconds)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *amount = heddle_format_seconds (seconds);
  HeddleDerivation *derivation = NULL;

  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_cmpfloat (heddle_editor_forecast (editor, derivation).seconds, ==, seconds);
  robot_until (shows (GTK_WIDGET (window), amount));
}

static void
test_example (gconstpointer data)
{
  g_autofree char *file = g_strdup_printf ("examples/%s.ncd", (const char *) data);
  g_autofree char *given = g_build_filename (heddle_data_directory (), file, NULL);
  g_autofree char *path = g_strdup_printf ("%s/heddle-suggest-%d.ncd", g_get_tmp_dir (), (int) getpid ());
  g_autofree char *expected = apply (given, path), *made = NULL, *again = NULL, *said = NULL;
  HeddleWindow *window = robot_open (file);
  HeddleEditor *editor = heddle_window_get_editor (window);

  heddle_editor_set_machine (editor, "h100-sxm");
  g_signal_connect (editor, "message", G_CALLBACK (keep_message), &said);
  suggest (window);
  robot_until (g_strcmp0 (desk_undo_name (window), "Suggested Labels") == 0);
  made = describe_schedule (heddle_editor_get_diagram (editor), heddle_editor_get_schedule (editor));
  g_assert_cmpstr (made, ==, expected);
  check_headline (window, price (path));
  g_assert_true (g_str_has_prefix (said, "Kernels: "));
  /* LayerNorm and the product are best as they are drawn: there is nothing to compare */
  g_assert_true ((strstr (said, " in place of ") == NULL) == g_str_equal (data, "layernorm-linear"));

  /* one step back, and there is nothing of it */
  heddle_document_undo (heddle_editor_get_document (editor));
  again = heddle_editor_get_schedule (editor) != NULL
              ? describe_schedule (heddle_editor_get_diagram (editor), heddle_editor_get_schedule (editor))
              : g_strdup ("");
  g_assert_cmpstr (again, ==, "");
  robot_close (window);
  g_unlink (path);
}

/* What a large diagram takes as it is drawn is what the command line says of it, and not less. */
static void
test_as_drawn (void)
{
  g_autofree char *given
      = g_build_filename (heddle_data_directory (), "examples/vision-transformer.ncd", NULL);
  const char *argv[] = { g_getenv ("HEDDLE"), "derive", given, "--gpu", "h100-sxm", "--suggest", "--fuse",
    "file", "--json", NULL };
  HeddleWindow *window = robot_open ("examples/vision-transformer.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autoptr (HeddleOutlook) outlook = NULL;
  const HeddleForecast *baseline = NULL;

  heddle_editor_set_machine (editor, "h100-sxm");
  outlook = heddle_outlook_new (editor);
  robot_until ((baseline = heddle_outlook_get_baseline (outlook)) != NULL);
  g_assert_cmpfloat_with_epsilon (baseline->seconds, price_by (argv), 1e-12);
  robot_close (window);
}

/* Suggesting once more never leaves what takes longer. */
static void
test_again (void)
{
  HeddleWindow *window = robot_open ("examples/swiglu.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *said = NULL;
  HeddleDerivation *derivation = NULL;
  double first;

  heddle_editor_set_machine (editor, "h100-sxm");
  g_signal_connect (editor, "message", G_CALLBACK (keep_message), &said);
  suggest (window);
  robot_until (g_strcmp0 (desk_undo_name (window), "Suggested Labels") == 0);
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  first = derivation->expected_s;
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&said, g_free);
      suggest (window);
      robot_until (said != NULL);
      robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
      g_assert_cmpfloat (derivation->expected_s, <=, first);
    }
  robot_close (window);
}

/* What suits rows of 64 fits no rows of 16,384: a definition that is called for both has labels for each call, until a person wants them together. */
static void
test_calls (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  HeddleDerivation *derivation = NULL;
  g_autofree char *said = NULL;

  gtk_text_buffer_set_text (heddle_equation_bar_get_buffer (bar),
      "def norm(X[n,m]) -> Y[n,m]:\n  Y[n,m] = softmax[m](X[n,m])\n\nA : f16[a=65536, b=64]\n"
      "B : f16[p=128, q=16384]\nC[a,b] = norm(A)\nD[p,q] = norm(B)\n-> C, D\n",
      -1);
  g_assert_true (heddle_equation_bar_flush (bar));
  heddle_editor_show_diagram (editor, NULL);
  heddle_editor_set_machine (editor, "h100-sxm");
  g_assert_true (heddle_editor_has_repeated_calls (editor));
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_TOGETHER);
  g_signal_connect (editor, "message", G_CALLBACK (keep_message), &said);
  suggest (window);
  robot_until (said != NULL);
  g_assert_cmpstr (desk_undo_name (window), ==, "Suggested Labels");
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_APART);
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_true (heddle_editor_forecast (editor, derivation).fits);
  heddle_editor_set_label_calls (editor, HEDDLE_FLAT_CALLS_TOGETHER);
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_TOGETHER);
  g_assert_cmpstr (desk_undo_name (window), ==, "Labels for All Calls");
  heddle_document_undo (heddle_editor_get_document (editor));
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_APART);
  robot_close (window);
}

/* Writes @text to a file and returns what `heddle derive --suggest` says that it takes on an H100. */
static double
price_equations (const char *text)
{
  g_autofree char *path = g_strdup_printf ("%s/heddle-suggest-%d.eq", g_get_tmp_dir (), (int) getpid ());
  const char *argv[]
      = { g_getenv ("HEDDLE"), "derive", path, "--gpu", "h100-sxm", "--suggest", "--json", NULL };
  g_autoptr (GError) error = NULL;
  double seconds;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  seconds = price_by (argv);
  g_unlink (path);
  return seconds;
}

/* Suggests kernels for @text, which calls definitions: the document holds what the command line finds. */
static HeddleWindow *
suggest_inlined (const char *text, char **said)
{
  HeddleWindow *window = open_equations (text, said);
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleDerivation *derivation = NULL;

  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_TOGETHER);
  suggest (window);
  robot_until (*said != NULL);
  g_test_message ("%s", *said);
  g_assert_cmpstr (desk_undo_name (window), ==, "Suggested Labels");
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_INLINED);
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_true (heddle_editor_forecast (editor, derivation).fits);
  g_assert_cmpfloat_with_epsilon (
      heddle_editor_forecast (editor, derivation).seconds, price_equations (text), 1e-12);
  return window;
}

/* The best kernel has part of a definition and what follows its call. The canvas shows it where it is all of a call. */
static void
test_across_calls (void)
{
  g_autofree char *said = NULL;
  HeddleWindow *window = suggest_inlined (
      "def attend(X[x,m]) -> O[x,k]:\n  param W_Q : [m, k=64]\n  param W_K : [m, k]\n  param W_V : [m, k]\n"
      "  Q[x,k] = X[x,m] W_Q[m,k]\n  K[y,k] = X[y,m] W_K[m,k]\n  V[y,k] = X[y,m] W_V[m,k]\n"
      "  P[x,y] = softmax[y](Q[x,k] K[y,k] * k^-0.5)\n  O[x,k] = P[x,y] V[y,k]\n\n"
      "X : f16[x=4096, m=1024]\nA[x,k] = attend(X)\nZ[x,k] = tanh(A[x,k])\n-> Z\n",
      &said);
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  HeddleSchedule *shown = heddle_editor_dup_canvas_schedule (editor);
  const HeddleOperation *call = g_ptr_array_index (heddle_editor_get_diagram (editor)->operations, 0);
  gboolean across = FALSE;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      g_test_message ("%s", kernel->title);
      across |= strstr (kernel->title, "A.") != NULL && g_str_has_suffix (kernel->title, " Z");
    }
  g_assert_true (across);
  g_assert_nonnull (call->callee);
  g_assert_null (heddle_schedule_region_of (shown, call->id));
  heddle_schedule_free (shown);
  robot_close (window);
}

/* A definition is called over rows, which it has no axis for. A person can give the labels back to the definitions, and
 * undo that. */
static void
test_over_calls (void)
{
  g_autofree char *said = NULL;
  HeddleWindow *window
      = suggest_inlined ("def think(X[m]) -> Y[m]:\n  param W : [m, f=3072]\n  param U : [f, m]\n"
                         "  H[f] = gelu(X[m] W[m,f])\n  Y[m] = H[f] U[f,m]\n\n"
                         "X : f16[x=4096, m=768]\nA[x,m] = think(X)\nB[x,m] = think(A)\n-> B\n",
          &said);
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  const double inlined = heddle_editor_forecast (editor, derivation).seconds;

  heddle_editor_set_label_calls (editor, HEDDLE_FLAT_CALLS_TOGETHER);
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_TOGETHER);
  g_assert_cmpstr (desk_undo_name (window), ==, "Labels for All Calls");
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_cmpfloat (heddle_editor_forecast (editor, derivation).seconds, >, inlined);
  heddle_document_undo (heddle_editor_get_document (editor));
  g_assert_cmpint (heddle_editor_get_label_calls (editor), ==, HEDDLE_FLAT_CALLS_INLINED);
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_cmpfloat_with_epsilon (heddle_editor_forecast (editor, derivation).seconds, inlined, 1e-12);
  robot_close (window);
}

/* The definitions that turn pairs of numbers, called for queries and keys; or what they come to. */
#define PAIRS                                                                                                \
  "Q : f16[x=4096, k=128]\nK : f16[x, k]\nV : f16[x, k]\naxis r = 2\naxis p = 64\n"                          \
  "R[x,p,r] = turn(Q)\nT[x,p,r] = turn(K)\n"                                                                 \
  "P[x,y] = softmax[y](R[x,p,r] T[y,p,r] * k^-0.5)\nO[x,k] = P[x,y] V[y,k]\n-> O\n"
#define TURN                                                                                                 \
  "def turn(X[x,k]) -> Y[x,p,r]:\n  axis r = 2\n  axis p = k / 2\n  A[x,p] = index(x) * 100^(-index(p)/p)\n" \
  "  Z[x,p,r] = X[x,(p r)]\n"                                                                                \
  "  Y[x,p,r] = Z[x,p,r] cos(A[x,p]) + where(r == 0, -Z[x,p,1], Z[x,p,0]) sin(A[x,p])\n\n"

/* Puts the operations of all definitions in the place of their calls. */
static void
ungroup_all (HeddleEditor *editor)
{
  for (guint i = 0; i < heddle_editor_get_diagram (editor)->operations->len;)
    {
      const HeddleOperation *operation
          = g_ptr_array_index (heddle_editor_get_diagram (editor)->operations, i);

      if (operation->callee == NULL)
        {
          i++;
          continue;
        }
      heddle_editor_select (editor, operation->id);
      g_assert_true (heddle_definitions_ungroup (editor));
      i = 0;
    }
}

/* A sum over pairs that definitions turn has no tensor core; Suggest says that it has once the calls are ungrouped, and
 * joins the pairs then. */
static void
test_pairs (void)
{
  g_autofree char *said = NULL;
  HeddleWindow *window = open_equations (TURN PAIRS, &said);
  HeddleEditor *editor = heddle_window_get_editor (window);
  double called, ungrouped;

  suggest (window);
  robot_until (said != NULL);
  g_test_message ("%s", said);
  g_assert_nonnull (strstr (said, "ungroup"));
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL);
  called = heddle_editor_get_derivation (editor, NULL)->expected_s;
  g_assert_true (heddle_document_undo (heddle_editor_get_document (editor)));
  ungroup_all (editor);
  g_clear_pointer (&said, g_free);
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL);
  suggest (window);
  robot_until (said != NULL);
  g_test_message ("%s", said);
  g_assert_null (strstr (said, "ungroup"));
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL);
  ungrouped = heddle_editor_get_derivation (editor, NULL)->expected_s;
  g_assert_cmpfloat (ungrouped, <, called / 4);
  robot_close (window);
}

/* What is suggested for layers that are one definition is held by that, with the order in which its arrays lie in memory: the window then takes
 * what the command line says, which stores the layers one by one. */
static void
test_layers (void)
{
  g_autofree char *given
      = g_build_filename (heddle_data_directory (), "examples/decoder-transformer.ncd", NULL);
  const char *argv[]
      = { g_getenv ("HEDDLE"), "derive", given, "--gpu", "h100-sxm", "--suggest", "--json", NULL };
  HeddleWindow *window = robot_open ("examples/decoder-transformer.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *said = NULL;
  HeddleDerivation *derivation = NULL;

  heddle_editor_show_diagram (editor, NULL);
  heddle_editor_set_machine (editor, "h100-sxm");
  g_signal_connect (editor, "message", G_CALLBACK (keep_message), &said);
  suggest (window);
  robot_until (said != NULL);
  g_test_message ("%s", said);
  g_assert_cmpstr (desk_undo_name (window), ==, "Suggested Labels");
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL);
  g_assert_cmpfloat_with_epsilon (
      heddle_editor_forecast (editor, derivation).seconds, price_by (argv), 1e-12);
  robot_close (window);
}

/* The search can be given up, and leaves nothing. */
static void
test_cancel (void)
{
  HeddleWindow *window = robot_open ("examples/multi-head-attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  suggest (window);
  g_assert_true (heddle_editor_is_searching (editor));
  heddle_editor_cancel_deriving (editor);
  g_assert_false (heddle_editor_is_searching (editor));
  robot_settle (GTK_WIDGET (window));
  g_assert_null (desk_undo_name (window));
  robot_close (window);
}

/* A window that is closed gives its search up: a worker would hold the document until it is done. */
static void
test_close (void)
{
  HeddleWindow *window = robot_open ("examples/multi-head-attention.ncd");
  g_autoptr (HeddleEditor) editor = g_object_ref (heddle_window_get_editor (window));

  suggest (window);
  g_assert_true (heddle_editor_is_searching (editor));
  robot_close (window);
  g_assert_false (heddle_editor_is_searching (editor));
}

int
main (int argc, char *argv[])
{
  static const char *const examples[]
      = { "attention", "layernorm-linear", "matrix-chain", "multi-head-attention", "residual-mlp", "swiglu" };

  gtk_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *path = g_strdup_printf ("/suggest/%s", examples[i]);

      g_test_add_data_func (path, examples[i], test_example);
    }
  g_test_add_func ("/suggest/as-drawn", test_as_drawn);
  g_test_add_func ("/suggest/again", test_again);
  g_test_add_func ("/suggest/calls", test_calls);
  g_test_add_func ("/suggest/across-calls", test_across_calls);
  g_test_add_func ("/suggest/over-calls", test_over_calls);
  g_test_add_func ("/suggest/pairs", test_pairs);
  g_test_add_func ("/suggest/layers", test_layers);
  g_test_add_func ("/suggest/cancel", test_cancel);
  g_test_add_func ("/suggest/close", test_close);
  return g_test_run ();
}
