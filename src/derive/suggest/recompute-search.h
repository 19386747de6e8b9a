/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Finds the values that are better computed again than stored: those for which that takes less time and, if
 * more than @options->budget_bytes are held at a time, those by which the least time is lost. @schedule says
 * which operations are fused. Returns a new schedule and, in @explanation, a sentence for each value and, if
 * no more can be done, how much is still held; NULL if there is nothing to say. */
HeddleSchedule *heddle_schedule_suggest_recomputed (const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, char **explanation, GError **error);
