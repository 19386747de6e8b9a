/* SPDX-License-Identifier: MIT */

/* A model made of definitions is derived in a real window: as a whole, and each definition where it is called. */

#include <glib/gstdio.h>

#include "app/derivation/kernel-listing.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/level-card.h"
#include "app/derivation/pane.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/selection.h"
#include "app/window/window.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"

#define DECODER "examples/decoder-transformer.ncd"

static const char *
shown (HeddleWindow *window)
{
  return heddle_editor_get_diagram (desk_editor_of (window))->name;
}

/* Twice on what makes the value opens its definition. */
static void
open_call (HeddleWindow *window, const char *value)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (window));
  const HeddleValue *result = heddle_diagram_find_value (diagram, value);
  double x, y;

  robot_operation_point (window, heddle_diagram_get_producer (diagram, result->id)->id, &x, &y);
  robot_double_click (desk_canvas_of (window), x, y);
}

static void
click_wire (HeddleWindow *window, const char *value, const char *axis)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (window));
  double x, y;

  robot_wire_point (window, heddle_diagram_find_value (diagram, value)->id,
      heddle_diagram_find_axis (diagram, axis)->id, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
}

static void
click_half (HeddleWindow *window, HeddleLabelKind kind)
{
  HeddleDerivationPane *pane
      = HEDDLE_DERIVATION_PANE (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL));

  robot_click_middle (heddle_level_card_get_half (heddle_derivation_pane_get_card (pane, "smem"), kind));
}

static const HeddleDerivation *
derivation_of (HeddleWindow *window)
{
  robot_until (heddle_editor_get_derivation (desk_editor_of (window), NULL) != NULL);
  return heddle_editor_get_derivation (desk_editor_of (window), NULL);
}

/* How many regions of the schedule of a diagram of the document have a label of the axis. */
static guint
count_labelled (HeddleWindow *window, const char *name, const char *axis, HeddleLabelKind kind)
{
  HeddleSnapshot *snapshot = heddle_editor_get_snapshot (desk_editor_of (window));
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, name);
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  guint n = 0;

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    n += heddle_region_get_label (g_ptr_array_index (schedule->regions, i),
             heddle_diagram_find_axis (diagram, axis)->id, "smem", kind)
         != NULL;
  return n;
}

/* Six layers of two definitions: a label of the model's own axis goes to the definitions, once, and undo takes it back. */
static void
test_whole (void)
{
  HeddleWindow *window = robot_open (DECODER);
  const HeddleDerivation *derivation = derivation_of (window);
  guint n_kernels = derivation->kernels->len;

  g_assert_cmpuint (n_kernels % 6, ==, 0); /* every layer has the same */
  g_assert_cmpuint (heddle_editor_get_flat_diagram (desk_editor_of (window))->operations->len, >, 6 * 17 - 1);
  g_assert_cmpuint (count_labelled (window, "attend", "x", HEDDLE_LABEL_GROUP), ==, 0);

  click_wire (window, "X", "x");
  click_half (window, HEDDLE_LABEL_GROUP);
  robot_until (count_labelled (window, "attend", "x", HEDDLE_LABEL_GROUP) > 0);
  g_assert_cmpuint (count_labelled (window, "think", "x", HEDDLE_LABEL_GROUP), ==, 3); /* N, H and Y */
  g_assert_cmpuint (count_labelled (window, NULL, "x", HEDDLE_LABEL_GROUP), ==, 0);
  g_assert_cmpstr (desk_undo_name (window), ==, "Group x at SMEM, 64");
  g_assert_cmpuint (derivation_of (window)->kernels->len, ==, n_kernels);

  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_cmpuint (count_labelled (window, "attend", "x", HEDDLE_LABEL_GROUP), ==, 0);
  robot_close (window);
}

/* Down to the attention, at the sizes of the call: softmax and the contraction after it are fused and streamed as anywhere, and every layer
 * of the model has it. */
