/* SPDX-License-Identifier: MIT */

/* Attention is derived in a real window: axes are dragged onto memory levels, refused, remedied, resized; the kernel is read and
 * verified. */

#include <glib/gstdio.h>
#include <unistd.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>

#include "app/derivation/actions.h"
#include "app/derivation/explanation.h"
#include "derive/report/forecast.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/kernel-listing.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/label-chip.h"
#include "app/derivation/level-card.h"
#include "app/derivation/level-half.h"
#include "app/derivation/link-row.h"
#include "app/derivation/pane.h"
#include "app/derivation/refusal-card.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/size-row.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "app/edits/batch-picker.h"
#include "app/export/choice.h"
#include "app/window/export.h"
#include "app/window/window.h"
#include "codegen/compile/compile.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"
#include "app/window/private.h"

#define ATTENTION "examples/attention.ncd"
#define VERIFY_SECONDS 150

/* The label of an axis at a level in the document, in the region that makes @value; NULL: none. */
static const HeddleLabel *
find_label_at (
    HeddleWindow *window, const char *value, const char *axis, HeddleLabelKind kind, const char *level)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (desk_editor_of (window));
  const HeddleRegion *region = schedule != NULL ? heddle_schedule_region_of (
                                   (HeddleSchedule *) schedule, desk_producer_id (window, value))
                                                : NULL;

  return region != NULL ? heddle_region_get_label (region, desk_axis_id (window, axis), level, kind) : NULL;
}

static const HeddleLabel *
find_label (HeddleWindow *window, const char *value, const char *axis, HeddleLabelKind kind)
{
  return find_label_at (window, value, axis, kind, "smem");
}

/* --- the pane --- */

static HeddleLevelCard *
card_of (HeddleWindow *window, const char *level)
{
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);

  g_assert_nonnull (pane);
  return heddle_derivation_pane_get_card (HEDDLE_DERIVATION_PANE (pane), level);
}

static GtkWidget *
half_of (HeddleWindow *window, HeddleLabelKind kind)
{
  GtkWidget *half = heddle_level_card_get_half (card_of (window, "smem"), kind);

  g_assert_nonnull (half);
  return half;
}

/* What is above the button may still be on its way, the results of a search among it: a person clicks where it came to rest. */
static void
click_button (HeddleWindow *window, const char *tooltip)
{
  GtkWidget *button = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, tooltip);
  graphene_rect_t before = GRAPHENE_RECT_INIT (0, 0, 0, 0), now;

  g_assert_nonnull (button);
  for (guint still = 0; still < 3;)
    {
      robot_settle (button);
      g_assert_true (gtk_widget_compute_bounds (button, GTK_WIDGET (window), &now));
      still = graphene_rect_equal (&before, &now) ? still + 1 : 0;
      before = now;
    }
  robot_click_middle (button);
}

static void
fuse_all (HeddleWindow *window)
{
  click_button (window, "Make the selected operations, or all, one kernel");
  g_assert_cmpstr (desk_undo_name (window), ==, "Fuse Everything");
}

/* --- carrying an axis --- */

static void
to_window (HeddleWindow *window, GtkWidget *widget, double *x, double *y)
{
  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (window), *x, *y, x, y));
}

/* Sizes that were offered on the way stay a moment, and what is below them moves when they go. */
static gboolean
offers_elsewhere (GtkWidget *root, GtkWidget *target)
{
  if (HEDDLE_IS_SIZE_ROW (root) && gtk_widget_get_visible (root)
      && !gtk_widget_is_ancestor (target, gtk_widget_get_parent (root)))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (offers_elsewhere (child, target))
      return TRUE;
  return FALSE;
}

/* Takes the wire of an axis and holds it over a widget. */
static void
carry (HeddleWindow *window, const char *value, const char *axis, GtkWidget *target)
{
  const int n_steps = 16;
  const char *id = heddle_diagram_find_value (desk_diagram_of (window), value)->id;
  double x0, y0, x1 = gtk_widget_get_width (target) / 2., y1 = gtk_widget_get_height (target) / 2.;

  robot_wire_point (window, id, desk_axis_id (window, axis), &x0, &y0);
  to_window (window, desk_canvas_of (window), &x0, &y0);
  to_window (window, target, &x1, &y1);
  robot_move (GTK_WIDGET (window), x0, y0);
  robot_press ();
  robot_settle (GTK_WIDGET (window));
  for (int i = 1; i <= n_steps; i++)
    robot_move (GTK_WIDGET (window), x0 + (x1 - x0) * i / n_steps, y0 + (y1 - y0) * i / n_steps);
  robot_until (!offers_elsewhere (GTK_WIDGET (window), target));
  robot_settle (GTK_WIDGET (window));
  x1 = gtk_widget_get_width (target) / 2.;
  y1 = gtk_widget_get_height (target) / 2.;
  to_window (window, target, &x1, &y1);
  robot_move (GTK_WIDGET (window), x1 + 1., y1);
  robot_move (GTK_WIDGET (window), x1, y1);
  robot_until (gtk_widget_has_css_class (target, "hovered"));
}

