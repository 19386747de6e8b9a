/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"

/* HeddleSense is one way to understand what was put together: its result, in words, and how it is made.
 * The ids that it holds are of the diagram in which it was found. */
typedef struct
{
  char *title; /* on a button, beside the others: "Each x with Each" */
  char *sentence; /* by itself: "Contraction with K over k, each x with each" */
  char **words; /* how: what to do, then what to do it with, as heddle_sense_take () reads them */
} HeddleSense;

/* Both texts are taken; the words are copied. */
HeddleSense *heddle_sense_new (char *title, char *sentence, const char *const *words);
/* Frees the sense with its words. */
void heddle_sense_free (HeddleSense *self);
/* Does what @words say, as one undo step, and selects what was made. Returns FALSE with @error where that cannot be; nothing has changed
 * then. */
gboolean heddle_sense_take (HeddleEditor *editor, const char *const *words, GError **error);
