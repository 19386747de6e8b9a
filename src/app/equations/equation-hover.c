/* SPDX-License-Identifier: MIT */

#include "app/equations/equation-hover.h"
#include "app/widgets/explain.h"

static gboolean
is_in_word (gunichar c, gpointer data)
{
  return g_unichar_isalnum (c) || c == '_' || c == '.';
}

static gboolean
is_outside (gunichar c, gpointer data)
{
  return !is_in_word (c, data);
}

/* Returns the word around the place; NULL: there is none. */
static char *
word_at (const GtkTextIter *place)
{
  GtkTextIter start = *place, end = *place;

  if (!is_in_word (gtk_text_iter_get_char (place), NULL))
    return NULL;
  if (gtk_text_iter_backward_find_char (&start, is_outside, NULL, NULL))
    gtk_text_iter_forward_char (&start);
  gtk_text_iter_forward_find_char (&end, is_outside, NULL, NULL);
  return gtk_text_iter_get_text (&start, &end);
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  GtkTextView *view = GTK_TEXT_VIEW (widget);
  g_autofree char *word = NULL, *what = NULL;
  GtkTextIter place;
  int bx = 0, by = 0;

  gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y, &bx, &by);
  if (!gtk_text_view_get_iter_at_position (view, &place, NULL, bx, by))
    return NULL;
  word = word_at (&place);
  what = word != NULL ? heddle_equation_completion_describe (data, word) : NULL;
  return what != NULL ? g_strdup_printf ("%s: %s", word, what) : NULL;
}

void
heddle_equation_hover_attach (GtkTextView *view, HeddleEquationCompletion *completion)
{
  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  heddle_explain_set (GTK_WIDGET (view), explain, completion, HEDDLE_PAGE_EQUATIONS);
}
