/* SPDX-License-Identifier: MIT */

/* How the equations look: colours, what is said of them, and how much room they take. */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include <adwaita.h>
#include "app/equations/equation-bar-look.h"
#include "app/equations/equation-bar.h"
#include "app/equations/equation-highlight.h"
#include "app/widgets/scene-paintable.h"
#include "app/equations/equation-bar-private.h"

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
/* px that the text's view is high: as much as it needs, within these. */
#define LEAST_HEIGHT 88
#define MOST_HEIGHT 112
/* As many lines fill it. */
#define MANY_LINES 20

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

/* What is seen, and some lines above and below. */
void
heddle_equation_bar_highlight (HeddleEquationBar *self)
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
    heddle_equation_bar_highlight (self);
}

static char *
dup_first_lines (HeddleEquationBar *self, int n)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_line (self->buffer, &end, n);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

/* The statements in one line; declarations and comments are left out. */
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
  gtk_widget_set_visible (self->place_label, wide);
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

/* A view that grows after it has measured what is seen of its text draws all of it, which takes seconds for a long one. */
void
heddle_equation_bar_choose_height (HeddleEquationBar *self)
{
  const gboolean many = gtk_text_buffer_get_line_count (self->buffer) > MANY_LINES;

  g_object_set (
      gtk_widget_get_parent (self->view), "min-content-height", many ? MOST_HEIGHT : LEAST_HEIGHT, NULL);
}

static void
apply_style (HeddleEquationBar *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (self->buffer),
      gtk_source_style_scheme_manager_get_scheme (schemes, dark ? "Adwaita-dark" : "Adwaita"));
  heddle_equation_bar_highlight (self);
}

void
heddle_equation_bar_look_init (HeddleEquationBar *self)
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
  apply_style (self);
  show_place (self);
}
