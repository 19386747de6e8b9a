/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/derivation/actions.h"
#include "app/derivation/compare-page.h"
#include "app/derivation/explanation.h"
#include "app/derivation/figure-strip.h"
#include "app/widgets/format.h"
#include "app/derivation/kernel-list.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/level-strip.h"
#include "app/derivation/outlook.h"
#include "app/derivation/pane.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/steps-card.h"
#include "app/derivation/suggestion-actions.h"
#include "app/derivation/target-picker.h"
#include "app/derivation/wishes.h"
#include "app/editor/derive.h"
#include "app/edits/batch-picker.h"
#include "app/edits/axis-drag.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/widgets/popover-width.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/settings.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/tooltip-place.h"
#include "app/widgets/wrap-box.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#define STRIP_WIDTH 540
#define EXPLANATION_HEIGHT 360 /* px at most: the rest is scrolled to */
#define CARD_SPACING 10
#define PEEK 26 /* of what is beside the strip */
#define HINT_CHARS                                                                                           \
  12 /* with room for less it has a row of its own, text or not: nothing moves while something is dragged */
#define PAGE_HEIGHT 318 /* five levels */

struct _HeddleDerivationPane
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleOutlook *outlook;
  GtkStack *stack;
  GtkWidget *target, *batch, *levels, *strip, *chart, *predicted, *each, *kernels, *steps, *kernel, *compare,
      *figures;
  GtkWidget *level_actions, *kernel_actions, *compare_actions, *figure_actions;
  GtkLabel *hint;
  GtkWidget *expander, *switcher;
  GtkWidget *busy, *spinner, *busy_words, *again;
  guint update_source;
};

G_DEFINE_FINAL_TYPE (HeddleDerivationPane, heddle_derivation_pane, GTK_TYPE_BOX)

/* --- what the panes show --- */

static gboolean
shows (HeddleDerivationPane *self, const char *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), page) == 0;
}

/* Updates the page shown with the document; the others follow when they are shown. */
static void
update_page (HeddleDerivationPane *self)
{
  if (shows (self, "kernel"))
    heddle_kernel_page_update (HEDDLE_KERNEL_PAGE (self->kernel));
  else if (shows (self, "compare"))
    heddle_compare_page_update (HEDDLE_COMPARE_PAGE (self->compare));
  else if (shows (self, "steps"))
    heddle_figure_strip_update (HEDDLE_FIGURE_STRIP (self->figures));
}

static char *
describe_start (HeddleDerivationPane *self)
{
  const HeddleForecast *baseline = heddle_outlook_get_baseline (self->outlook);
  g_autofree char *time = NULL, *limit = NULL;

  if (baseline == NULL || !heddle_forecast_is_timed (baseline))
    return g_strdup (_ ("Nothing is fused or labelled yet"));
  time = heddle_format_seconds (baseline->seconds);
  limit = heddle_format_limit (baseline);
  return g_strdup_printf (
      _ ("One equation at a time: %s, %s. Nothing is fused or labelled yet."), time, limit);
}

/* Returns in words what the selected operation does to the kernel page. */
static char *
describe_lit (HeddleDerivationPane *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const char *id = heddle_editor_get_selected (self->editor);
  const HeddleOperation *operation = id != NULL ? heddle_diagram_get_operation (diagram, id) : NULL;

  if (operation == NULL)
    return g_strdup (_ ("Select an operation to light up its lines"));
  return g_strdup_printf (_ ("%s is selected: its lines are lit"), _ (operation->kind->title));
}

/* Shows what takes long, which can be given up. */
static void
update_busy (HeddleDerivationPane *self)
{
  const gboolean searching = heddle_editor_is_searching (self->editor);
  const gboolean busy = searching || heddle_editor_is_deriving (self->editor);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (self->editor);
  const guint n = diagram != NULL ? diagram->operations->len : 0;
  g_autofree char *text
      = searching ? g_strdup_printf (
            ngettext ("Searching labels of %u operation…", "Searching labels of %u operations…", n), n)
                  : g_strdup_printf (ngettext ("Deriving %u operation…", "Deriving %u operations…", n), n);

  gtk_widget_set_visible (self->busy, busy);
  gtk_widget_set_visible (GTK_WIDGET (self->hint), !searching); /* so that the row stays one */
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
  gtk_label_set_text (GTK_LABEL (self->busy_words), searching ? _ ("Searching labels…") : _ ("Deriving…"));
  gtk_widget_set_tooltip_text (self->busy, text);
  gtk_widget_set_visible (self->again, heddle_editor_can_derive_again (self->editor));
}

