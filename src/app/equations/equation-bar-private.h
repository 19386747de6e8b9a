/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/editor/editor.h"
#include "app/equations/equation-completion.h"
#include "app/equations/equation-text.h"

/* The fields of an equation bar, for the files that it is made of; all objects are owned by it. */

struct _HeddleEquationBar
{
  GtkWidget parent_instance;
  GtkWidget *box, *expander, *expander_icon, *subheading, *card, *view, *state_icon, *state_label,
      *place_label, *message;
  GtkWidget *summary, *summary_icon; /* what is there instead of the card when it is collapsed */
  GtkTextBuffer *buffer; /* the view's, but while it is filled */
  HeddleEditor *editor;
  HeddleEquationCompletion *completion; /* of words that were begun */
  guint wrong_line, wrong_column; /* of the first error, from 1; 0: there is none, or it has no place */
  int coloured_first, coloured_last; /* lines */
  guint relayout; /* idle source */
  guint pause; /* the source that waits for the typing to end */
  GCancellable *reading; /* a worker thread is to tell what the text means */
  GCancellable *writing; /* one is to tell the text of the diagram: it is not there till then */
  HeddleTextFilling *filling; /* it was told, and is on its way into the buffer */
  guint filler; /* the source that puts it there, turn by turn */
  gboolean in_reader; /* one is at it, maybe at what was overtaken meanwhile */
  guint meaning; /* of the editor's diagram, that the text was last compared with */
  gboolean rewriting; /* the text follows the diagram, not the other way round */
  gboolean applying; /* the diagram follows the text */
  gboolean valid;
};
