/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/machine/machine.h"

/* A fill says how full a memory level is with the schedule shown, in numbers and words. */
typedef struct
{
  double part; /* of the capacity; above 1: too full */
  char *used, *capacity;
} HeddleLevelFill;

/* Returns how full @level is with the schedule shown: its memory, for a cache what is kept there. The caller clears the result by heddle_level_fill_clear (). */
HeddleLevelFill heddle_level_fill (HeddleEditor *editor, const HeddleLevel *level);
/* Returns the same of the tensor cores: the share of the time in which they are busy, and their rate, ""
 * where there are none for the data type. */
HeddleLevelFill heddle_level_fill_tensor (HeddleEditor *editor);
/* Returns what the memory level called @level, or "tensor", is, and how full or busy it is now; newly allocated. */
char *heddle_level_explain (HeddleEditor *editor, const char *level);
/* Frees the words of @self, which stays the caller's. */
void heddle_level_fill_clear (HeddleLevelFill *self);