static void
update_hint (HeddleDerivationPane *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self->editor);
  const guint looked_at = heddle_steps_card_get_looked_at (HEDDLE_STEPS_CARD (self->steps));
  g_autofree char *text = NULL;

  if (!heddle_derivation_pane_is_open (self))
    text = heddle_explanation_new_headline (self->editor, self->outlook);
  else if (shows (self, "kernel"))
    text = describe_lit (self);
  else if (shows (self, "compare"))
    text = g_strdup (_ ("Choose two GPUs, or one GPU and two data types"));
  else if (looked_at > 0)
    text = g_strdup_printf (_ ("Step %u as it was: press Esc or click it again to return"), looked_at);
  else if (heddle_editor_get_preview_schedule (self->editor) != NULL)
    text = g_strdup (_ ("Drop to keep; each size has its own target; Esc cancels"));
  else if (schedule == NULL || schedule->regions->len == 0)
    text = describe_start (self);
  gtk_label_set_text (self->hint, text != NULL ? text : "");
  /* Each tooltip that is set asks the display where the pointer is. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (self->hint)), text) != 0)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->hint), text);
}

/* The sum of all kernels, or each of them where there are several and that is wanted. */
static void
update_prediction (HeddleDerivationPane *self)
{
  const gboolean many = heddle_kernel_list_has_many (HEDDLE_KERNEL_LIST (self->kernels));
  const gboolean each = many && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->each));

  gtk_widget_set_visible (self->each, many);
  gtk_widget_set_visible (self->kernels, each);
  gtk_widget_set_visible (self->predicted, !each);
}

/* Everything that follows a label while it is being tried. */
static void
update_preview (HeddleDerivationPane *self)
{
  g_autoptr (HeddleKernelTimes) times = heddle_outlook_dup_kernels (self->outlook);

  heddle_level_strip_update (HEDDLE_LEVEL_STRIP (self->strip));
  heddle_roofline_chart_update (HEDDLE_ROOFLINE_CHART (self->chart), times);
  heddle_predicted_card_update (HEDDLE_PREDICTED_CARD (self->predicted));
  heddle_kernel_list_update (HEDDLE_KERNEL_LIST (self->kernels), times);
  update_prediction (self);
  heddle_steps_card_update (HEDDLE_STEPS_CARD (self->steps));
  heddle_figure_strip_mark (HEDDLE_FIGURE_STRIP (self->figures));
  update_hint (self);
  update_busy (self);
}

/* Where it began is known, or where it could get. */
static void
on_outlook (HeddleDerivationPane *self)
{
  update_preview (self);
  if (shows (self, "steps"))
    heddle_figure_strip_update (HEDDLE_FIGURE_STRIP (self->figures));
}

/* Beside the strip there is room for as many whole cards as can be, and for so much of the next that one knows to scroll. Where text is
 * large the strip gives way to the prediction until each level is only just seen whole. */
static int
strip_room (GtkWidget *strip, int page)
{
  int least = STRIP_WIDTH, beside = 0, room = page - PEEK;
  GtkWidget *card = gtk_widget_get_next_sibling (strip);

  if (heddle_text_scale () >= HEDDLE_LARGE_TEXT)
    gtk_widget_measure (
        gtk_widget_get_first_child (strip), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  for (; card != NULL; card = gtk_widget_get_next_sibling (card))
    {
      const gboolean last = gtk_widget_get_next_sibling (card) == NULL;
      const int all = last ? page : page - PEEK;
      int width;

      gtk_widget_measure (card, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
      beside += CARD_SPACING + width;
      if ((last ? STRIP_WIDTH : least) + beside > all)
        break;
      room = all - beside;
    }
  return CLAMP (room, PEEK, STRIP_WIDTH);
}

static gboolean
fit_strip (GtkWidget *strip, GdkFrameClock *clock, gpointer across)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (across));

  gtk_widget_set_size_request (strip, strip_room (strip, gtk_adjustment_get_page_size (adjustment)), -1);
  return G_SOURCE_REMOVE;
}

