/* SPDX-License-Identifier: MIT */

/* Where arrays are kept, what is computed again, and what is asked of all tiles, said in a real window by the pointer and by keys: the file holds it,
 * and the command line finds the same numbers in it. */

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "app/derivation/figure-strip.h"
#include "app/derivation/level-card.h"
#include "app/derivation/pane.h"
#include "app/derivation/place-chip.h"
#include "app/derivation/placement.h"
#include "app/derivation/proposal.h"
#include "app/derivation/refusal-card.h"
#include "app/derivation/step-row.h"
#include "app/derivation/steps-card.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "app/panes/inspector.h"
#include "app/window/window.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/write.h"
#include "desk.h"
#include "robot.h"

#define ATTENTION "examples/attention.ncd"
#define WISHES_TIP "Divisors of tile sizes, the memory budget, and labels of single calls"

static const HeddleValue *
value_of (HeddleWindow *window, const char *name)
{
  return heddle_diagram_find_value (heddle_editor_get_diagram (desk_editor_of (window)), name);
}

static GtkWidget *
pane_of (HeddleWindow *window)
{
  return robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
}

/* Where the document says that an array is; NULL: it says nothing. */
static const char *
place_of (HeddleWindow *window, const char *value, const char *reader)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (desk_editor_of (window));
  const char *column = reader != NULL ? desk_producer_id (window, reader) : NULL;

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (place->value == value_of (window, value)->id && place->column == column)
        return place->level;
    }
  return NULL;
}

/* --- the command line --- */

typedef struct
{
  gint64 bytes, held;
  double seconds;
  guint kernels;
} Numbers;

/* What `heddle derive` says of the document as it is now. */
static Numbers
derive_by_command (HeddleWindow *window)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-placing-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "it.ncd", NULL);
  const char *argv[] = { g_getenv ("HEDDLE"), "derive", file, "--json", NULL };
  g_autofree char *text = NULL, *out = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root, *total;
  gsize length = 0;
  int status = 0;

  text = heddle_ncd_write (heddle_editor_get_snapshot (desk_editor_of (window)), &length, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (file, text, (gssize) length, NULL));
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_remove (file);
  g_rmdir (folder);
  g_assert_true (json_parser_load_from_data (parser, out, -1, &error));
  root = json_node_get_object (json_parser_get_root (parser));
  total = json_object_get_object_member (root, "total");
  return (Numbers){ json_object_get_int_member (total, "transfer_bytes"),
    json_object_get_int_member (total, "held_bytes"), json_object_get_double_member (total, "expected_s"),
    json_array_get_length (json_object_get_array_member (root, "kernels")) };
}

static void
assert_as_the_command_line (HeddleWindow *window)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL);
  Numbers numbers = derive_by_command (window);

  g_assert_nonnull (derivation);
  g_assert_cmpint (derivation->transfer_bytes, ==, numbers.bytes);
  g_assert_cmpint (derivation->held_bytes, ==, numbers.held);
  g_assert_cmpuint (derivation->kernels->len, ==, numbers.kernels);
  g_assert_cmpfloat_with_epsilon (derivation->expected_s, numbers.seconds, 1e-12 * numbers.seconds);
}

/* --- FlashAttention: one kernel, y in groups of 128, x in steps of 64 --- */

static HeddleWindow *
open_flash (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = desk_editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  HeddleSchedule *schedule = heddle_schedule_fuse (diagram, NULL, "all", NULL);

  g_assert_true (heddle_schedule_add_label_text (schedule, diagram, machine, "y:group@smem=128", NULL));
  g_assert_true (heddle_schedule_add_label_text (schedule, diagram, machine, "x:stream@smem=64", NULL));
  schedule->gpu = g_strdup (machine->name);
  schedule->dtype = HEDDLE_DTYPE_F16;
  heddle_editor_set_preview_schedule (editor, schedule);
  g_assert_true (heddle_editor_commit_preview (editor, "Flash"));
  robot_settle (GTK_WIDGET (window));
  return window;
}

