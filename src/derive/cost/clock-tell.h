/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

G_BEGIN_DECLS

/* "tensor cores": what a part is called, translated. */
const char *heddle_clock_part_title (HeddleClockPart part);
/* (transfer full): one plain sentence on what @part adds, translated. */
char *heddle_clock_part_sentence (const HeddleClockTime *time, HeddleClockPart part);

G_END_DECLS