/* Fits the page in a later frame, not in the midst of an allocation. */
static void
queue_fit (HeddleDerivationPane *self)
{
  gtk_widget_add_tick_callback (self->levels, fit_strip,
      gtk_widget_get_ancestor (gtk_widget_get_parent (self->levels), GTK_TYPE_SCROLLED_WINDOW), NULL);
}

static void
update (HeddleDerivationPane *self)
{
  heddle_target_picker_update (HEDDLE_TARGET_PICKER (self->target));
  heddle_batch_picker_update (HEDDLE_BATCH_PICKER (self->batch));
  heddle_steps_card_forget (HEDDLE_STEPS_CARD (self->steps));
  update_preview (self);
  update_page (self);
}

static gboolean
update_now (gpointer data)
{
  HeddleDerivationPane *self = data;

  self->update_source = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* Updates the pane once before the next frame, though a document's change emits several signals. */
static void
queue_update (HeddleDerivationPane *self)
{
  if (self->update_source == 0)
    self->update_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 5, update_now, self, NULL);
}

/* The actions of the page that is seen; of none where the drawer is folded. */
static void
update_actions (HeddleDerivationPane *self)
{
  const gboolean open = heddle_derivation_pane_is_open (self);

  gtk_widget_set_visible (self->level_actions, open && shows (self, "levels"));
  gtk_widget_set_visible (self->kernel_actions, open && shows (self, "kernel"));
  gtk_widget_set_visible (self->compare_actions, open && shows (self, "compare"));
  gtk_widget_set_visible (self->figure_actions, open && shows (self, "steps"));
}

static void
on_page (HeddleDerivationPane *self)
{
  update_actions (self);
  update_hint (self);
  update_page (self);
}

static void
set_css_class (GtkWidget *widget, const char *name, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* However the canvas and the drawer shared the room, the one gives way to the other now. */
static void
on_expander_toggled (HeddleDerivationPane *self)
{
  const gboolean open = heddle_derivation_pane_is_open (self);
  GtkWidget *paned = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_PANED);

  gtk_button_set_icon_name (GTK_BUTTON (self->expander), open ? "pan-down-symbolic" : "pan-up-symbolic");
  gtk_widget_set_visible (GTK_WIDGET (self->stack), open);
  gtk_widget_set_visible (self->switcher, open);
  set_css_class (GTK_WIDGET (self->hint), "dim-label", open);
  set_css_class (GTK_WIDGET (self), "folded", !open);
  if (paned != NULL)
    gtk_paned_set_position (GTK_PANED (paned), -1);
  update_actions (self);
  update_hint (self);
}

/* An axis that is carried to the folded drawer wants its levels. */
static void
on_carried_in (GtkDropControllerMotion *motion, double x, double y, HeddleDerivationPane *self)
{
  GdkDrop *drop = gtk_drop_controller_motion_get_drop (motion);

  if (drop != NULL && gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), HEDDLE_TYPE_AXIS_DRAG))
    heddle_derivation_pane_set_open (self, TRUE);
}

/* The folded row is one button, but for those in it. */
static void
on_row_clicked (HeddleDerivationPane *self)
{
  if (!heddle_derivation_pane_is_open (self))
    heddle_derivation_pane_set_open (self, TRUE);
}

/* --- what the person does --- */

static void
on_fuse (HeddleDerivationPane *self)
{
  heddle_derivation_fuse (self->editor);
}

static void
on_unfuse (HeddleDerivationPane *self)
{
  heddle_derivation_unfuse (self->editor);
}

static void
on_suggest (HeddleDerivationPane *self)
{
  heddle_derivation_suggest (self->editor);
}

/* Of many kernels there is more to say than a window is high. */
static GtkWidget *
new_explanation_scroller (GtkWidget *label)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  heddle_accessible_name_set (scroller, _ ("What the time is spent on"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), EXPLANATION_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  return scroller;
}

