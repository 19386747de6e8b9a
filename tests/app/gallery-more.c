/* SPDX-License-Identifier: MIT */

/* States of the derivation, and dialogs that something has to come before. */

#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/canvas/hover-card.h"
#include "app/canvas/pick.h"
#include "app/derivation/kernel-list.h"
#include "app/derivation/pane.h"
#include "app/derivation/actions.h"
#include "app/derivation/figure-strip.h"
#include "app/derivation/level-half.h"
#include "app/derivation/link-row.h"
#include "app/derivation/refusal-card.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/measured.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/edits/batch-picker.h"
#include "app/edits/batch.h"
#include "app/guide/tour.h"
#include "app/widgets/settings.h"
#include "app/window/measure-window.h"
#include "app/window/open.h"
#include "app/window/optimise-window.h"
#include "app/window/window.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/report/roofline.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "gallery.h"
#include "robot.h"
#include "app/window/private.h"

/* A model of a known operation and two that nobody knows: X -> Relu -> DFT2 -> MyQuantize -> Y. */
static const char strange_model[]
    = "\010\010:\211\001\012\031\012\001X\022\001H\032\013/layer/relu\042\004Relu\012\030\012\001"
      "H\022\001F\032\012/layer/fft\042\004DFT2\012\037\012\001F\022\001Y\032\013/layer/snap\042"
      "\012MyQuantize\022\007strangeZ\023\012\001X\022\016\012\014\010\001\022\010\012\002\010"
      "\004\012\002\010\010b\023\012\001Y\022\016\012\014\010\001\022\010\012\002\010\004\012\002"
      "\010\010B\002\020\021";

static HeddleWindow *
open_derived (void)
{
  HeddleWindow *window = gallery_open_attention ();
  HeddleEditor *shown = heddle_window_get_editor (window);

  heddle_derivation_fuse (shown);
  heddle_derivation_suggest (shown);
  robot_until (!heddle_editor_is_searching (shown) && heddle_editor_get_derivation (shown, NULL) != NULL);
  gallery_wait (GTK_WIDGET (window));
  return window;
}

/* FlashAttention for many heads, and where they are chosen. */
static void
heads (const char *name)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *picker = robot_find (window->drawer, HEDDLE_TYPE_BATCH_PICKER, NULL, NULL);

  heddle_edits_set_batch (heddle_window_get_editor (window), HEDDLE_BATCH_HEADS, 32);
  gallery_wait (GTK_WIDGET (window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (gtk_widget_get_first_child (picker)));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* The page of a venue around the figure, which is a little too wide for it. */
static void
page_frame (const char *name)
{
  HeddleWindow *window = open_derived ();

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page-frame", "s", "icml-column");
  gallery_take (GTK_WIDGET (window), name);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page-frame", "s", "");
  robot_close (window);
}

/* Shows the legend below the diagram with its labels. */
static void
legend (const char *name)
{
  HeddleWindow *window = open_derived ();

  gtk_widget_activate_action (GTK_WIDGET (window), "win.legend", NULL);
  gallery_take (GTK_WIDGET (window), name);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.legend", NULL);
  robot_close (window);
}

/* The card at a sign of the drawing, as if the pointer rested there: where it is, is the display's to say. */
static void
card (const char *name)
{
  HeddleWindow *window = open_derived ();
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));
  const char *value = heddle_diagram_find_value (diagram, "P")->id;
  GtkWidget *shown = NULL;

  robot_operation_point (
      window, heddle_diagram_get_producer (diagram, value)->id, &canvas->pointer_x, &canvas->pointer_y);
  canvas->hover = heddle_canvas_pick (canvas, canvas->pointer_x, canvas->pointer_y);
  heddle_canvas_hover_card_follow (canvas, TRUE);
  robot_until ((shown = robot_find (GTK_WIDGET (canvas), GTK_TYPE_LABEL, "hover-card", NULL)) != NULL
               && gtk_widget_get_visible (shown));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
show_page (HeddleWindow *window, const char *page)
{
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), page);
}

static void
steps (const char *name)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *strip = robot_find (window->drawer, HEDDLE_TYPE_FIGURE_STRIP, NULL, NULL);

  show_page (window, "steps");
  robot_until (heddle_figure_strip_get_n_figures (HEDDLE_FIGURE_STRIP (strip)) > 0);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* An axis grouped over the GPUs of a server. */