/* Three inputs and outputs of 1 MiB go to or from DRAM at the 3.03 TB/s that an H100 sustains when one of four is kept in the cache. */
static void
assert_dram (HeddleWindow *window, guint n_arrays)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL);
  const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, 0);

  g_assert_cmpfloat_with_epsilon (kernel->dram_s, n_arrays * 1048576. / 3.03e12, 1e-15);
}

static void
carry_wire (HeddleWindow *window, const char *value, const char *axis, GtkWidget *target)
{
  const int n_steps = 16;
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (window));
  double x0, y0, x1 = gtk_widget_get_width (target) / 2., y1 = gtk_widget_get_height (target) / 2.;

  robot_wire_point (
      window, value_of (window, value)->id, heddle_diagram_find_axis (diagram, axis)->id, &x0, &y0);
  gtk_widget_translate_coordinates (desk_canvas_of (window), GTK_WIDGET (window), x0, y0, &x0, &y0);
  gtk_widget_translate_coordinates (target, GTK_WIDGET (window), x1, y1, &x1, &y1);
  robot_move (GTK_WIDGET (window), x0, y0);
  robot_press ();
  robot_settle (GTK_WIDGET (window));
  for (int i = 1; i <= n_steps; i++)
    robot_move (GTK_WIDGET (window), x0 + (x1 - x0) * i / n_steps, y0 + (y1 - y0) * i / n_steps);
  robot_until (gtk_widget_has_css_class (target, "hovered"));
}

static GtkWidget *
keep_of (HeddleWindow *window, const char *level)
{
  return heddle_level_card_get_keep (
      heddle_derivation_pane_get_card (HEDDLE_DERIVATION_PANE (pane_of (window)), level));
}

static void
test_drop (void)
{
  HeddleWindow *window = open_flash ();
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *chip = NULL;

  assert_dram (window, 4);
  carry_wire (window, "K", "x", keep_of (window, "l2"));
  g_assert_nonnull (heddle_editor_get_preview_derivation (editor)); /* priced while it is held */
  g_assert_null (place_of (window, "K", NULL));
  robot_release ();
  robot_until (place_of (window, "K", NULL) != NULL);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpstr (place_of (window, "K", NULL), ==, "l2");
  g_assert_cmpstr (desk_undo_name (window), ==, "Keep K at L2");
  assert_dram (window, 3);
  assert_as_the_command_line (window);

  robot_until ((chip = robot_find (pane_of (window), HEDDLE_TYPE_PLACE_CHIP, NULL, NULL)) != NULL);
  gtk_widget_grab_focus (robot_find (chip, GTK_TYPE_MENU_BUTTON, NULL, NULL));
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_null (place_of (window, "K", NULL));
  assert_dram (window, 4);
  heddle_document_undo (heddle_editor_get_document (editor));
  g_assert_cmpstr (place_of (window, "K", NULL), ==, "l2");
  heddle_document_undo (heddle_editor_get_document (editor));
  g_assert_null (place_of (window, "K", NULL));
  robot_close (window);
}

/* Esc puts it back where it was. */
static void
test_drop_escaped (void)
{
  HeddleWindow *window = open_flash ();
  HeddleEditor *editor = desk_editor_of (window);

  carry_wire (window, "K", "x", keep_of (window, "l2"));
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  robot_until (heddle_editor_get_preview_schedule (editor) == NULL);
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  g_assert_null (place_of (window, "K", NULL));
  g_assert_cmpstr (desk_undo_name (window), ==, "Flash");
  robot_close (window);
}

/* The menu key on the array: Keep K at, L2. */
static void
test_keys (void)
{
  HeddleWindow *window = open_flash ();
  const guint keys[]
      = { GDK_KEY_Up, GDK_KEY_Up, GDK_KEY_Return, GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Return };

  heddle_editor_select (desk_editor_of (window), value_of (window, "K")->id);
  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_Menu, 0);
  robot_settle (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      robot_key (desk_canvas_of (window), keys[i], 0);
      robot_settle (GTK_WIDGET (window));
    }
  g_assert_cmpstr (place_of (window, "K", NULL), ==, "l2");
  g_assert_cmpstr (desk_undo_name (window), ==, "Keep K at L2");
  assert_dram (window, 3);
  robot_close (window);
}

