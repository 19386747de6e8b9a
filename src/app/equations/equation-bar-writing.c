/* SPDX-License-Identifier: MIT */

/* The text follows the diagram: a small one's at once, a large one's when a worker has written it, in pieces where much of it differs. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/editor/editor.h"
#include "app/equations/equation-bar-look.h"
#include "app/equations/equation-bar-writing.h"
#include "app/equations/equation-bar.h"
#include "app/equations/equation-highlight.h"
#include "app/equations/equation-text.h"
#include "app/equations/equation-writing.h"
#include "app/widgets/heap-trim.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "app/equations/equation-bar-private.h"

/* Operations: the text of a larger diagram is written by a worker thread, so that neither its picture nor what changed it waits for it. */
#define LARGE_DIAGRAM 1000

gboolean
heddle_equation_bar_is_large (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = editor != NULL ? heddle_editor_get_diagram (editor) : NULL;

  return diagram != NULL && diagram->operations->len > LARGE_DIAGRAM;
}

/* The diagram at hand, and the definitions it calls; empty without one. */
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
  heddle_equation_bar_highlight (self);
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

/* @text: (transfer full) */
static void
put_in (HeddleEquationBar *self, const char *shown, char *text)
{
  self->filling = heddle_text_filling_new (self->buffer, shown, text);
  while (put_some (self))
    ;
  heddle_equation_bar_choose_height (self);
}

void
heddle_equation_bar_empty (HeddleEquationBar *self)
{
  g_autofree char *shown = heddle_equation_bar_dup_text (self);

  put_in (self, shown, g_strdup (""));
}

static void
give_buffer_back (HeddleEquationBar *self)
{
  heddle_equation_bar_choose_height (self);
  gtk_text_view_set_buffer (GTK_TEXT_VIEW (self->view), self->buffer);
}

void
heddle_equation_bar_stop_writing (HeddleEquationBar *self)
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
  heddle_equation_bar_stop_writing (self);
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
  heddle_equation_bar_choose_height (self);
  heddle_equation_bar_stop_writing (self);
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

  heddle_equation_bar_stop_writing (self);
  heddle_equation_bar_stop_reading (self);
  if (heddle_equation_bar_is_large (self->editor))
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