static void
on_explain (GtkMenuButton *button, gpointer data)
{
  HeddleDerivationPane *self = data;
  g_autofree char *text = heddle_explanation_new (self->editor, heddle_outlook_get_alone (self->outlook));
  GtkWidget *popover = gtk_popover_new (), *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "explanation");
  gtk_popover_set_child (GTK_POPOVER (popover), new_explanation_scroller (label));
  heddle_popover_keep_width (GTK_POPOVER (popover));
  gtk_menu_button_set_popover (button, popover);
}

/* --- the widget --- */

static void
add_button (HeddleDerivationPane *self, GtkWidget *row, const char *label, const char *tip,
    const char *css_class, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, tip);
  if (css_class != NULL)
    gtk_widget_add_css_class (button, css_class);
  g_signal_connect_swapped (button, "clicked", callback, self);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), button);
}

static GtkWidget *
new_explain_button (HeddleDerivationPane *self)
{
  GtkWidget *button = heddle_menu_button_new (_ ("_Explain"), _ ("What the time is spent on"));

  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), on_explain, self, NULL);
  return button;
}

static GtkWidget *
new_level_actions (HeddleDerivationPane *self)
{
  GtkWidget *row = heddle_wrap_box_new (6);

  add_button (self, row, _ ("_Fuse"), _ ("Make the selected operations, or all, one kernel"), NULL,
      G_CALLBACK (on_fuse));
  add_button (
      self, row, _ ("_Unfuse"), _ ("Take the selected kernels, or all, apart"), NULL, G_CALLBACK (on_unfuse));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), heddle_wishes_new (self->editor));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), new_explain_button (self));
  add_button (self, row, _ ("_Suggest"), _ ("The best kernels and labels for this GPU"), "suggested-action",
      G_CALLBACK (on_suggest));
  return row;
}

static GtkWidget *
new_busy (HeddleDerivationPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  self->spinner = gtk_spinner_new ();
  self->busy_words = gtk_label_new ("");
  gtk_widget_set_tooltip_text (cancel, _ ("Give up what is being computed"));
  g_signal_connect_object (
      cancel, "clicked", G_CALLBACK (heddle_editor_cancel_deriving), self->editor, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), self->spinner);
  gtk_box_append (GTK_BOX (row), self->busy_words);
  gtk_box_append (GTK_BOX (row), cancel);
  self->again = gtk_button_new_with_mnemonic (_ ("_Derive"));
  g_signal_connect_object (
      self->again, "clicked", G_CALLBACK (heddle_editor_derive_again), self->editor, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
new_export_button (const char *label, const char *action, const char *tip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  return button;
}

static GtkWidget *
new_expander (void)
{
  GtkWidget *expander = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (expander), "pan-down-symbolic");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (expander), TRUE);
  gtk_widget_add_css_class (expander, "flat");
  gtk_widget_add_css_class (expander, "expander");
  heddle_tooltip_set (expander, _ ("Open or Fold the Derivation"));
  return expander;
}

static GtkWidget *
new_header (HeddleDerivationPane *self)
{
  GtkWidget *row = heddle_wrap_box_new (8), *title = gtk_label_new (_ ("Derivation"));
  GtkWidget *switcher = self->switcher = gtk_stack_switcher_new ();

  gtk_widget_add_css_class (title, "heading");
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->stack);
  self->target = heddle_target_picker_new (self->editor);
  self->batch = heddle_batch_picker_new (self->editor);
  self->hint = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_ellipsize (self->hint, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->hint, HINT_CHARS);
  gtk_label_set_xalign (self->hint, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->hint), "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->hint), TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->hint), 6);
  self->level_actions = new_level_actions (self);
  self->kernel_actions = heddle_kernel_page_get_actions (HEDDLE_KERNEL_PAGE (self->kernel));
  self->compare_actions = heddle_compare_page_get_actions (HEDDLE_COMPARE_PAGE (self->compare));
  self->figure_actions
      = new_export_button (_ ("E_xport…"), "win.export-steps", _ ("Save the figures of all steps as one"));
  gtk_widget_hide (self->figure_actions);
  gtk_widget_hide (self->kernel_actions);
  gtk_widget_hide (self->compare_actions);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->expander = new_expander ());
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), title);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->target);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->batch);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), switcher);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), GTK_WIDGET (self->hint));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->busy = new_busy (self));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->again);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->level_actions);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->kernel_actions);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->compare_actions);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->figure_actions);
  heddle_tooltip_place_above (row);
  return row;
}