/* --- what cannot be --- */

static GtkWidget *
remedy_of (HeddleWindow *window)
{
  GtkWidget *card = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_REFUSAL_CARD, NULL, NULL);

  return robot_find (card, GTK_TYPE_BUTTON, "remedy", NULL);
}

/* A row of the inspector by its title. */
static GtkWidget *
find_row (GtkWidget *root, GType type, const char *title, guint *nth)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type)
      && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) && (*nth)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, type, title, nth);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* As long as nobody does anything, so that what workers tell has come. */
static void
rest (void)
{
  gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC / 2;

  while (g_get_monotonic_time () < end)
    robot_step ();
}

/* It is there to stay: the page is made anew as long as prices come in. */
static GtkWidget *
inspector_row (HeddleWindow *window, const char *value, GType type, const char *title, guint nth)
{
  GtkWidget *inspector = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_INSPECTOR, NULL, NULL), *row = NULL;
  guint n = nth;

  heddle_editor_select (desk_editor_of (window), value_of (window, value)->id);
  while (row == NULL)
    {
      robot_settle (GTK_WIDGET (window));
      robot_until ((n = nth, row = find_row (inspector, type, title, &n)) != NULL);
      g_object_add_weak_pointer (G_OBJECT (row), (gpointer *) &row);
      rest ();
    }
  g_object_remove_weak_pointer (G_OBJECT (row), (gpointer *) &row);
  return row;
}

static void
test_refused (void)
{
  HeddleWindow *window = open_flash ();
  const HeddleRefusal *refusal = NULL;
  GtkWidget *row = inspector_row (window, "S", ADW_TYPE_COMBO_ROW, "Everywhere", 0);

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 2); /* L2 */
  robot_settle (GTK_WIDGET (window));
  refusal = heddle_editor_get_refusal (desk_editor_of (window));
  g_assert_nonnull (refusal);
  g_assert_nonnull (strstr (refusal->reason, "its kernel keeps it at smem"));
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_CUT);
  g_assert_null (place_of (window, "S", NULL));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (remedy_of (window))), ==,
      "_Cut the Kernel after S and Keep It There");
  g_assert_true (gtk_widget_get_mapped (remedy_of (window)));

  gtk_widget_grab_focus (remedy_of (window));
  g_signal_emit_by_name (remedy_of (window), "clicked");
  robot_settle (GTK_WIDGET (window));
  g_assert_null (heddle_editor_get_refusal (desk_editor_of (window)));
  g_assert_cmpstr (place_of (window, "S", NULL), ==, "l2");
  g_assert_cmpstr (desk_undo_name (window), ==, "Keep S at L2");
  g_assert_cmpuint (heddle_editor_get_derivation (desk_editor_of (window), NULL)->kernels->len, ==, 2);
  assert_as_the_command_line (window);
  heddle_document_undo (heddle_editor_get_document (desk_editor_of (window))); /* the cut with it */
  g_assert_cmpstr (desk_undo_name (window), ==, "Flash");
  g_assert_cmpuint (heddle_editor_get_derivation (desk_editor_of (window), NULL)->kernels->len, ==, 1);

  /* What leaves its kernel is kept inside by fusing what reads it; an input was there before all kernels. */
  heddle_editor_set_refusal (desk_editor_of (window), NULL);
  carry_wire (window, "K", "x", keep_of (window, "smem"));
  g_assert_true (gtk_widget_has_css_class (keep_of (window, "smem"), "refused"));
  robot_release ();
  robot_settle (GTK_WIDGET (window));
  refusal = heddle_editor_get_refusal (desk_editor_of (window));
  g_assert_nonnull (refusal);
  g_assert_nonnull (strstr (refusal->reason, "it is an input"));
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_NONE);
  g_assert_null (place_of (window, "K", NULL));
  robot_close (window);
}