static void
let_go (HeddleWindow *window)
{
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  robot_until (!gtk_widget_has_css_class (half_of (window, HEDDLE_LABEL_GROUP), "hovered")
               && !gtk_widget_has_css_class (half_of (window, HEDDLE_LABEL_STREAM), "hovered"));
  robot_settle (GTK_WIDGET (window));
}

/* --- tests --- */

static void
test_drag (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *half = half_of (window, HEDDLE_LABEL_GROUP);
  const HeddleLabel *label = NULL;
  double fill;

  fuse_all (window);
  fill = heddle_level_card_get_fill (card_of (window, "smem"));
  g_assert_cmpfloat (fill, ==, 1); /* all of x and y at once: far too much */

  carry (window, "Q", "y", half);
  g_assert_nonnull (heddle_editor_get_preview_schedule (editor));
  g_assert_nonnull (heddle_editor_get_preview_derivation (editor));
  g_assert_null (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)); /* only tried so far */
  let_go (window);
  label = find_label (window, "O", "y", HEDDLE_LABEL_GROUP);
  g_assert_nonnull (label);
  g_assert_cmpint (label->size, ==, 128);
  g_assert_cmpstr (desk_undo_name (window), ==, "Group y at SMEM, 128");
  g_assert_null (heddle_editor_get_preview_schedule (editor));

  carry (window, "K", "x", half_of (window, HEDDLE_LABEL_STREAM));
  fill = heddle_level_card_get_fill (card_of (window, "smem"));
  g_assert_cmpfloat (fill, >, .3); /* while it is held */
  g_assert_cmpfloat (fill, <, .7);
  let_go (window);
  g_assert_cmpstr (desk_undo_name (window), ==, "Stream x at SMEM, 64");
  g_assert_cmpfloat (heddle_level_card_get_fill (card_of (window, "smem")), ==, fill);
  {
    HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);

    g_assert_nonnull (derivation);
    g_assert_cmpuint (derivation->kernels->len, ==, 1);
    g_assert_cmpint (derivation->transfer_elements, ==, 34603008);
  }

  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_null (find_label (window, "O", "x", HEDDLE_LABEL_STREAM));
  g_assert_null (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  g_assert_cmpstr (desk_undo_name (window), ==, "Fuse Everything");
  robot_close (window);
}

static void
test_carried_elsewhere (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *chart = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_ROOFLINE_CHART, NULL, NULL);

  fuse_all (window);
  carry (window, "Q", "y", half_of (window, HEDDLE_LABEL_GROUP));
  g_assert_nonnull (heddle_editor_get_preview_schedule (editor));
  robot_move (chart, gtk_widget_get_width (chart) / 2., gtk_widget_get_height (chart) / 2.);
  robot_until (heddle_editor_get_preview_schedule (editor) == NULL);
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  g_assert_null (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  g_assert_cmpstr (desk_undo_name (window), ==, "Fuse Everything");
  robot_close (window);
}

/* Esc puts the axis back where it was, and letting go then does nothing. */
static void
test_carried_and_escaped (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);

  fuse_all (window);
  carry (window, "Q", "y", half_of (window, HEDDLE_LABEL_GROUP));
  g_assert_nonnull (heddle_editor_get_preview_schedule (editor));
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  robot_until (heddle_editor_get_preview_schedule (editor) == NULL);
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  g_assert_null (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  g_assert_cmpstr (desk_undo_name (window), ==, "Fuse Everything");
  robot_close (window);
}

static GtkWidget *
refusal_card (HeddleWindow *window)
{
  return robot_find (GTK_WIDGET (window), HEDDLE_TYPE_REFUSAL_CARD, NULL, NULL);
}

static const char *
remedy_label (HeddleWindow *window)
{
  GtkWidget *button = robot_find (refusal_card (window), GTK_TYPE_BUTTON, "remedy", NULL);

  return gtk_widget_get_visible (button) ? gtk_button_get_label (GTK_BUTTON (button)) : NULL;
}

static void
assert_refused (HeddleWindow *window, const char *operation, const char *reason, HeddleRemedyKind remedy)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (desk_editor_of (window));

  g_assert_nonnull (refusal);
  g_assert_cmpstr (refusal->operation, ==, operation);
  g_assert_nonnull (strstr (refusal->reason, reason));
  g_assert_cmpint (refusal->remedy_kind, ==, remedy);
  g_assert_true (gtk_widget_get_mapped (refusal_card (window)));
}