static GtkWidget *
new_card (const char *title, GtkWidget *child, int width)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (card, "derivation-card");
  gtk_widget_set_size_request (card, width, -1);
  gtk_widget_set_hexpand (card, FALSE); /* whatever is in it */
  gtk_widget_set_vexpand (child, TRUE);
  gtk_box_append (GTK_BOX (card), label);
  gtk_box_append (GTK_BOX (card), child);
  return card;
}

/* Puts a small button beside the title of a card. */
static void
add_to_title (GtkWidget *card, GtkWidget *button)
{
  GtkWidget *title = gtk_widget_get_first_child (card);
  GtkWidget *head = GTK_IS_BOX (title) ? title : gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  if (head != title)
    {
      g_object_ref (title);
      gtk_box_remove (GTK_BOX (card), title);
      gtk_widget_set_hexpand (title, TRUE);
      gtk_box_append (GTK_BOX (head), title);
      gtk_box_prepend (GTK_BOX (card), head);
      g_object_unref (title);
    }
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "card-button");
  heddle_tooltip_place_above (button);
  gtk_box_append (GTK_BOX (head), button);
}

static void
add_card_button (GtkWidget *card, const char *icon, const char *action, const char *tip)
{
  GtkWidget *button = heddle_icon_button_new (icon, tip);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  add_to_title (card, button);
}

/* Returns a scroller that scrolls up and down. */
static GtkWidget *
new_scroller (GtkWidget *child, const char *name, int width)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  heddle_accessible_name_set (scroller, name);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_size_request (scroller, width, -1);
  gtk_widget_set_hexpand (scroller, FALSE); /* whatever its child would like */
  return scroller;
}

/* Returns the card of what is expected of all, and of each kernel. */
static GtkWidget *
new_prediction (HeddleDerivationPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *card;

  self->predicted = heddle_predicted_card_new (self->editor, self->outlook);
  self->kernels = heddle_kernel_list_new (self->editor);
  gtk_box_append (GTK_BOX (box), self->predicted);
  gtk_box_append (GTK_BOX (box), self->kernels);
  card = new_card (_ ("Predicted"), new_scroller (box, _ ("Predicted"), -1), 230);
  self->each = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->each), "view-list-symbolic");
  heddle_tooltip_set (self->each, _ ("The time of each kernel"));
  g_signal_connect_swapped (self->each, "toggled", G_CALLBACK (update_prediction), self);
  add_to_title (card, self->each);
  return card;
}

static GtkWidget *
new_levels_page (HeddleDerivationPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, CARD_SPACING), *chart, *steps;
  GtkWidget *across = gtk_scrolled_window_new (); /* for a narrow window */

  self->strip = heddle_level_strip_new (self->editor);
  self->chart = heddle_roofline_chart_new (self->editor, self->outlook);
  self->steps = heddle_steps_card_new (self->editor, self->outlook);
  chart = new_card (_ ("Roofline, TFLOP/s"), self->chart, -1);
  gtk_widget_set_hexpand (chart, TRUE);
  add_card_button (
      chart, "document-open-symbolic", "win.open-results", _ ("Show what heddle bench measured"));
  add_card_button (chart, "document-send-symbolic", "win.export-roofline", _ ("Export the roofline"));
  self->levels = new_scroller (self->strip, _ ("Levels"), STRIP_WIDTH);
  gtk_box_append (GTK_BOX (row), self->levels);
  gtk_box_append (GTK_BOX (row), chart);
  gtk_box_append (GTK_BOX (row), new_prediction (self));
  steps = new_card (_ ("Steps"), self->steps, 244);
  add_card_button (steps, "view-grid-symbolic", "derivation.show-figures", _ ("See each step as a figure"));
  add_card_button (steps, "document-send-symbolic", "win.export-steps", _ ("Export the steps as figures"));
  gtk_box_append (GTK_BOX (row), steps);
  heddle_level_strip_watch (HEDDLE_LEVEL_STRIP (self->strip), row);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (across), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (across), row);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (across)),
      "notify::page-size", G_CALLBACK (queue_fit), self, G_CONNECT_SWAPPED);
  return across;
}