/* All of attention cannot stream k, which S alone can: the drop says so, and its button takes S out of the kernel. */
static void
test_cut (void)
{
  HeddleWindow *window = open_flash ();
  const HeddleRefusal *refusal = NULL;
  GtkWidget *half = heddle_level_card_get_half (
      heddle_derivation_pane_get_card (HEDDLE_DERIVATION_PANE (pane_of (window)), "smem"),
      HEDDLE_LABEL_STREAM);
  HeddleSchedule *schedule = NULL;

  heddle_editor_select (desk_editor_of (window),
      heddle_diagram_find_axis (heddle_editor_get_diagram (desk_editor_of (window)), "k")->id);
  gtk_widget_grab_focus (half);
  robot_key (half, GDK_KEY_Return, 0);
  refusal = heddle_editor_get_refusal (desk_editor_of (window));
  g_assert_nonnull (refusal);
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_CUT);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (remedy_of (window))), ==, "_Unfuse the Rest");
  gtk_widget_grab_focus (remedy_of (window));
  g_signal_emit_by_name (remedy_of (window), "clicked");
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpstr (desk_undo_name (window), ==, "Unfuse the Rest");
  schedule = (HeddleSchedule *) heddle_editor_get_schedule (desk_editor_of (window));
  g_assert_true (heddle_schedule_region_of (schedule, desk_producer_id (window, "S"))
                 != heddle_schedule_region_of (schedule, desk_producer_id (window, "O")));
  robot_close (window);
}

/* Of one column: where S reads it. */
static void
test_column (void)
{
  HeddleWindow *window = open_flash ();
  GtkWidget *row = inspector_row (window, "K", ADW_TYPE_COMBO_ROW, "For S", 0);

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1); /* GMEM */
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpstr (place_of (window, "K", "S"), ==, "gmem");
  g_assert_cmpstr (desk_undo_name (window), ==, "Keep K at GMEM for S");
  assert_as_the_command_line (window);
  robot_close (window);
}

/* --- computing again --- */

/* By the first that reads it. */
static gboolean
is_computed_again (HeddleWindow *window, const char *name)
{
  const HeddleValue *value = value_of (window, name);
  g_autoptr (GPtrArray) readers
      = heddle_diagram_get_readers (heddle_editor_get_diagram (desk_editor_of (window)), value->id);

  return heddle_recompute_get (
      desk_editor_of (window), value->id, ((HeddleOperation *) g_ptr_array_index (readers, 0))->id);
}

/* Each of S, P and O its own kernel; then P's computes S itself: that of S is gone, and so are the 32 MiB of it. */
static void
test_again (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleDerivation *derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL);
  GtkWidget *row = NULL;

  g_assert_cmpuint (derivation->kernels->len, ==, 3);
  g_assert_cmpint (derivation->held_bytes, ==, (3 + 32 + 32) * 1048576); /* Q, K, V, S and P */
  /* A combo row is an action row: the second is the switch. What reads S is the scaling before the softmax of P. */
  row = inspector_row (window, "S", ADW_TYPE_ACTION_ROW, "For t1", 1);
  gtk_widget_grab_focus (robot_find (row, GTK_TYPE_SWITCH, NULL, NULL));
  robot_key (desk_canvas_of (window), GDK_KEY_space, 0);
  robot_until (is_computed_again (window, "S"));
  g_assert_cmpstr (desk_undo_name (window), ==, "Compute S Again for t1");
  robot_until ((derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL)) != NULL);
  g_assert_cmpuint (derivation->kernels->len, ==, 2);
  g_assert_cmpint (derivation->held_bytes, ==, (3 + 32 + 1) * 1048576); /* Q, K, V, P and O */
  assert_as_the_command_line (window);
  heddle_document_undo (heddle_editor_get_document (desk_editor_of (window)));
  g_assert_cmpuint (heddle_editor_get_derivation (desk_editor_of (window), NULL)->kernels->len, ==, 3);
  robot_close (window);
}

