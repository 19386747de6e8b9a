/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

#include "app/edits/edits.h"
#include "app/equations/equation-bar.h"
#include "app/equations/equation-highlight.h"
#include "app/equations/equation-hover.h"
#include "app/equations/equation-reading.h"
#include "app/widgets/heap-trim.h"
#include "diagram/base/problem.h"
#include "app/equations/equation-bar-private.h"
#include "app/widgets/scene-paintable.h"
#include "app/equations/equation-text.h"
#include "app/equations/equation-writing.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"

/* How long typing has to pause before it is read. */
#define PAUSE_MS 350
/* Bytes: a longer text is read by a worker thread, so that typing does not wait for it. */
#define LONG_TEXT 16384

G_DEFINE_FINAL_TYPE (HeddleEquationBar, heddle_equation_bar, GTK_TYPE_WIDGET)

static void
show_problems (HeddleEquationBar *self, GPtrArray *problems)
{
  const HeddleProblem *first = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      if (problem->severity != HEDDLE_SEVERITY_ERROR)
        continue;
      heddle_equation_mark_error (self->buffer, problem->line, problem->column);
      if (first == NULL)
        first = problem;
    }
  self->wrong_line = first != NULL ? first->line : 0;
  self->wrong_column = first != NULL ? first->column : 0;
  if (first == NULL)
    text = g_strdup (_ ("Not a diagram yet"));
  else if (first->line > 0)
    text = g_strdup_printf (_ ("Line %u, column %u: %s"), first->line, first->column, first->message);
  else
    text = g_strdup (first->message);
  heddle_equation_bar_show_state (self, FALSE, text);
}

/* --- reading what was typed --- */

static HeddleReading *
reading_new (HeddleEquationBar *bar)
{
  return heddle_reading_new (heddle_equation_bar_dup_text (bar), heddle_editor_get_snapshot (bar->editor),
      heddle_editor_get_diagram (bar->editor));
}

static void equation_bar_highlight (HeddleEquationBar *self);

/* What is written alike is left as it is. */
static gboolean
take_reading (HeddleEquationBar *self, const HeddleReading *reading)
{
  heddle_equation_clear_errors (self->buffer);
  if (reading->read == NULL)
    {
      show_problems (self, reading->problems);
      return FALSE;
    }
  self->wrong_line = 0;
  self->applying = TRUE;
  if (reading->differs)
    heddle_edits_replace (self->editor, reading->read);
  self->applying = FALSE;
  self->meaning = heddle_editor_get_meaning (self->editor);
  heddle_equation_bar_show_state (self, TRUE, _ ("Matches the diagram"));
  equation_bar_highlight (self);
  return TRUE;
}