static void
test_within (void)
{
  HeddleWindow *window = robot_open (DECODER);
  HeddleEditor *editor = desk_editor_of (window);
  const HeddleDiagram *attend = NULL;
  g_autoptr (GArray) ids = heddle_ids_new ();
  double whole, alone;
  guint n_kernels = derivation_of (window)->kernels->len;

  whole = derivation_of (window)->flops;
  open_call (window, "Z");
  g_assert_cmpstr (shown (window), ==, "layer");
  open_call (window, "A");
  g_assert_cmpstr (shown (window), ==, "attend");
  attend = heddle_editor_get_diagram (editor);
  g_assert_null (heddle_diagram_find_axis (attend, "m")->size);
  g_assert_cmpint (
      heddle_sizes_get (heddle_editor_get_sizes (editor), heddle_diagram_find_axis (attend, "m")->id), ==,
      512);
  alone = derivation_of (window)->flops;
  g_assert_cmpfloat (alone, >, 0);
  g_assert_cmpfloat (alone, <, whole / 6); /* the other definition has its share */

  heddle_ids_append (
      ids, heddle_diagram_get_producer (attend, heddle_diagram_find_value (attend, "P")->id)->id);
  heddle_ids_append (
      ids, heddle_diagram_get_producer (attend, heddle_diagram_find_value (attend, "O")->id)->id);
  heddle_editor_select_ids (editor, ids);
  robot_click_middle (robot_find (
      GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "Make the selected operations, or all, one kernel"));
  click_wire (window, "V", "y");
  click_half (window, HEDDLE_LABEL_STREAM);
  robot_until (count_labelled (window, "attend", "y", HEDDLE_LABEL_STREAM) > 0);

  g_action_group_activate_action (G_ACTION_GROUP (window), "back", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "back", NULL);
  g_assert_cmpstr (shown (window), ==, "decoder-transformer");
  g_assert_cmpuint (derivation_of (window)->kernels->len, ==, n_kernels - 6);
  robot_close (window);
}

/* It goes with the click. */
static void
click_crumb (GtkWidget *crumb)
{
  robot_move (crumb, gtk_widget_get_width (crumb) / 2., gtk_widget_get_height (crumb) / 2.);
  robot_press ();
  robot_release ();
}

/* The way to a definition stands above it, and each name on it leads back. */
static void
test_breadcrumbs (void)
{
  HeddleWindow *window = robot_open (DECODER);
  GtkWidget *crumbs = robot_find (GTK_WIDGET (window), GTK_TYPE_BOX, "breadcrumbs", NULL), *middle = NULL;

  g_assert_false (gtk_widget_get_visible (crumbs));
  open_call (window, "Z");
  open_call (window, "A");
  g_assert_cmpstr (shown (window), ==, "attend");
  robot_until (gtk_widget_get_mapped (crumbs));
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (crumbs))), ==, "attend");
  middle = gtk_widget_get_prev_sibling (gtk_widget_get_prev_sibling (gtk_widget_get_last_child (crumbs)));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (middle)))), ==, "layer");
  click_crumb (middle);
  robot_until (g_str_equal (shown (window), "layer"));
  robot_settle (GTK_WIDGET (window));
  click_crumb (gtk_widget_get_first_child (crumbs));
  robot_until (g_str_equal (shown (window), "decoder-transformer"));
  g_assert_false (gtk_widget_get_visible (crumbs));
  robot_close (window);
}

/* The search runs beside the window, which can give it up; left alone it labels the definitions. */
static void
test_suggest (void)
{
  HeddleWindow *window = robot_open (DECODER);
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *suggest
      = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "The best kernels and labels for this GPU");

  derivation_of (window);
  heddle_editor_begin_search (editor);
  robot_settle (GTK_WIDGET (window));
  robot_click_middle (
      robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "Give up what is being computed"));
  g_assert_false (heddle_editor_is_searching (editor));
  g_assert_null (desk_undo_name (window));

  robot_click_middle (suggest);
  robot_until (g_strcmp0 (desk_undo_name (window), "Suggested Labels") == 0);
  g_assert_false (heddle_editor_is_searching (editor));
  g_assert_cmpuint (count_labelled (window, "think", "f", HEDDLE_LABEL_GROUP)
                        + count_labelled (window, "think", "f", HEDDLE_LABEL_STREAM),
      >, 0);
  for (guint i = 0; i < derivation_of (window)->kernels->len; i++)
    g_assert_true (((HeddleKernel *) g_ptr_array_index (derivation_of (window)->kernels, i))->fits);
  robot_close (window);
}