static void
links (const char *name)
{
  HeddleWindow *window = open_derived ();
  HeddleEditor *editor = heddle_window_get_editor (window);
  GtkWidget *row = robot_find (window->drawer, HEDDLE_TYPE_LINK_ROW, NULL, NULL);
  GtkWidget *scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  heddle_level_half_drop (HEDDLE_LEVEL_HALF (heddle_link_row_get_half (HEDDLE_LINK_ROW (row))),
      heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "y")->id, 512);
  gallery_wait (GTK_WIDGET (window));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* Numbers of no GPU: what they would look like. */
static HeddleBenchResult *
invent (HeddleEditor *editor, const char *date, double times)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  HeddleBenchResult *one = g_new0 (HeddleBenchResult, 1);

  one->diagram = g_strdup ("attention");
  one->machine = g_strdup (heddle_editor_get_machine (editor)->name);
  one->gpu = g_strdup ("Imagined GPU");
  one->date = g_strdup (date);
  one->dtype = heddle_editor_get_dtype (editor);
  one->flops = derivation->flops;
  one->bytes = (double) derivation->transfer_bytes;
  one->median_s = times * derivation->expected_s;
  one->least_s = .94 * one->median_s;
  one->most_s = 1.2 * one->median_s;
  return one;
}

static void
measured (const char *name)
{
  HeddleWindow *window = open_derived ();
  HeddleEditor *editor = heddle_window_get_editor (window);

  heddle_editor_add_measurement (editor, invent (editor, "2026-11-02T10:00:00Z", 2.4));
  heddle_editor_add_measurement (editor, invent (editor, "2026-11-20T10:00:00Z", 1.3));
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
explain (const char *name)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *button
      = robot_find (window->drawer, GTK_TYPE_MENU_BUTTON, NULL, gettext ("What the time is spent on"));

  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  gallery_take (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))), name);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  robot_close (window);
}

/* Each kernel's time, and all of it as warmth, with the tooltip of the button that shows it. */
static void
kernels_by_time (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GtkWidget *list = robot_find (window->drawer, HEDDLE_TYPE_KERNEL_LIST, NULL, NULL), *each;

  heddle_derivation_pane_set_open (
      HEDDLE_DERIVATION_PANE (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL)),
      TRUE);
  robot_until (heddle_kernel_list_has_many (HEDDLE_KERNEL_LIST (list)));
  each = robot_find (window->drawer, GTK_TYPE_TOGGLE_BUTTON, NULL, gettext ("The time of each kernel"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (each), TRUE);
  gtk_toggle_button_set_active (
      GTK_TOGGLE_BUTTON (robot_find (list, GTK_TYPE_TOGGLE_BUTTON, "warmth", NULL)), TRUE);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* A definition of a definition, with the way to it. */
static void
within_definition (const char *name)
{
  HeddleWindow *window = gallery_open ("examples/decoder-transformer.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  for (guint i = 0; i < 2; i++)
    heddle_editor_open_call (editor, heddle_editor_get_diagram (editor)->operations->pdata[0]);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

/* x cannot stream through the softmax alone. */
static void
refuse (HeddleWindow *window)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);

  heddle_editor_set_refusal (editor, heddle_derive_try_label (diagram, schedule, gallery_softmax_of (window),
                                         heddle_diagram_find_axis (diagram, "x")->id, HEDDLE_LABEL_STREAM));
  heddle_schedule_free (schedule);
  gallery_wait (GTK_WIDGET (window));
}

static void
refused (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  refuse (window);
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
remedies (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  GtkWidget *card = NULL;

  refuse (window);
  card = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_REFUSAL_CARD, NULL, NULL);
  gallery_take (gtk_widget_get_ancestor (card, GTK_TYPE_POPOVER), name);
  robot_close (window);
}

static void
find (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.find");
  gtk_editable_set_text (GTK_EDITABLE (robot_find (window->find_bar, GTK_TYPE_EDITABLE, NULL, NULL)), "x");
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

static void
command (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.command");
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
menu (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gtk_menu_button_popup (GTK_MENU_BUTTON (window->menu_button));
  gallery_take (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (window->menu_button))), name);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (window->menu_button));
  robot_close (window);
}

static void
optimise (const char *name)
{
  HeddleWindow *window = gallery_open ("examples/unet.ncd");

  gallery_act (window, "win.optimise");
  gallery_take_dialog (window, name);
  robot_close (window);
}