static void
test_refused (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const char *softmax = desk_producer_id (window, "P");
  const char *before = desk_undo_name (window);

  carry (window, "K", "x", half_of (window, HEDDLE_LABEL_GROUP));
  g_assert_true (gtk_widget_has_css_class (half_of (window, HEDDLE_LABEL_GROUP), "refused"));
  g_assert_true (gtk_widget_has_css_class (half_of (window, HEDDLE_LABEL_STREAM), "impossible"));
  let_go (window);
  assert_refused (window, softmax, "x", HEDDLE_REMEDY_FUSE);
  g_assert_false (gtk_widget_has_css_class (half_of (window, HEDDLE_LABEL_STREAM), "impossible"));

  carry (window, "K", "x", half_of (window, HEDDLE_LABEL_STREAM));
  let_go (window);
  assert_refused (window, softmax, "cannot stream x", HEDDLE_REMEDY_FUSE);
  g_assert_cmpstr (remedy_label (window), ==, "_Fuse with Contraction O and Stream x");
  g_assert_cmpstr (desk_undo_name (window), ==, before);

  robot_settle (GTK_WIDGET (window));
  gtk_widget_grab_focus (robot_find (refusal_card (window), GTK_TYPE_BUTTON, "remedy", NULL));
  g_signal_emit_by_name (robot_find (refusal_card (window), GTK_TYPE_BUTTON, "remedy", NULL), "clicked");
  robot_settle (GTK_WIDGET (window));
  g_assert_null (heddle_editor_get_refusal (desk_editor_of (window)));
  g_assert_false (gtk_widget_get_mapped (refusal_card (window)));
  g_assert_nonnull (strstr (desk_undo_name (window), "Fuse"));
  {
    HeddleSchedule *schedule = (HeddleSchedule *) heddle_editor_get_schedule (desk_editor_of (window));

    g_assert_true (heddle_schedule_region_of (schedule, softmax)
                   == heddle_schedule_region_of (schedule, desk_producer_id (window, "O")));
  }
  /* The gesture is finished by the same step, also in the kernel before; one undo takes both back. */
  g_assert_nonnull (find_label (window, "O", "x", HEDDLE_LABEL_STREAM));
  g_assert_nonnull (find_label (window, "S", "x", HEDDLE_LABEL_STREAM));
  g_assert_cmpstr (desk_undo_name (window), ==, "Fuse Elementwise function and 2 More; Stream x at SMEM, 64");
  heddle_document_undo (heddle_editor_get_document (desk_editor_of (window)));
  g_assert_cmpstr (desk_undo_name (window), ==, before);
  heddle_document_redo (heddle_editor_get_document (desk_editor_of (window)));

  carry (window, "V", "x", half_of (window, HEDDLE_LABEL_GROUP));
  let_go (window);
  g_assert_null (heddle_editor_get_refusal (desk_editor_of (window)));
  g_assert_nonnull (find_label (window, "O", "x", HEDDLE_LABEL_GROUP));
  heddle_document_undo (heddle_editor_get_document (desk_editor_of (window)));

  carry (window, "V", "x", half_of (window, HEDDLE_LABEL_STREAM));
  let_go (window);
  g_assert_null (heddle_editor_get_refusal (desk_editor_of (window)));
  g_assert_nonnull (find_label (window, "O", "x", HEDDLE_LABEL_STREAM));
  g_assert_cmpstr (desk_undo_name (window), ==, "Stream x at SMEM, 64");
  robot_close (window);
}

/* The row of the link that joins the GPUs of a server, scrolled to. */
static GtkWidget *
link_row (HeddleWindow *window)
{
  GtkWidget *row = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_LINK_ROW, NULL, NULL);
  GtkWidget *scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  robot_settle (GTK_WIDGET (window));
  return row;
}

/* Over GPUs: pieces of one size, one on each; a size that leaves a shorter one is refused; and what was put there is resized and taken away. */
static void
test_link (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *row = link_row (window), *chip = NULL;
  GtkWidget *half = heddle_link_row_get_half (HEDDLE_LINK_ROW (row));
  const HeddleLabel *label = NULL;

  fuse_all (window);
  g_assert_false (heddle_level_half_drop (HEDDLE_LEVEL_HALF (half), desk_axis_id (window, "y"), 500));
  g_assert_nonnull (heddle_editor_get_refusal (desk_editor_of (window)));
  g_assert_nonnull (
      strstr (heddle_editor_get_refusal (desk_editor_of (window))->reason, "leave a shorter one"));
  g_assert_null (find_label_at (window, "O", "y", HEDDLE_LABEL_GROUP, "node"));
  heddle_editor_set_refusal (desk_editor_of (window), NULL);
  robot_settle (GTK_WIDGET (window));

  carry (window, "Q", "y", half);
  let_go (window);
  label = find_label_at (window, "O", "y", HEDDLE_LABEL_GROUP, "node");
  g_assert_nonnull (label);
  g_assert_cmpint (label->size, ==, 512); /* 4096 over eight */
  g_assert_cmpstr (desk_undo_name (window), ==, "Group y at NODE, 512");
  robot_until (heddle_editor_get_derivation (desk_editor_of (window), NULL) != NULL
               && heddle_editor_get_derivation (desk_editor_of (window), NULL)->sharding != NULL);

  chip = robot_find (link_row (window), HEDDLE_TYPE_LABEL_CHIP, "link", NULL);
  g_assert_nonnull (chip);
  gtk_widget_grab_focus (robot_find (chip, GTK_TYPE_MENU_BUTTON, NULL, NULL));
  robot_key (GTK_WIDGET (window), GDK_KEY_Up, 0);
  g_assert_cmpint (find_label_at (window, "O", "y", HEDDLE_LABEL_GROUP, "node")->size, ==, 1024);
  robot_key (GTK_WIDGET (window), GDK_KEY_Delete, 0);
  g_assert_null (find_label_at (window, "O", "y", HEDDLE_LABEL_GROUP, "node"));
  g_assert_null (robot_find (link_row (window), HEDDLE_TYPE_LABEL_CHIP, NULL, NULL));
  robot_close (window);
}

