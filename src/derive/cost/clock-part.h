/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

/* Returns what a part of the time is called, translated, such as "tensor cores"; the text is static. */
const char *heddle_clock_part_title (HeddleClockPart part);
/* Returns one plain sentence, translated and newly allocated, on what @part adds to the time. */
char *heddle_clock_part_sentence (const HeddleClockTime *time, HeddleClockPart part);