/* --- wishes --- */

static GtkWidget *
open_wishes (HeddleWindow *window)
{
  GtkWidget *button = robot_find (pane_of (window), GTK_TYPE_MENU_BUTTON, NULL, WISHES_TIP);

  robot_click_middle (button);
  robot_until (
      gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)) != NULL
      && gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))));
  robot_settle (GTK_WIDGET (window));
  return GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));
}

/* f16: 128-byte lines are 64 values of k; a tensor core takes 16 rows of y, 8 or 16 of x. */
static void
test_wishes (void)
{
  HeddleWindow *window = open_flash ();
  const HeddleSchedule *schedule = NULL;
  const HeddleKernel *kernel = NULL;
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (window));
  GtkWidget *popover = open_wishes (window), *entry = robot_find (popover, GTK_TYPE_ENTRY, NULL, NULL);

  robot_click_middle (robot_find (popover, GTK_TYPE_CHECK_BUTTON, NULL, NULL));
  g_assert_cmpstr (desk_undo_name (window), ==, "Tiles in Multiples for mma");
  robot_click_middle (robot_find (popover, GTK_TYPE_CHECK_BUTTON, NULL,
      "The last axis of moved arrays, so that whole lines of memory are read"));
  schedule = heddle_editor_get_schedule (desk_editor_of (window));
  g_assert_cmpstr (schedule->divisors, ==, "mma,lines");
  kernel = g_ptr_array_index (heddle_editor_get_derivation (desk_editor_of (window), NULL)->kernels, 0);
  g_assert_cmpint (heddle_kernel_divisor (kernel, heddle_diagram_find_axis (diagram, "y")->id), ==, 16);
  g_assert_cmpint (heddle_kernel_divisor (kernel, heddle_diagram_find_axis (diagram, "k")->id), ==, 64);

  robot_click_middle (entry);
  robot_type (entry, "much");
  robot_key (entry, GDK_KEY_Return, 0);
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (heddle_editor_get_schedule (desk_editor_of (window))->budget, ==, 0);
  robot_key (entry, GDK_KEY_a, GDK_CONTROL_MASK);
  robot_type (entry, "2.5 MiB");
  robot_key (entry, GDK_KEY_Return, 0);
  g_assert_cmpint (heddle_editor_get_schedule (desk_editor_of (window))->budget, ==, 2621440);
  g_assert_cmpstr (desk_undo_name (window), ==, "Memory Budget of 2560 KiB");
  gtk_popover_popdown (GTK_POPOVER (popover));
  assert_as_the_command_line (window);
  robot_close (window);
}

/* --- steps --- */

/* Every step is of the whole diagram: what it has not come to yet runs as it did before the first. */
static void
test_steps (void)
{
  HeddleWindow *window = open_flash ();
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *card = robot_find (pane_of (window), HEDDLE_TYPE_STEPS_CARD, NULL, NULL);
  GtkListBox *list = GTK_LIST_BOX (robot_find (card, GTK_TYPE_LIST_BOX, NULL, NULL));
  HeddleSchedule *first = NULL;

  robot_until (gtk_list_box_get_row_at_index (list, 3) != NULL); /* alone, fuse, group, stream */
  robot_until ((first = heddle_steps_card_get_schedule (HEDDLE_STEPS_CARD (card), 1)) != NULL);
  g_assert_cmpuint (first->regions->len, ==, 3);
  heddle_schedule_free (first);

  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (list, 2)));
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpuint (heddle_steps_card_get_looked_at (HEDDLE_STEPS_CARD (card)), ==, 3);
  g_assert_nonnull (heddle_editor_get_preview_schedule (editor));
  g_assert_cmpuint (
      ((HeddleRegion *) g_ptr_array_index (heddle_editor_get_preview_schedule (editor)->regions, 0))
          ->labels->len,
      ==, 1); /* y is grouped, x does not stream yet */
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 3)); /* the list is of what there is */
  g_assert_cmpstr (desk_undo_name (window), ==, "Flash");
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpuint (heddle_steps_card_get_looked_at (HEDDLE_STEPS_CARD (card)), ==, 0);
  g_assert_null (heddle_editor_get_preview_schedule (editor));
  robot_close (window);
}