static void
test_keyboard (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *half = half_of (window, HEDDLE_LABEL_GROUP);

  fuse_all (window);
  heddle_editor_select (desk_editor_of (window), desk_axis_id (window, "y"));
  gtk_widget_grab_focus (half);
  robot_key (half, GDK_KEY_Return, 0);
  g_assert_nonnull (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  g_assert_cmpstr (desk_undo_name (window), ==, "Group y at SMEM, 128");
  robot_close (window);
}

/* The wheel, as the server knows it: buttons 4 and 5. */
static void
scroll (GtkWidget *widget, guint n, gboolean up)
{
  Display *display = XOpenDisplay (NULL);

  robot_move (widget, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
  for (guint i = 0; i < n; i++)
    {
      XTestFakeButtonEvent (display, up ? 4 : 5, True, CurrentTime);
      XTestFakeButtonEvent (display, up ? 4 : 5, False, CurrentTime);
      XSync (display, False);
      robot_settle (widget);
    }
  XCloseDisplay (display);
}

static void
test_resize (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *chip = NULL;

  fuse_all (window);
  heddle_editor_select (desk_editor_of (window), desk_axis_id (window, "y"));
  gtk_widget_grab_focus (half_of (window, HEDDLE_LABEL_GROUP));
  robot_key (half_of (window, HEDDLE_LABEL_GROUP), GDK_KEY_Return, 0);
  robot_until ((chip = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_LABEL_CHIP, NULL, NULL)) != NULL);

  scroll (chip, 2, FALSE);
  g_assert_cmpint (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)->size, ==, 32);
  scroll (chip, 1, TRUE);
  g_assert_cmpint (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)->size, ==, 64);
  g_assert_cmpstr (desk_undo_name (window), ==, "Size of the Groups of y at SMEM");
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK); /* all of the scrolling at once */
  g_assert_cmpint (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)->size, ==, 128);

  chip = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_LABEL_CHIP, NULL, NULL);
  gtk_widget_grab_focus (robot_find (chip, GTK_TYPE_MENU_BUTTON, NULL, NULL));
  robot_key (desk_canvas_of (window), GDK_KEY_Up, 0);
  g_assert_cmpint (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)->size, ==, 256);
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_null (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  robot_until (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_LABEL_CHIP, NULL, NULL) == NULL);
  robot_close (window);
}

static void
test_suggest (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleDerivation *derivation = NULL;

  fuse_all (window);
  click_button (window, "The best kernels and labels for this GPU");
  robot_until (g_strcmp0 (desk_undo_name (window), "Suggested Labels") == 0);
  derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL);
  g_assert_nonnull (derivation);
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  g_assert_true (((HeddleKernel *) g_ptr_array_index (derivation->kernels, 0))->fits);
  g_assert_nonnull (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));
  g_assert_nonnull (find_label (window, "O", "x", HEDDLE_LABEL_STREAM));

  click_button (window, "Take the selected kernels, or all, apart");
  g_assert_cmpstr (desk_undo_name (window), ==, "Unfuse");
  g_assert_cmpuint (heddle_editor_get_schedule (desk_editor_of (window))->regions->len, ==, 0);
  robot_close (window);
}

