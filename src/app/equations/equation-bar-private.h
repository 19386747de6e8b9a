/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/equations/equation-bar.h"
#include "app/equations/equation-text.h"

G_BEGIN_DECLS

struct _HeddleEquationBar
{
  GtkWidget parent_instance;
  GtkWidget *box, *expander, *expander_icon, *subheading, *card, *view, *state_icon, *state_label,
      *place_label, *message;
  GtkWidget *summary, *summary_icon; /* what is there instead of the card when it is collapsed */
  GtkTextBuffer *buffer; /* the view's, but while it is filled */
  HeddleEditor *editor;
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

/* --- equation-bar.c --- */
/* What was typed and is not read yet is left unread. */
void heddle_equation_bar_stop_reading (HeddleEquationBar *self);

/* --- equation-bar-writing.c --- */
/* Whether a worker writes its text. */
gboolean heddle_equation_bar_is_large (HeddleEditor *editor);
void heddle_equation_bar_empty (HeddleEquationBar *self);
/* What is not there yet stays away. */
void heddle_equation_bar_stop_writing (HeddleEquationBar *self);

/* --- equation-bar-look.c --- */
void heddle_equation_bar_look_init (HeddleEquationBar *self);
char *heddle_equation_bar_dup_text (HeddleEquationBar *self);
/* Colours what is seen, and some lines above and below. */
void heddle_equation_bar_highlight (HeddleEquationBar *self);
/* @text: (nullable): what is said of the equations */
void heddle_equation_bar_show_state (HeddleEquationBar *self, gboolean valid, const char *text);
/* By the number of lines of the text that was set. */
void heddle_equation_bar_choose_height (HeddleEquationBar *self);

G_END_DECLS
