/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

G_BEGIN_DECLS

/* Steps of all blocks together. */
double heddle_clock_all_steps (const HeddleClockKernel *kernel);
/* Seconds until the last of @sms processors is done, where block i takes @steps[i mod n] * @step + @overhead. */
double heddle_clock_makespan (
    const HeddleClockKernel *kernel, guint processors, double step, double overhead);

G_END_DECLS