static void
keep_message (HeddleEditor *editor, const char *text, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

/* A label that is there is completed first, and that is said; the next one is free to change it. */
static void
test_suggest_again (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  g_autofree char *said = NULL;

  heddle_editor_set_machine (desk_editor_of (window), "h100-sxm");
  fuse_all (window);
  heddle_editor_select (desk_editor_of (window), desk_axis_id (window, "x"));
  gtk_widget_grab_focus (half_of (window, HEDDLE_LABEL_STREAM));
  robot_key (half_of (window, HEDDLE_LABEL_STREAM), GDK_KEY_Return, 0);
  robot_until (find_label (window, "O", "x", HEDDLE_LABEL_STREAM) != NULL);
  heddle_derivation_set_label_size (
      desk_editor_of (window), desk_axis_id (window, "x"), "smem", HEDDLE_LABEL_STREAM, 8, NULL);
  g_signal_connect (desk_editor_of (window), "message", G_CALLBACK (keep_message), &said);

  click_button (window, "The best kernels and labels for this GPU");
  robot_until (said != NULL);
  g_assert_nonnull (
      strstr (said, "s, the best with the labels given")); /* what was there before did not fit */
  g_assert_cmpint (find_label (window, "O", "x", HEDDLE_LABEL_STREAM)->size, ==, 8);
  g_assert_nonnull (find_label (window, "O", "y", HEDDLE_LABEL_GROUP));

  g_clear_pointer (&said, g_free);
  click_button (window, "The best kernels and labels for this GPU");
  robot_until (said != NULL);
  g_assert_null (strstr (said, "with the labels given"));
  g_assert_cmpint (find_label (window, "O", "x", HEDDLE_LABEL_STREAM)->size, ==, 128);
  robot_close (window);
}

static void
test_suggest_for_nothing (void)
{
  HeddleWindow *window = robot_open_nothing ();
  g_autofree char *said = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.new", NULL));
  robot_until (desk_editor_of (window) != NULL);
  g_signal_connect (desk_editor_of (window), "message", G_CALLBACK (keep_message), &said);
  heddle_derivation_suggest (desk_editor_of (window));
  g_assert_cmpstr (said, ==, "There is nothing to derive yet");
  robot_close (window);
}

/* What the person is given is what a kernel of the tensor core can have, and it is told what the model would have wanted. */
static void
test_suggest_for_kernels (void)
{
  HeddleWindow *window = robot_open ("examples/matrix-product.ncd");
  g_autofree char *why = NULL;

  heddle_editor_set_machine (desk_editor_of (window), "h100-sxm");
  click_button (window, "The best kernels and labels for this GPU");
  robot_until (g_strcmp0 (desk_undo_name (window), "Suggested Labels") == 0);
  g_assert_cmpint (find_label (window, "C", "b", HEDDLE_LABEL_GROUP)->size, ==, 256);
  heddle_editor_get_derivation (desk_editor_of (window), NULL);
  why = heddle_explanation_new (desk_editor_of (window), NULL);
  g_assert_nonnull (strstr (why, "tensor core: a grouped by 192 in SMEM, b grouped by 240 in SMEM"));
  robot_close (window);
}

static HeddleKernelPage *
open_kernel_page (HeddleWindow *window)
{
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
  GtkWidget *switcher = robot_find (pane, GTK_TYPE_STACK_SWITCHER, NULL, NULL);
  GtkWidget *page = NULL;

  robot_click_middle (gtk_widget_get_next_sibling (gtk_widget_get_first_child (switcher)));
  page = robot_find (pane, HEDDLE_TYPE_KERNEL_PAGE, NULL, NULL);
  g_assert_true (gtk_widget_get_mapped (page));
  return HEDDLE_KERNEL_PAGE (page);
}

static void
wait_for_kernel (HeddleKernelPage *page)
{
  gint64 end = g_get_monotonic_time () + VERIFY_SECONDS * G_USEC_PER_SEC;

  while (heddle_kernel_page_get_state (page, NULL) == HEDDLE_KERNEL_BUSY)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      robot_step ();
    }
}

static void
verify (HeddleWindow *window, HeddleKernelPage *page)
{
  g_autofree char *why = NULL;
  const char *words = NULL;

  click_button (window, "Compile every kernel, and compare what it computes with the reference");
  wait_for_kernel (page);
  heddle_kernel_page_get_state (page, &words);
  if (heddle_compile_is_available (&why))
    {
      g_assert_cmpint (heddle_kernel_page_get_state (page, NULL), ==, HEDDLE_KERNEL_VERIFIED);
      g_assert_true (g_str_has_prefix (words, "verified"));
      return;
    }
  g_assert_cmpint (heddle_kernel_page_get_state (page, NULL), ==, HEDDLE_KERNEL_FAILED);
  g_assert_cmpuint (strlen (words), >, 0);
}

static void
test_kernel (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleKernelPage *page = NULL;
  g_autofree char *program = NULL;
  g_autofree char *cuda = NULL;

  fuse_all (window);
  click_button (window, "The best kernels and labels for this GPU");
  page = open_kernel_page (window);
  wait_for_kernel (page);
  g_assert_cmpint (heddle_kernel_page_get_state (page, NULL), ==, HEDDLE_KERNEL_PLANNED);
  program = heddle_kernel_listing_dup_text (heddle_kernel_page_get_program (page));
  cuda = heddle_kernel_listing_dup_text (heddle_kernel_page_get_cuda (page));
  g_assert_nonnull (strstr (program, "parfor"));
  g_assert_nonnull (strstr (cuda, "__global__"));
  robot_settle (GTK_WIDGET (window)); /* the text has most of the page */
  g_assert_cmpint (3 * gtk_widget_get_height (GTK_WIDGET (heddle_kernel_page_get_cuda (page))), >,
      2 * gtk_widget_get_height (GTK_WIDGET (page)));

  g_assert_cmpuint (heddle_kernel_listing_get_n_lit (heddle_kernel_page_get_program (page)), ==, 0);
  heddle_editor_select (desk_editor_of (window), desk_producer_id (window, "O"));
  g_assert_cmpuint (heddle_kernel_listing_get_n_lit (heddle_kernel_page_get_program (page)), >, 0);
  g_assert_cmpuint (heddle_kernel_listing_get_n_lit (heddle_kernel_page_get_cuda (page)), >, 0);
  verify (window, page);
  robot_close (window);
}