/* What was typed and is not read yet is left unread. */
static void
equation_bar_stop_reading (HeddleEquationBar *self)
{
  g_clear_handle_id (&self->pause, g_source_remove);
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static gboolean
read_text (HeddleEquationBar *self)
{
  HeddleReading *reading = reading_new (self);
  gboolean valid;

  equation_bar_stop_reading (self);
  heddle_reading_run (reading);
  valid = take_reading (self, reading);
  heddle_reading_free (reading);
  return valid;
}

static void start_reading (HeddleEquationBar *self);

/* A cancelled one was overtaken: by more typing, or by what changed the diagram. */
static void
on_read (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleEquationBar *self = HEDDLE_EQUATION_BAR (source);
  const HeddleReading *reading = heddle_reading_run_finish (result);

  self->in_reader = FALSE;
  heddle_heap_trim_when_idle ();
  if (reading != NULL)
    {
      g_clear_object (&self->reading);
      take_reading (self, reading);
    }
  else if (self->reading != NULL)
    start_reading (self);
}

static void
start_reading (HeddleEquationBar *self)
{
  self->in_reader = TRUE;
  heddle_reading_run_async (reading_new (self), self, self->reading, on_read, NULL);
}

/* Reads one text at a time: each takes as much memory as the diagram. */
static void
read_later (HeddleEquationBar *self)
{
  equation_bar_stop_reading (self);
  self->reading = g_cancellable_new ();
  if (!self->in_reader)
    start_reading (self);
}

static gboolean
on_pause (gpointer data)
{
  HeddleEquationBar *self = data;

  self->pause = 0;
  if (gtk_text_buffer_get_char_count (self->buffer) > LONG_TEXT)
    read_later (self);
  else
    read_text (self);
  return G_SOURCE_REMOVE;
}

gboolean
heddle_equation_bar_flush (HeddleEquationBar *self)
{
  g_return_val_if_fail (HEDDLE_IS_EQUATION_BAR (self), FALSE);

  if (self->pause == 0 && self->reading == NULL)
    return self->valid;
  return read_text (self);
}

gboolean
heddle_equation_bar_matches (HeddleEquationBar *self)
{
  g_return_val_if_fail (HEDDLE_IS_EQUATION_BAR (self), FALSE);
  return self->pause == 0 && self->reading == NULL && self->valid;
}

GtkTextBuffer *
heddle_equation_bar_get_buffer (HeddleEquationBar *self)
{
  g_return_val_if_fail (HEDDLE_IS_EQUATION_BAR (self), NULL);
  return self->buffer;
}

static void equation_bar_stop_writing (HeddleEquationBar *self);

static void
on_text_changed (HeddleEquationBar *self)
{
  if (self->rewriting || self->editor == NULL)
    return;
  if (self->filling != NULL)
    {
      heddle_equation_bar_revert (
          self); /* a part of a text is none that a person could have meant to change */
      return;
    }
  equation_bar_stop_writing (self);
  equation_bar_stop_reading (self);
  self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
  equation_bar_highlight (self);
}

static void
on_document_changed (HeddleEquationBar *self)
{
  if (self->applying)
    return;
  /* How it looks and how it is derived are not in the text. */
  if (heddle_equation_bar_matches (self) && self->meaning == heddle_editor_get_meaning (self->editor))
    equation_bar_highlight (self);
  else
    heddle_equation_bar_revert (self);
}

static void equation_bar_empty (HeddleEquationBar *self);
static gboolean equation_bar_is_large (HeddleEditor *editor);

void
heddle_equation_bar_set_editor (HeddleEquationBar *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_EQUATION_BAR (self));

  equation_bar_stop_writing (self);
  equation_bar_stop_reading (self);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_set_object (&self->editor, editor);
  heddle_equation_completion_set_editor (self->completion, editor);
  if (editor != NULL)
    {
      g_signal_connect_object (editor, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (
          editor, "selection-changed", G_CALLBACK (equation_bar_highlight), self, G_CONNECT_SWAPPED);
      if (equation_bar_is_large (editor))
        equation_bar_empty (self); /* it is none of this one's */
      heddle_equation_bar_revert (self);
    }
}

/* --- words ------------------------------------------------------------------------ */

/* Where the first error is; the word there. */
static gboolean
find_wrong_word (HeddleEquationBar *self, GtkTextIter *start, GtkTextIter *end)
{
  g_autofree char *rest = NULL;
  const char *after = NULL;

  if (self->wrong_line == 0 || self->wrong_column == 0
      || !gtk_text_buffer_get_iter_at_line_offset (
          self->buffer, start, self->wrong_line - 1, self->wrong_column - 1))
    return FALSE;
  *end = *start;
  gtk_text_iter_forward_to_line_end (end);
  rest = gtk_text_iter_get_text (start, end);
  after = heddle_equation_skip_name (rest);
  *end = *start;
  gtk_text_iter_forward_chars (end, g_utf8_pointer_to_offset (rest, after));
  return after != rest;
}

gboolean
heddle_equation_bar_fix (HeddleEquationBar *self)
{
  GtkTextIter start, end;
  g_autofree char *text = NULL, *word = NULL, *meant = NULL;

  g_return_val_if_fail (HEDDLE_IS_EQUATION_BAR (self), FALSE);

  heddle_equation_bar_flush (self);
  if (!find_wrong_word (self, &start, &end))
    return FALSE;
  text = heddle_equation_bar_dup_text (self);
  word = gtk_text_iter_get_text (&start, &end);
  meant = heddle_equation_completion_guess (text, word);
  if (meant == NULL)
    return FALSE;
  gtk_text_buffer_begin_user_action (self->buffer);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  gtk_text_buffer_insert (self->buffer, &start, meant, -1);
  gtk_text_buffer_place_cursor (self->buffer, &start);
  gtk_text_buffer_end_user_action (self->buffer);
  heddle_equation_bar_flush (self);
  return TRUE;
}

static gboolean
on_fix (GtkWidget *widget, GVariant *unused, gpointer data)
{
  if (!heddle_equation_bar_fix (HEDDLE_EQUATION_BAR (data)))
    gtk_widget_error_bell (widget);
  return TRUE;
}

static void
help_with_words (HeddleEquationBar *self)
{
  GtkSourceCompletion *completion = gtk_source_view_get_completion (GTK_SOURCE_VIEW (self->view));
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->completion = heddle_equation_completion_new ();
  heddle_equation_hover_attach (GTK_TEXT_VIEW (self->view), self->completion);
  /* Enter ends a line until somebody goes to a word with Down. */
  g_object_set (completion, "select-on-show", FALSE, "show-icons", FALSE, NULL);
  gtk_source_completion_add_provider (completion, GTK_SOURCE_COMPLETION_PROVIDER (self->completion));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_period, GDK_CONTROL_MASK),
          gtk_callback_action_new (on_fix, self, NULL)));
  gtk_widget_add_controller (self->view, keys);
}

