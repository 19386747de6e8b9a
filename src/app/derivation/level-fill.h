/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* How full a memory level is with the schedule shown, in numbers and words. */
typedef struct
{
  double part; /* of the capacity; above 1: too full */
  char *used, *capacity;
} HeddleLevelFill;

HeddleLevelFill heddle_level_fill (HeddleEditor *editor, const HeddleLevel *level);
void heddle_level_fill_clear (HeddleLevelFill *self);

G_END_DECLS