/* An export verifies what it writes, and the page says so: of kernels that no other test verifies. */
static void
test_exported (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  g_autoptr (HeddleExportChoice) choice = heddle_export_choice_load ();
  g_autofree char *path = g_strdup_printf ("%s/heddle-exported-%d.cu", g_get_tmp_dir (), (int) getpid ());
  HeddleKernelPage *page;
  const char *words = NULL;

  if (!heddle_compile_is_available (NULL))
    {
      robot_close (window);
      g_test_skip ("no CUDA compiler here");
      return;
    }
  heddle_editor_set_machine (desk_editor_of (window), "rtx-4090");
  fuse_all (window);
  click_button (window, "The best kernels and labels for this GPU");
  page = open_kernel_page (window);
  wait_for_kernel (page);
  heddle_kernel_page_get_state (page, &words);
  g_assert_cmpstr (words, ==, "Not compiled or verified yet");
  g_free (choice->suffix);
  choice->suffix = g_strdup (".cu");
  heddle_window_export_to (window, choice, path);
  robot_until (heddle_kernel_page_get_state (page, NULL) == HEDDLE_KERNEL_VERIFIED);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_unlink (path);
  robot_close (window);
}

static void
test_target (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);

  heddle_editor_set_machine (editor, "two-level");
  g_assert_nonnull (desk_undo_name (window));
  robot_settle (GTK_WIDGET (window));
  g_assert_nonnull (card_of (window, "smem"));
  g_assert_null (card_of (window, "l2"));
  heddle_editor_set_machine (editor, "a100-80-sxm");
  robot_settle (GTK_WIDGET (window));
  g_assert_nonnull (card_of (window, "l2"));
  robot_close (window);
}

static GtkWidget *
expander_of (HeddleWindow *window)
{
  return robot_find (window->drawer, GTK_TYPE_TOGGLE_BUTTON, "expander", NULL);
}

/* The share of the window in which the diagram is drawn, %. */
static int
canvas_share (HeddleWindow *window)
{
  GtkWidget *canvas = desk_canvas_of (window);

  return 100 * gtk_widget_get_width (canvas) * gtk_widget_get_height (canvas)
         / (gtk_widget_get_width (GTK_WIDGET (window)) * gtk_widget_get_height (GTK_WIDGET (window)));
}

/* Whether some text of the drawer that is seen says so. */
static gboolean
says (GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL (root) && gtk_widget_get_mapped (root)
      && strstr (gtk_label_get_text (GTK_LABEL (root)), text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

/* The tensor cores are the innermost level of the strip. */
static void
assert_busy (HeddleWindow *window, const HeddleDerivation *derivation)
{
  const HeddleForecast forecast
      = heddle_forecast (derivation, heddle_editor_get_machine (desk_editor_of (window)));
  const double share = heddle_forecast_unit (&forecast, "tensor") / forecast.seconds;
  g_autofree char *text = g_strdup_printf ("%.0f %% busy", 100 * share);

  g_assert_cmpfloat (share, >, .4);
  g_assert_true (says (window->drawer, "Tensor cores"));
  g_assert_true (says (window->drawer, text));
  g_assert_true (says (window->drawer, "989 TFLOP/s"));
}

static void
flash (HeddleWindow *window)
{
  fuse_all (window);
  carry (window, "Q", "y", half_of (window, HEDDLE_LABEL_GROUP));
  let_go (window);
  carry (window, "K", "x", half_of (window, HEDDLE_LABEL_STREAM));
  let_go (window);
}

/* The example has one head, which leaves most of a GPU idle: with 32 of them the same kernel has 1,024 blocks. */
static void
test_heads (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *picker = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_BATCH_PICKER, NULL, NULL);
  GtkWidget *button = gtk_widget_get_first_child (picker), *count = NULL;
  HeddleDerivation *derivation = NULL;

  g_assert_true (says (window->drawer, "Tensor cores"));
  g_assert_false (says (window->drawer, "idle")); /* equations one at a time use them as well */
  flash (window);
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), ==, "h = 1");
  robot_click_middle (button);
  count = robot_find (picker, GTK_TYPE_DROP_DOWN, NULL, NULL);
  robot_until (gtk_widget_get_mapped (count));
  robot_settle (GTK_WIDGET (window));
  robot_key (GTK_WIDGET (window), GDK_KEY_Return, 0);
  for (guint i = 0; i < 5; i++)
    robot_key (GTK_WIDGET (window), GDK_KEY_Down, 0);
  robot_key (GTK_WIDGET (window), GDK_KEY_Return, 0);
  robot_until (g_strcmp0 (desk_undo_name (window), "Heads: 32") == 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), ==, "h = 32");
  g_assert_cmpint (find_label (window, "O", "h", HEDDLE_LABEL_GROUP)->size, ==, 1);
  g_assert_cmpint (find_label (window, "O", "y", HEDDLE_LABEL_GROUP)->size, ==, 128);
  robot_until ((derivation = heddle_editor_get_derivation (editor, NULL)) != NULL
               && !heddle_editor_is_deriving (editor));
  g_assert_cmpint (derivation->transfer_elements, ==, 32 * 34603008LL);
  assert_busy (window, derivation);
  robot_key (GTK_WIDGET (window), GDK_KEY_Escape, 0);
  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_null (heddle_diagram_find_axis (desk_diagram_of (window), "h"));
  robot_until (g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), "h = 1") == 0);
  robot_close (window);
}