static gboolean
heddle_equation_bar_grab_focus (GtkWidget *widget)
{
  HeddleEquationBar *self = HEDDLE_EQUATION_BAR (widget);

  heddle_equation_bar_set_collapsed (self, FALSE);
  return gtk_widget_grab_focus (self->view);
}

/* GTK's own way gives the focus to the bar itself where its children have no more stops: to the text, which nobody would leave by Shift+Tab. */
static gboolean
heddle_equation_bar_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (HEDDLE_EQUATION_BAR (widget)->box, direction);
}

static void
heddle_equation_bar_dispose (GObject *object)
{
  HeddleEquationBar *self = HEDDLE_EQUATION_BAR (object);

  equation_bar_stop_reading (self);
  g_clear_handle_id (&self->relayout, g_source_remove);
  heddle_equation_bar_set_editor (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (heddle_equation_bar_parent_class)->dispose (object);
}

static void
heddle_equation_bar_finalize (GObject *object)
{
  g_object_unref (HEDDLE_EQUATION_BAR (object)->buffer);
  g_object_unref (HEDDLE_EQUATION_BAR (object)->completion);
  G_OBJECT_CLASS (heddle_equation_bar_parent_class)->finalize (object);
}

static void
heddle_equation_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (
      value, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (HEDDLE_EQUATION_BAR (object)->expander)));
}

static void
heddle_equation_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  heddle_equation_bar_set_collapsed (HEDDLE_EQUATION_BAR (object), !g_value_get_boolean (value));
}

static void
heddle_equation_bar_class_init (HeddleEquationBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_signal_new ("read", HEDDLE_TYPE_EQUATION_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS (class)->dispose = heddle_equation_bar_dispose;
  G_OBJECT_CLASS (class)->finalize = heddle_equation_bar_finalize;
  G_OBJECT_CLASS (class)->get_property = heddle_equation_bar_get_property;
  G_OBJECT_CLASS (class)->set_property = heddle_equation_bar_set_property;
  g_object_class_install_property (G_OBJECT_CLASS (class), 1,
      g_param_spec_boolean ("expanded", NULL, NULL, TRUE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
  widget_class->grab_focus = heddle_equation_bar_grab_focus;
  widget_class->focus = heddle_equation_bar_focus;
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/heddle/Heddle/equation-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, box);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, expander);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, expander_icon);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, subheading);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, card);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, summary);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, summary_icon);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, view);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, state_icon);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, state_label);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, message);
  gtk_widget_class_bind_template_child (widget_class, HeddleEquationBar, place_label);
}

static void equation_bar_look_init (HeddleEquationBar *self);

static void
heddle_equation_bar_init (HeddleEquationBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->valid = TRUE;
  self->buffer = g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)));
  /* Equations read from left to right in every language: what lies over their ends stays there. */
  gtk_widget_set_direction (gtk_widget_get_parent (self->state_label), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (self->place_label, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (self->view, GTK_TEXT_DIR_LTR);
  /* There is one history, the document's. */
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  gtk_source_buffer_set_highlight_syntax (GTK_SOURCE_BUFFER (self->buffer), FALSE);
  gtk_source_buffer_set_highlight_matching_brackets (GTK_SOURCE_BUFFER (self->buffer), TRUE);
  g_signal_connect_swapped (self->buffer, "changed", G_CALLBACK (on_text_changed), self);
  help_with_words (self);
  equation_bar_look_init (self);
}

/* How many lines beyond those seen are coloured. */
#define MARGIN_LINES 30
/* px, with text of the usual size: of the text's width, of the window's, and beside the text with words over it and without. */
#define WIDE_ENOUGH 480
#define NARROW 480
#define MARGIN_WITH_WORDS 200
#define MARGIN 40
/* Bytes: more does not fit in one line; and in as many lines of the text it is looked for. */
#define MOST_SUMMARY 600
#define SUMMARY_LINES 200
/* px that the text's view is high at least, with text of the usual size: three lines. Whoever wants more of them drags the handle above. */
#define LEAST_HEIGHT 57

char *
heddle_equation_bar_dup_text (HeddleEquationBar *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

static void
get_seen_lines (HeddleEquationBar *self, int *first, int *last)
{
  GdkRectangle area;
  GtkTextIter top, bottom;

  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self->view), &area);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (self->view), &top, area.y, NULL);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (self->view), &bottom, area.y + area.height, NULL);
  *first = gtk_text_iter_get_line (&top);
  *last = gtk_text_iter_get_line (&bottom);
}