/* A softmax over a window that another kernel has read past the ends: it is priced, and the kernel page says why there is no code. */
static void
test_opaque (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "app", "padded-softmax.ncd", NULL);
  HeddleWindow *window = robot_open_path (path);
  GtkWidget *words = robot_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "opaque-reason", NULL);
  HeddleKernelPage *page = NULL;
  g_autofree char *listing = NULL;

  derivation_of (window);
  robot_settle (GTK_WIDGET (window));
  g_assert_nonnull (words);
  g_assert_true (gtk_widget_get_visible (words));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (words)), "No kernel"));

  page = HEDDLE_KERNEL_PAGE (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_KERNEL_PAGE, NULL, NULL));
  heddle_kernel_page_update (page);
  robot_until (heddle_kernel_page_get_state (page, NULL) == HEDDLE_KERNEL_FAILED);
  listing = heddle_kernel_listing_dup_text (heddle_kernel_page_get_program (page));
  g_assert_nonnull (strstr (listing, "another kernel read outside"));
  robot_close (window);
}

static gboolean
has_row (GtkWidget *root, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (root)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_row (child, title))
      return TRUE;
  return FALSE;
}

/* A scan along an axis without a size is drawn, and the inspector says what it goes along; what it costs waits
 * for the size. */
static void
test_scan (void)
{
  g_autofree char *path = g_strdup_printf ("%s/heddle-scan-%d.eq", g_get_tmp_dir (), (int) getpid ());
  HeddleWindow *window;
  HeddleEditor *editor;
  double x, y;

  g_assert_true (g_file_set_contents (path,
      "def f(h[u], x[u]) -> g[u]:\n  g[u] = tanh(h[u] + x[u])\n\n"
      "X : f32[t, u=4]\nH : f32[u]\nG[t,u] = f[t](H, X)\n",
      -1, NULL));
  window = robot_open_path (path);
  editor = desk_editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  robot_operation_point (window,
      heddle_diagram_get_producer (diagram, heddle_diagram_find_value (diagram, "G")->id)->id, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
  robot_until (has_row (GTK_WIDGET (window), "Scanned along"));
  g_assert_false (has_row (GTK_WIDGET (window), "Repeated"));
  g_assert_null (heddle_editor_get_derivation (editor, NULL));
  robot_close (window);
  g_unlink (path);
}

/* A document that computes nothing has no kernel: the page says so. */
static void
test_nothing (void)
{
  g_autofree char *path = g_strdup_printf ("%s/heddle-nothing-%d.eq", g_get_tmp_dir (), (int) getpid ());
  HeddleWindow *window;
  HeddleKernelPage *page;
  const char *words = NULL;

  g_assert_true (g_file_set_contents (path, "A : f32[a=4]\n-> A\n", -1, NULL));
  window = robot_open_path (path);
  page = HEDDLE_KERNEL_PAGE (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_KERNEL_PAGE, NULL, NULL));
  heddle_kernel_page_update (page);
  robot_until (heddle_kernel_page_get_state (page, &words) == HEDDLE_KERNEL_FAILED);
  heddle_kernel_page_get_state (page, &words);
  g_assert_nonnull (strstr (words, "nothing to compute"));
  robot_close (window);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calls/whole", test_whole);
  g_test_add_func ("/calls/within", test_within);
  g_test_add_func ("/calls/breadcrumbs", test_breadcrumbs);
  g_test_add_func ("/calls/suggest", test_suggest);
  g_test_add_func ("/calls/opaque", test_opaque);
  g_test_add_func ("/calls/scan", test_scan);
  g_test_add_func ("/calls/nothing", test_nothing);
  return g_test_run ();
}
