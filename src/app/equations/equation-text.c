/* SPDX-License-Identifier: MIT */

/* A text of 10,000 lines that is set takes GTK 50 to 100 ms, though an edit changes a few of them. */

#include <string.h>

#include "app/equations/equation-text.h"

/* Bytes: so much goes in or out in a few milliseconds. */
#define PIECE 16384

/* Where a mark was before its text went. */
typedef struct
{
  gboolean moved;
  int line, column;
} Place;

struct _HeddleTextFilling
{
  GtkTextBuffer *buffer;
  char *text;
  HeddleTextDifference difference;
  GtkTextMark *at; /* the next piece goes there */
  int left_out; /* characters after it that are still to go */
  const char *next, *end; /* of the text, still to come */
  Place insert, bound;
};

HeddleTextDifference
heddle_text_compare (const char *older, const char *newer)
{
  const gsize older_length = strlen (older), newer_length = strlen (newer),
              shorter = MIN (older_length, newer_length);
  gsize head = 0, tail = 0;

  while (head < shorter && older[head] == newer[head])
    head++;
  if (head == older_length && head == newer_length)
    return (HeddleTextDifference){ head, 0, 0 };
  while (head > 0 && older[head - 1] != '\n')
    head--;
  while (tail < shorter - head && older[older_length - 1 - tail] == newer[newer_length - 1 - tail])
    tail++;
  /* The end of a line is the same after another line, too: a tail begins after one. */
  while (tail > 0 && !(older_length - tail == head || older[older_length - tail - 1] == '\n'))
    tail--;
  while (tail > 0 && !(newer_length - tail == head || newer[newer_length - tail - 1] == '\n'))
    tail--;
  return (HeddleTextDifference){ head, older_length - tail - head, newer_length - tail - head };
}

static Place
find_place (HeddleTextFilling *self, GtkTextMark *mark, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, mark);
  return (Place){ gtk_text_iter_compare (&at, start) >= 0 && gtk_text_iter_compare (&at, end) <= 0,
    gtk_text_iter_get_line (&at), gtk_text_iter_get_line_offset (&at) };
}

HeddleTextFilling *
heddle_text_filling_new (GtkTextBuffer *buffer, const char *shown, char *text)
{
  HeddleTextFilling *self = g_new0 (HeddleTextFilling, 1);
  HeddleTextDifference *difference = &self->difference;
  GtkTextIter start, end;
  int offset;

  self->buffer = g_object_ref (buffer);
  self->text = text;
  *difference = heddle_text_compare (shown, text);
  self->next = text + difference->start;
  self->end = self->next + difference->added;
  offset = (int) g_utf8_strlen (shown, (gssize) difference->start);
  self->left_out = (int) g_utf8_strlen (shown + difference->start, (gssize) difference->removed);
  gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, offset + self->left_out);
  self->insert = find_place (self, gtk_text_buffer_get_insert (buffer), &start, &end);
  self->bound = find_place (self, gtk_text_buffer_get_selection_bound (buffer), &start, &end);
  self->at = gtk_text_buffer_create_mark (buffer, NULL, &start, FALSE);
  return self;
}

gboolean
heddle_text_filling_is_long (const HeddleTextFilling *self)
{
  return self->difference.removed + self->difference.added > PIECE;
}

/* As many bytes as a piece has, and no part of a character. */
static gsize
next_length (const HeddleTextFilling *self)
{
  const gsize left = (gsize) (self->end - self->next);

  return left <= PIECE ? left : (gsize) (g_utf8_find_prev_char (self->next, self->next + PIECE) - self->next);
}

static void
take_out (HeddleTextFilling *self)
{
  const int n = MIN (self->left_out, PIECE);
  GtkTextIter from, to;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &from, self->at);
  to = from;
  gtk_text_iter_forward_chars (&to, n);
  self->left_out -= n;
  gtk_text_buffer_delete (self->buffer, &from, &to);
}

static void
put_in (HeddleTextFilling *self)
{
  const gsize length = next_length (self);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, self->at);
  gtk_text_buffer_insert (self->buffer, &at, self->next, (int) length);
  self->next += length;
}

static void
put_back (HeddleTextFilling *self, GtkTextMark *mark, const Place *place)
{
  GtkTextIter at;

  if (!place->moved)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &at, place->line);
  for (int i = 0; i < place->column && !gtk_text_iter_ends_line (&at); i++)
    gtk_text_iter_forward_char (&at);
  gtk_text_buffer_move_mark (self->buffer, mark, &at);
}

gboolean
heddle_text_filling_step (HeddleTextFilling *self)
{
  if (self->left_out > 0)
    take_out (self);
  else if (self->next < self->end)
    put_in (self);
  if (self->left_out > 0 || self->next < self->end)
    return TRUE;
  put_back (self, gtk_text_buffer_get_insert (self->buffer), &self->insert);
  put_back (self, gtk_text_buffer_get_selection_bound (self->buffer), &self->bound);
  return FALSE;
}

void
heddle_text_filling_free (HeddleTextFilling *self)
{
  gtk_text_buffer_delete_mark (self->buffer, self->at);
  g_object_unref (self->buffer);
  g_free (self->text);
  g_free (self);
}