/* Colours what is seen, and some lines above and below. */
static void
equation_bar_highlight (HeddleEquationBar *self)
{
  int first, last;

  if (self->editor == NULL)
    return;
  get_seen_lines (self, &first, &last);
  self->coloured_first = first - MARGIN_LINES;
  self->coloured_last = last + MARGIN_LINES;
  heddle_equation_highlight (self->buffer, self->editor,
      adw_style_manager_get_dark (adw_style_manager_get_default ()), self->coloured_first,
      self->coloured_last);
}

/* Colouring moves the view's own bookkeeping, which says that it scrolled: only lines not coloured yet are reason to. */
static void
highlight_if_needed (HeddleEquationBar *self)
{
  int first, last;

  get_seen_lines (self, &first, &last);
  if (first < self->coloured_first || last > self->coloured_last)
    equation_bar_highlight (self);
}

static char *
dup_first_lines (HeddleEquationBar *self, int n)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_line (self->buffer, &end, n);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

/* Shows the statements in one line; declarations and comments are left out. */
static void
show_summary (HeddleEquationBar *self)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) summary = g_string_new (NULL);

  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->expander)))
    return; /* nobody sees it */
  text = dup_first_lines (self, SUMMARY_LINES);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && summary->len < MOST_SUMMARY; i++)
    if (lines[i][0] != '#' && strchr (lines[i], '=') != NULL && strstr (lines[i], " : ") == NULL)
      g_string_append_printf (summary, "%s%s", summary->len > 0 ? "  \342\224\202  " : "", lines[i]);
  gtk_label_set_text (GTK_LABEL (self->summary), summary->str);
}

/* Words over the text are only for where there is room beside it; what is wrong stands below it where there is none. In a narrow window the
 * text has all of its width. */
static void
make_room (HeddleEquationBar *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view));
  const double scale = heddle_text_scale ();
  const gboolean wide = gtk_adjustment_get_page_size (adjustment) > scale * WIDE_ENOUGH;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  const gboolean narrow = root != NULL && gtk_widget_get_width (GTK_WIDGET (root)) < scale * NARROW;
  const gboolean expanded = gtk_widget_get_visible (self->card);

  gtk_widget_set_visible (self->state_label, wide);
  gtk_widget_set_visible (self->message, expanded && !wide && !self->valid);
  gtk_widget_set_visible (self->place_label, wide && self->valid); /* an error says its own place there */
  gtk_text_view_set_right_margin (
      GTK_TEXT_VIEW (self->view), (int) (scale * (wide ? MARGIN_WITH_WORDS : MARGIN)));
  gtk_widget_set_visible (self->subheading, expanded && !narrow);
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (self->box), expanded && narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_spacing (GTK_BOX (self->box), expanded && narrow ? 3 : 12);
}

static GtkPolicyType
policy_for (GtkAdjustment *adjustment)
{
  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment)
             ? GTK_POLICY_ALWAYS
             : GTK_POLICY_EXTERNAL;
}

/* Scrollbars that come and go by themselves do so while the text is allocated. In GTK 4.8 what is around it is then left without an
 * allocation, where it has one already because a pane folds, and is not drawn in that frame. */
static void
choose_scrollbars (HeddleEquationBar *self)
{
  GtkScrollable *scrollable = GTK_SCROLLABLE (self->view);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (self->view)),
      policy_for (gtk_scrollable_get_hadjustment (scrollable)),
      policy_for (gtk_scrollable_get_vadjustment (scrollable)));
}

static gboolean
on_relayout (gpointer data)
{
  HeddleEquationBar *self = data;

  self->relayout = 0;
  make_room (self);
  choose_scrollbars (self);
  highlight_if_needed (self);
  return G_SOURCE_REMOVE;
}

/* The view scrolls and is resized in the midst of laying its text out: only afterwards may tags and margins change. */
static void
queue_relayout (HeddleEquationBar *self)
{
  if (self->relayout == 0)
    self->relayout = g_idle_add (on_relayout, self);
}

