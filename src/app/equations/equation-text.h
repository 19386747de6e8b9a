/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where two texts differ, by whole lines: from @start on the older one has @removed where the newer one has @added; bytes. What comes
 * before and after is the same in both. */
typedef struct
{
  gsize start, removed, added;
} HeddleTextDifference;

/* Compares two texts by whole lines and returns where they differ, in bytes; nothing is removed or added
 * where they are equal. */
HeddleTextDifference heddle_text_compare (const char *older, const char *newer);

/* Puts another text into a buffer, piece by piece: only the lines that differ are touched, so that marks elsewhere stay with their text. */
typedef struct _HeddleTextFilling HeddleTextFilling;

/* @shown: what the buffer has now, all of it
 * @text: (transfer full): what it is to have
 *
 * The cursor and the end of the selection stay with their text; where that is replaced, on their line and column as far as those are still
 * there. Nobody else may change the buffer till it is done. */
HeddleTextFilling *heddle_text_filling_new (GtkTextBuffer *buffer, const char *shown, char *text);
/* Whether it is so much that the main loop should have turns in between. */
gboolean heddle_text_filling_is_long (const HeddleTextFilling *self);
/* The next piece; FALSE: it was the last one, and all is there. */
gboolean heddle_text_filling_step (HeddleTextFilling *self);
/* Whatever is not there yet is left out. */
void heddle_text_filling_free (HeddleTextFilling *self);

G_END_DECLS