static void
optimised (const char *name)
{
  HeddleWindow *window = gallery_open ("examples/softmax.ncd");
  GtkWidget *dialog = NULL;

  gallery_act (window, "win.optimise");
  robot_until ((dialog = gallery_find_dialog (GTK_WIDGET (window))) != NULL);
  robot_until (heddle_optimise_window_get_result (HEDDLE_OPTIMISE_WINDOW (dialog)) != NULL);
  gallery_take_dialog (window, name);
  robot_close (window);
}

/* Without a GPU, or on the driver that stands in for one: while it is measured, and what came of it. */
static void
measure (const char *name)
{
  HeddleWindow *window = gallery_open ("examples/softmax.ncd");
  HeddleMeasureWindow *dialog = NULL;
  const gboolean without = g_str_equal (name, "not-measured");

  if (!without)
    g_unsetenv ("STAND_IN_WITHOUT_GPU");
  gallery_act (window, "win.measure");
  robot_until ((dialog = (HeddleMeasureWindow *) gallery_find_dialog (GTK_WIDGET (window))) != NULL);
  /* As long as it takes: each launch is worked out by the processor. */
  while (!g_str_equal (name, "measuring") && heddle_measure_window_get_result (dialog) == NULL
         && g_strcmp0 (heddle_measure_window_get_failure (dialog), "") <= 0)
    robot_step ();
  gallery_take_dialog (window, name);
  g_setenv ("STAND_IN_WITHOUT_GPU", "1", TRUE);
  robot_close (window);
}

/* What is not understood of a model. */
static void
strange (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "strange.onnx", NULL);

  g_file_set_contents (path, strange_model, sizeof strange_model - 1, NULL);
  heddle_window_open_model (window, path);
  gallery_take_dialog (window, name);
  g_unlink (path);
  robot_close (window);
}

static void
export_for (const char *name, HeddleWindow *window, const char *venue, const char *picture)
{
  GSettings *settings = heddle_settings_get ();

  g_settings_set_string (settings, "export-width", "venue");
  g_settings_set_string (settings, "export-venue", venue);
  g_settings_set_string (settings, "export-picture", picture);
  gallery_act (window, "win.export");
  gallery_take_dialog (window, name);
  g_settings_reset (settings, "export-width");
  g_settings_reset (settings, "export-venue");
  g_settings_reset (settings, "export-picture");
  robot_close (window);
}

/* export-icml-column and so on */
static void
export_venue (const char *name)
{
  export_for (name, open_derived (), name + strlen ("export-"), "diagram");
}

static void
export_steps (const char *name)
{
  export_for (name, open_derived (), "neurips", "steps");
}

static void
tour (const char *name)
{
  HeddleWindow *window = gallery_open_attention ();

  gallery_act (window, "win.tour");
  gallery_wait (GTK_WIDGET (window));
  for (guint i = 0; heddle_tour_get_step (window->tour) + 1 < heddle_tour_get_n_steps (window->tour); i++)
    {
      g_autofree char *of_step = g_strdup_printf ("%s-%u", name, heddle_tour_get_step (window->tour) + 1);

      gallery_take (GTK_WIDGET (window), of_step);
      heddle_tour_skip (window->tour);
    }
  gallery_take (GTK_WIDGET (window), name);
  robot_close (window);
}

const GalleryState gallery_more[] = {
  { "heads", heads },
  { "page-frame", page_frame },
  { "legend", legend },
  { "card", card },
  { "steps", steps },
  { "links", links },
  { "measured", measured },
  { "explain", explain },
  { "kernels-by-time", kernels_by_time },
  { "within-definition", within_definition },
  { "refused", refused },
  { "remedies", remedies },
  { "find", find },
  { "command", command },
  { "menu", menu },
  { "optimise", optimise },
  { "optimised", optimised },
  { "not-measured", measure },
  { "gpu-measured", measure },
  { "strange-model", strange },
  { "export-icml-column", export_venue },
  { "export-icml-page", export_venue },
  { "export-neurips", export_venue },
  { "export-cvpr-column", export_venue },
  { "export-aaai-column", export_venue },
  { "export-tmlr", export_venue },
  { "export-steps", export_steps },
  { "tour-steps", tour },
  /* The last: what is stopped goes on for a while, and the driver that stands in has one at a time. */
  { "measuring", measure },
  { NULL },
};