/* GTK gives the focus of what is hidden to what is around it: to the bar, which would unfold for it. */
static void
keep_focus (HeddleEquationBar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->card))
    gtk_widget_grab_focus (self->expander);
}

static void
on_expander_toggled (HeddleEquationBar *self)
{
  gboolean expanded = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->expander));

  if (!expanded)
    keep_focus (self);
  gtk_image_set_from_icon_name (
      GTK_IMAGE (self->expander_icon), expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_widget_set_visible (self->card, expanded);
  gtk_widget_set_visible (self->summary, !expanded);
  gtk_widget_set_visible (self->summary_icon, !expanded);
  queue_relayout (self);
  show_summary (self);
  g_object_notify (G_OBJECT (self), "expanded");
}

void
heddle_equation_bar_set_collapsed (HeddleEquationBar *self, gboolean collapsed)
{
  g_return_if_fail (HEDDLE_IS_EQUATION_BAR (self));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->expander), !collapsed);
}

void
heddle_equation_bar_show_state (HeddleEquationBar *self, gboolean valid, const char *text)
{
  const char *const good[] = { "equation-state-good", NULL }, *const bad[] = { "equation-state-bad", NULL };

  self->valid = valid;
  gtk_widget_set_visible (self->state_icon, text != NULL);
  gtk_image_set_from_icon_name (
      GTK_IMAGE (self->state_icon), valid ? "object-select-symbolic" : "dialog-error-symbolic");
  gtk_label_set_text (GTK_LABEL (self->state_label), text != NULL ? text : "");
  gtk_label_set_text (GTK_LABEL (self->message), text != NULL ? text : "");
  gtk_widget_set_css_classes (self->state_icon, (const char **) (valid ? good : bad));
  gtk_image_set_from_icon_name (
      GTK_IMAGE (self->summary_icon), valid ? "object-select-symbolic" : "dialog-error-symbolic");
  gtk_widget_set_css_classes (self->summary_icon, (const char **) (valid ? good : bad));
  gtk_widget_set_tooltip_text (self->summary_icon, text);
  show_summary (self);
  gtk_widget_remove_css_class (self->state_label, valid ? bad[0] : good[0]);
  gtk_widget_add_css_class (self->state_label, valid ? good[0] : bad[0]);
  queue_relayout (self);
  g_signal_emit_by_name (self, "read");
}

static void
show_place (HeddleEquationBar *self)
{
  GtkTextIter cursor;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &cursor, gtk_text_buffer_get_insert (self->buffer));
  text = g_strdup_printf (_ ("Line %d, column %d"), gtk_text_iter_get_line (&cursor) + 1,
      gtk_text_iter_get_line_offset (&cursor) + 1);
  gtk_label_set_text (GTK_LABEL (self->place_label), text);
}

static void
choose_height (HeddleEquationBar *self)
{
  g_object_set (gtk_widget_get_parent (self->view), "min-content-height",
      (int) (heddle_text_scale () * LEAST_HEIGHT), NULL);
}

static void
apply_style (HeddleEquationBar *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (self->buffer),
      gtk_source_style_scheme_manager_get_scheme (schemes, dark ? "Adwaita-dark" : "Adwaita"));
  equation_bar_highlight (self);
}

/* Has the bar follow scrolling, the cursor, its expander and the colours of the desktop. */
static void
equation_bar_look_init (HeddleEquationBar *self)
{
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), "value-changed",
      G_CALLBACK (queue_relayout), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view)), "changed",
      G_CALLBACK (queue_relayout), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), "changed",
      G_CALLBACK (queue_relayout), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->expander, "toggled", G_CALLBACK (on_expander_toggled), self);
  g_signal_connect_swapped (self->buffer, "notify::cursor-position", G_CALLBACK (show_place), self);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (apply_style), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi", G_CALLBACK (choose_height),
      self, G_CONNECT_SWAPPED);
  apply_style (self);
  choose_height (self);
  show_place (self);
}

/* The text of a diagram of more operations is written by a worker thread, so that neither its picture nor
 * what changed it waits for it. */
#define LARGE_DIAGRAM 1000

/* Returns whether a worker writes its text. */
static gboolean
equation_bar_is_large (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = editor != NULL ? heddle_editor_get_diagram (editor) : NULL;

  return diagram != NULL && diagram->operations->len > LARGE_DIAGRAM;
}