static void
try_group (HeddleEditor *editor, gint64 size)
{
  const char *axis = heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "y")->id;
  g_autoptr (HeddleProposal) proposal = heddle_proposal_new (editor, axis, "smem", HEDDLE_LABEL_GROUP, size);

  heddle_editor_set_preview_schedule (editor, g_steal_pointer (&proposal->schedule));
}

/* A label that is tried at another size is the same row of the list, and says so. */
static void
test_rows (void)
{
  HeddleWindow *window = open_flash ();
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *card = robot_find (pane_of (window), HEDDLE_TYPE_STEPS_CARD, NULL, NULL);
  GtkListBox *list = GTK_LIST_BOX (robot_find (card, GTK_TYPE_LIST_BOX, NULL, NULL));
  GtkListBoxRow *row = NULL;
  g_autofree char *before = NULL;

  robot_until (gtk_list_box_get_row_at_index (list, 3) != NULL);
  try_group (editor, 32);
  row = gtk_list_box_get_row_at_index (list, 3);
  before = g_strdup (heddle_step_row_get_title (row));
  try_group (editor, 64);
  g_assert_true (gtk_list_box_get_row_at_index (list, 3) == row);
  g_assert_cmpstr (before, ==, "Group y at SMEM, 32");
  g_assert_cmpstr (heddle_step_row_get_title (row), ==, "Group y at SMEM, 64");
  g_assert_null (gtk_list_box_get_row_at_index (list, 4));
  robot_close (window);
}

/* The same steps drawn: four figures, of which the third is clicked, looked at, and left again. */
static void
test_figures (void)
{
  HeddleWindow *window = open_flash ();
  HeddleEditor *editor = desk_editor_of (window);
  GtkWidget *strip = robot_find (pane_of (window), HEDDLE_TYPE_FIGURE_STRIP, NULL, NULL), *third = NULL;
  GtkWidget *card = robot_find (pane_of (window), HEDDLE_TYPE_STEPS_CARD, NULL, NULL);

  robot_until (heddle_steps_card_get_n_steps (HEDDLE_STEPS_CARD (card)) == 4);
  gtk_widget_activate_action (card, "derivation.show-figures", NULL);
  robot_until (heddle_figure_strip_get_n_figures (HEDDLE_FIGURE_STRIP (strip)) == 4);
  third = robot_find (strip, GTK_TYPE_TOGGLE_BUTTON, NULL, NULL);
  third = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (third));
  robot_settle (third);
  robot_click (third, 40, 20);
  g_assert_cmpuint (heddle_steps_card_get_looked_at (HEDDLE_STEPS_CARD (card)), ==, 3);
  g_assert_nonnull (heddle_editor_get_preview_schedule (editor));
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  robot_click (third, 40, 20);
  g_assert_cmpuint (heddle_steps_card_get_looked_at (HEDDLE_STEPS_CARD (card)), ==, 0);
  g_assert_null (heddle_editor_get_preview_schedule (editor));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  robot_close (window);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();

  g_test_add_func ("/placing/drop", test_drop);
  g_test_add_func ("/placing/escaped", test_drop_escaped);
  g_test_add_func ("/placing/keys", test_keys);
  g_test_add_func ("/placing/refused", test_refused);
  g_test_add_func ("/placing/cut", test_cut);
  g_test_add_func ("/placing/column", test_column);
  g_test_add_func ("/placing/again", test_again);
  g_test_add_func ("/placing/wishes", test_wishes);
  g_test_add_func ("/placing/steps", test_steps);
  g_test_add_func ("/placing/rows", test_rows);
  g_test_add_func ("/placing/figures", test_figures);
  return g_test_run ();
}
