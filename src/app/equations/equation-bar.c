/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "app/editor/editor.h"
#include "app/edits/edits.h"
#include "app/equations/equation-bar-look.h"
#include "app/equations/equation-bar-writing.h"
#include "app/equations/equation-bar.h"
#include "app/equations/equation-highlight.h"
#include "app/equations/equation-reading.h"
#include "app/widgets/heap-trim.h"
#include "diagram/base/problem.h"
#include "app/equations/equation-bar-private.h"

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
  self->applying = TRUE;
  if (reading->differs)
    heddle_edits_replace (self->editor, reading->read);
  self->applying = FALSE;
  self->meaning = heddle_editor_get_meaning (self->editor);
  heddle_equation_bar_show_state (self, TRUE, _ ("Matches the diagram"));
  heddle_equation_bar_highlight (self);
  return TRUE;
}

void
heddle_equation_bar_stop_reading (HeddleEquationBar *self)
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

  heddle_equation_bar_stop_reading (self);
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

/* One at a time: each takes as much memory as the diagram. */
static void
read_later (HeddleEquationBar *self)
{
  heddle_equation_bar_stop_reading (self);
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
  heddle_equation_bar_stop_writing (self);
  heddle_equation_bar_stop_reading (self);
  self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
  heddle_equation_bar_highlight (self);
}

static void
on_document_changed (HeddleEquationBar *self)
{
  if (self->applying)
    return;
  /* How it looks and how it is derived are not in the text. */
  if (heddle_equation_bar_matches (self) && self->meaning == heddle_editor_get_meaning (self->editor))
    heddle_equation_bar_highlight (self);
  else
    heddle_equation_bar_revert (self);
}

void
heddle_equation_bar_set_editor (HeddleEquationBar *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_EQUATION_BAR (self));

  heddle_equation_bar_stop_writing (self);
  heddle_equation_bar_stop_reading (self);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_set_object (&self->editor, editor);
  if (editor != NULL)
    {
      g_signal_connect_object (editor, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (
          editor, "selection-changed", G_CALLBACK (heddle_equation_bar_highlight), self, G_CONNECT_SWAPPED);
      if (heddle_equation_bar_is_large (editor))
        heddle_equation_bar_empty (self); /* it is none of this one's */
      heddle_equation_bar_revert (self);
    }
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

  heddle_equation_bar_stop_reading (self);
  g_clear_handle_id (&self->relayout, g_source_remove);
  heddle_equation_bar_set_editor (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (heddle_equation_bar_parent_class)->dispose (object);
}

static void
heddle_equation_bar_finalize (GObject *object)
{
  g_object_unref (HEDDLE_EQUATION_BAR (object)->buffer);
  G_OBJECT_CLASS (heddle_equation_bar_parent_class)->finalize (object);
}

static void
heddle_equation_bar_class_init (HeddleEquationBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_signal_new ("read", HEDDLE_TYPE_EQUATION_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS (class)->dispose = heddle_equation_bar_dispose;
  G_OBJECT_CLASS (class)->finalize = heddle_equation_bar_finalize;
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
  heddle_equation_bar_look_init (self);
}