/* Returns the text of the diagram at hand and the definitions it calls; empty without one. */
static char *
present_text (HeddleEquationBar *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;

  if (diagram == NULL)
    return g_strdup ("");
  return heddle_equations_write_snapshot (heddle_editor_get_snapshot (self->editor), diagram);
}

/* What is shown is what the diagram says, or will be. */
static void
show_as_matching (HeddleEquationBar *self, gboolean any)
{
  self->meaning = self->editor != NULL ? heddle_editor_get_meaning (self->editor) : 0;
  heddle_equation_clear_errors (self->buffer);
  heddle_equation_bar_show_state (self, TRUE, any ? _ ("Matches the diagram") : NULL);
  equation_bar_highlight (self);
}

/* --- putting it in --- */

static gboolean
put_some (HeddleEquationBar *self)
{
  gboolean more;

  self->rewriting = TRUE;
  more = heddle_text_filling_step (self->filling);
  self->rewriting = FALSE;
  if (!more)
    g_clear_pointer (&self->filling, heddle_text_filling_free);
  return more;
}

/* Puts in @text, which is taken. */
static void
put_in (HeddleEquationBar *self, const char *shown, char *text)
{
  self->filling = heddle_text_filling_new (self->buffer, shown, text);
  while (put_some (self))
    ;
}

/* Empties the text without changing the diagram. */
static void
equation_bar_empty (HeddleEquationBar *self)
{
  g_autofree char *shown = heddle_equation_bar_dup_text (self);

  put_in (self, shown, g_strdup (""));
}

static void
give_buffer_back (HeddleEquationBar *self)
{
  gtk_text_view_set_buffer (GTK_TEXT_VIEW (self->view), self->buffer);
}

/* What is not there yet stays away. */
static void
equation_bar_stop_writing (HeddleEquationBar *self)
{
  if (self->writing == NULL)
    return;
  g_cancellable_cancel (self->writing);
  g_clear_object (&self->writing);
  g_clear_handle_id (&self->filler, g_source_remove);
  if (self->filling != NULL)
    {
      g_clear_pointer (&self->filling, heddle_text_filling_free);
      give_buffer_back (self);
    }
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), TRUE);
}

static gboolean
on_fill (gpointer data)
{
  HeddleEquationBar *self = data;

  if (put_some (self))
    return G_SOURCE_CONTINUE;
  self->filler = 0;
  give_buffer_back (self);
  equation_bar_stop_writing (self);
  show_as_matching (self, TRUE);
  return G_SOURCE_REMOVE;
}

/* A view that has a buffer when long text comes into it measures all of its lines in idle time, also between strokes; one that gets the
 * buffer with its text measures what is seen. */
static void
fill (HeddleEquationBar *self)
{
  gtk_text_view_set_buffer (GTK_TEXT_VIEW (self->view), NULL);
  self->filler = g_idle_add (on_fill, self);
}

/* --- a worker writes it --- */

static void
on_written (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleEquationBar *self = HEDDLE_EQUATION_BAR (source);
  char *text = heddle_writing_finish (result);
  g_autofree char *shown = NULL;

  heddle_heap_trim_when_idle ();
  if (text == NULL)
    return; /* another diagram is shown, or the text is there */
  shown = heddle_equation_bar_dup_text (self);
  self->filling = heddle_text_filling_new (self->buffer, shown, g_strchomp (text));
  if (heddle_text_filling_is_long (self->filling))
    {
      fill (self);
      return;
    }
  while (put_some (self))
    ;
  equation_bar_stop_writing (self);
  show_as_matching (self, TRUE);
}

/* Nothing can be typed till the text is there. */
static void
write_later (HeddleEquationBar *self)
{
  show_as_matching (self, FALSE);
  self->writing = g_cancellable_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), FALSE);
  heddle_writing_async (heddle_editor_get_snapshot (self->editor), heddle_editor_get_diagram (self->editor),
      self, self->writing, on_written, NULL);
}

void
heddle_equation_bar_revert (HeddleEquationBar *self)
{
  g_autofree char *shown = NULL;
  char *text = NULL;
  gboolean any;

  g_return_if_fail (HEDDLE_IS_EQUATION_BAR (self));

  equation_bar_stop_writing (self);
  equation_bar_stop_reading (self);
  if (equation_bar_is_large (self->editor))
    {
      write_later (self); /* what was there stays till then */
      return;
    }
  text = g_strchomp (present_text (self));
  any = *text != '\0';
  shown = heddle_equation_bar_dup_text (self);
  put_in (self, shown, text);
  show_as_matching (self, any);
}