/* The height of an image is no number of heads, though it is called h. */
static void
test_no_heads (void)
{
  HeddleWindow *window = robot_open ("examples/unet.ncd");
  GtkWidget *picker = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_BATCH_PICKER, NULL, NULL);
  GtkWidget *button = robot_find (picker, GTK_TYPE_MENU_BUTTON, NULL, NULL);

  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), ==, "h = 1");
  robot_close (window);
}

/* Folded it is one row with the headline; the key, a click and an axis that is carried to it open it. */
static void
test_fold (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *half = half_of (window, HEDDLE_LABEL_GROUP), *expander = expander_of (window);
  double x0, y0, x1 = 100, y1 = 20;

  fuse_all (window);
  g_assert_true (gtk_widget_get_mapped (half));
  robot_key (desk_canvas_of (window), GDK_KEY_j, GDK_CONTROL_MASK);
  robot_until (gtk_widget_get_height (window->drawer) <= 56);
  g_assert_false (gtk_widget_get_mapped (half));
  g_assert_true (says (window->drawer, "does not fit"));
  g_assert_cmpint (canvas_share (window), >=, 45);

  robot_click (expander, gtk_widget_get_width (expander) / 2., gtk_widget_get_height (expander) / 2.);
  robot_until (gtk_widget_get_mapped (half));
  carry (window, "Q", "y", half);
  let_go (window);
  robot_key (desk_canvas_of (window), GDK_KEY_j, GDK_CONTROL_MASK);
  robot_until (!gtk_widget_get_mapped (half) && says (window->drawer, "SMEM group y 128"));

  robot_wire_point (window, heddle_diagram_find_value (desk_diagram_of (window), "K")->id,
      desk_axis_id (window, "x"), &x0, &y0);
  to_window (window, desk_canvas_of (window), &x0, &y0);
  to_window (window, window->drawer, &x1, &y1);
  robot_move (GTK_WIDGET (window), x0, y0);
  robot_press ();
  for (int i = 0; i <= 16; i++)
    robot_move (GTK_WIDGET (window), x0 + (x1 - x0) * i / 16, y0 + (y1 - y0) * i / 16);
  robot_until (gtk_widget_get_mapped (half));
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  robot_close (window);
}

/* Each number of the prediction says in a sentence what it is, with its value. */
static void
test_explained (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *card = robot_find (window->drawer, HEDDLE_TYPE_PREDICTED_CARD, NULL, NULL);
  g_autofree char *waves = NULL,
                  *nothing = heddle_predicted_card_explain (HEDDLE_PREDICTED_CARD (card), "no row");
  gboolean longest = FALSE;

  robot_until (says (card, "TFLOP/s"));
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    {
      g_autofree char *text
          = heddle_predicted_card_explain (HEDDLE_PREDICTED_CARD (card), heddle_forecast_units[i]);

      g_assert_true (g_str_has_prefix (text, "The time "));
      longest |= strstr (text, ", 100 % of the longest") != NULL;
    }
  g_assert_true (longest);
  waves = heddle_predicted_card_explain (HEDDLE_PREDICTED_CARD (card), "waves");
  g_assert_nonnull (strstr (waves, " groups, "));
  g_assert_null (nothing);
  robot_close (window);
}

/* Where the card of a tooltip is, in px of the window; FALSE: none is seen. */
static gboolean
find_tip (HeddleWindow *window, const char *text, graphene_rect_t *place)
{
  GtkWidget *tip = robot_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "hover-card", NULL);

  return tip != NULL && gtk_widget_get_mapped (tip) && gtk_widget_get_width (tip) > 0
         && g_str_equal (gtk_label_get_text (GTK_LABEL (tip)), text)
         && gtk_widget_compute_bounds (tip, GTK_WIDGET (window), place);
}

