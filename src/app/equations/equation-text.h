/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A difference is where two texts differ, by whole lines: from @start on the older one has @removed where
 * the newer one has @added; in bytes. What comes before and after is the same in both. */
typedef struct
{
  gsize start, removed, added;
} HeddleTextDifference;

/* Compares two texts by whole lines and returns where they differ, in bytes; nothing is removed or added
 * where they are equal. */
HeddleTextDifference heddle_text_compare (const char *older, const char *newer);

/* Puts another text into a buffer, piece by piece: only the lines that differ are touched, so that marks elsewhere stay with their text. */
typedef struct _HeddleTextFilling HeddleTextFilling;

/* Returns a new filling, of a buffer that has @shown now, all of it, and is to have @text (transfer full).
 * The cursor and the end of the selection stay with their text; where that is replaced, on their line and
 * column as far as those are still there. Nobody else may change the buffer till it is done. */
HeddleTextFilling *heddle_text_filling_new (GtkTextBuffer *buffer, const char *shown, char *text);
/* Returns whether it is so much that the main loop should have turns in between. */
gboolean heddle_text_filling_is_long (const HeddleTextFilling *self);
/* Fills in the next piece; FALSE means that it was the last one, and all is there. */
gboolean heddle_text_filling_step (HeddleTextFilling *self);
/* Whatever is not there yet is left out. */
void heddle_text_filling_free (HeddleTextFilling *self);