static void
heddle_derivation_pane_dispose (GObject *object)
{
  HeddleDerivationPane *self = HEDDLE_DERIVATION_PANE (object);

  g_clear_handle_id (&self->update_source, g_source_remove);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  if (self->outlook != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->outlook, self);
      g_object_run_dispose (G_OBJECT (self->outlook)); /* its search may hold it a while longer */
    }
  g_clear_object (&self->outlook);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_derivation_pane_parent_class)->dispose (object);
}

static void
show_figures (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_stack_set_visible_child_name (HEDDLE_DERIVATION_PANE (widget)->stack, "steps");
}

static void
heddle_derivation_pane_class_init (HeddleDerivationPaneClass *klass)
{
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "derivation.show-figures", NULL, show_figures);
  G_OBJECT_CLASS (klass)->dispose = heddle_derivation_pane_dispose;
}

static void
heddle_derivation_pane_init (HeddleDerivationPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "derivation");
}

GtkWidget *
heddle_derivation_pane_new (HeddleEditor *editor)
{
  HeddleDerivationPane *self = g_object_new (HEDDLE_TYPE_DERIVATION_PANE, NULL);
  GtkEventController *carried = gtk_drop_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkWidget *levels;

  self->editor = g_object_ref (editor);
  self->outlook = heddle_outlook_new (editor);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->kernel = heddle_kernel_page_new (editor);
  self->compare = heddle_compare_page_new (editor);
  levels = new_levels_page (self);
  self->figures = heddle_figure_strip_new (editor, HEDDLE_STEPS_CARD (self->steps));
  gtk_box_append (GTK_BOX (self), new_header (self));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->stack));
  gtk_stack_add_titled (self->stack, levels, "levels", _ ("Levels"));
  gtk_stack_add_titled (self->stack, self->kernel, "kernel", _ ("Kernel"));
  gtk_stack_add_titled (self->stack, self->compare, "compare", _ ("Compare"));
  gtk_stack_add_titled (self->stack, self->figures, "steps", _ ("Steps"));
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->stack), -1, PAGE_HEIGHT);
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (on_page), self);
  g_signal_connect_swapped (self->outlook, "changed", G_CALLBACK (on_outlook), self);
  g_signal_connect_swapped (editor, "changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (editor, "derivation-changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (editor, "preview-changed", G_CALLBACK (update_preview), self);
  g_signal_connect_swapped (editor, "measured", G_CALLBACK (update_preview), self);
  g_signal_connect_swapped (editor, "selection-changed", G_CALLBACK (update_hint), self);
  g_signal_connect_swapped (self->expander, "toggled", G_CALLBACK (on_expander_toggled), self);
  g_signal_connect_object (carried, "enter", G_CALLBACK (on_carried_in), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), carried);
  g_signal_connect_object (click, "released", G_CALLBACK (on_row_clicked), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  if (heddle_settings_get () != NULL)
    g_settings_bind (
        heddle_settings_get (), "derivation-open", self->expander, "active", G_SETTINGS_BIND_DEFAULT);
  update (self);
  return GTK_WIDGET (self);
}

gboolean
heddle_derivation_pane_is_open (HeddleDerivationPane *self)
{
  g_return_val_if_fail (HEDDLE_IS_DERIVATION_PANE (self), FALSE);
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->expander));
}

void
heddle_derivation_pane_set_open (HeddleDerivationPane *self, gboolean open)
{
  g_return_if_fail (HEDDLE_IS_DERIVATION_PANE (self));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->expander), open);
}

void
heddle_derivation_pane_recall (HeddleDerivationPane *self)
{
  g_return_if_fail (HEDDLE_IS_DERIVATION_PANE (self));
  HeddleKernelPage *page = HEDDLE_KERNEL_PAGE (self->kernel);

  if (shows (self, "kernel") && heddle_kernel_page_get_state (page, NULL) == HEDDLE_KERNEL_PLANNED)
    heddle_kernel_page_update (page);
}

HeddleLevelCard *
heddle_derivation_pane_get_card (HeddleDerivationPane *self, const char *level)
{
  g_return_val_if_fail (HEDDLE_IS_DERIVATION_PANE (self), NULL);

  return heddle_level_strip_get_card (HEDDLE_LEVEL_STRIP (self->strip), level);
}