/* What a button of the derivation does is said above it: what it acts on is below. */
static void
test_tips (void)
{
  const char *const tips[] = { "The best kernels and labels for this GPU", "Export the steps as figures" };
  HeddleWindow *window = robot_open (ATTENTION);

  for (guint i = 0; i < G_N_ELEMENTS (tips); i++)
    {
      GtkWidget *button = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, tips[i]);
      graphene_rect_t own, tip;

      g_assert_true (gtk_widget_compute_bounds (button, GTK_WIDGET (window), &own));
      robot_move (button, 10, 10);
      robot_until (find_tip (window, tips[i], &tip));
      g_test_message ("the button is at %g, %g, %g x %g, its tooltip at %g, %g, %g x %g", own.origin.x,
          own.origin.y, own.size.width, own.size.height, tip.origin.x, tip.origin.y, tip.size.width,
          tip.size.height);
      g_assert_cmpfloat (tip.origin.y + tip.size.height, <=, own.origin.y);
      g_assert_cmpfloat (tip.origin.x + tip.size.width, <=, gtk_widget_get_width (GTK_WIDGET (window)));
      robot_move (desk_canvas_of (window), 20, 20);
      robot_until (!find_tip (window, tips[i], &tip));
    }
  robot_close (window);
}

/* What is to be said of the kernels of a transformer is longer than a window is high: it is scrolled to. */
static void
test_explanation (void)
{
  HeddleWindow *window = robot_open ("examples/decoder-transformer.ncd");
  GtkWidget *explain = NULL;

  robot_until (heddle_editor_get_shown_derivation (desk_editor_of (window)) != NULL);
  click_button (window, "The best kernels and labels for this GPU");
  robot_until (desk_undo_name (window) != NULL && !heddle_editor_is_deriving (desk_editor_of (window)));
  gtk_menu_button_popup (GTK_MENU_BUTTON (
      robot_find (GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, "What the time is spent on")));
  robot_until ((explain = robot_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "explanation", NULL)) != NULL
               && gtk_widget_get_mapped (explain) && gtk_widget_get_height (explain) > 0);
  g_assert_cmpint (gtk_widget_get_height (explain), >, 500);
  g_assert_cmpint (gtk_widget_get_height (gtk_widget_get_ancestor (explain, GTK_TYPE_POPOVER)), <, 500);
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (explain, GTK_TYPE_POPOVER)));
  robot_until (!gtk_widget_get_mapped (explain));
  robot_settle (GTK_WIDGET (window));
  robot_close (window);
}

/* A label that two kernels have alike is said once, in the folded row and in the inspector. */
static void
test_said_once (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleSchedule *schedule = heddle_schedule_new (desk_diagram_of (window)->id);

  for (guint i = 0; i < 2; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (desk_diagram_of (window)->operations, i);
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_append_val (region->operations, operation->id);
      g_ptr_array_add (
          region->labels, heddle_label_new (desk_axis_id (window, "y"), "smem", HEDDLE_LABEL_GROUP, 128));
    }
  robot_key (desk_canvas_of (window), GDK_KEY_j, GDK_CONTROL_MASK);
  heddle_editor_select (desk_editor_of (window), desk_axis_id (window, "y"));
  heddle_editor_set_preview_schedule (desk_editor_of (window), schedule);
  robot_until (heddle_editor_get_preview_derivation (desk_editor_of (window)) != NULL);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (says (window->drawer, "SMEM group y 128"));
  g_assert_false (says (window->drawer, "group y 128, group y 128"));
  g_assert_true (says (window->inspector, "group 128"));
  g_assert_false (says (window->inspector, "group 128, group 128"));
  robot_key (desk_canvas_of (window), GDK_KEY_j, GDK_CONTROL_MASK);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/derive/drag", test_drag);
  g_test_add_func ("/derive/fold", test_fold);
  g_test_add_func ("/derive/heads", test_heads);
  g_test_add_func ("/derive/no-heads", test_no_heads);
  g_test_add_func ("/derive/carried-elsewhere", test_carried_elsewhere);
  g_test_add_func ("/derive/carried-and-escaped", test_carried_and_escaped);
  g_test_add_func ("/derive/refused", test_refused);
  g_test_add_func ("/derive/keyboard", test_keyboard);
  g_test_add_func ("/derive/link", test_link);
  g_test_add_func ("/derive/resize", test_resize);
  g_test_add_func ("/derive/suggest", test_suggest);
  g_test_add_func ("/derive/suggest/again", test_suggest_again);
  g_test_add_func ("/derive/suggest/for-nothing", test_suggest_for_nothing);
  g_test_add_func ("/derive/suggest/for-kernels", test_suggest_for_kernels);
  g_test_add_func ("/derive/target", test_target);
  g_test_add_func ("/derive/kernel", test_kernel);
  g_test_add_func ("/derive/exported", test_exported);
  g_test_add_func ("/derive/said-once", test_said_once);
  g_test_add_func ("/derive/explained", test_explained);
  g_test_add_func ("/derive/tips", test_tips);
  g_test_add_func ("/derive/explanation", test_explanation);
  return g_test_run ();
}
