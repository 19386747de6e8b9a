/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "app/editor/derive-job.h"
#include "codegen/plan/suggestion.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"

/* Finds what is suggested for a schedule: with @all and where it says nothing, kernels and labels, as
 * heddle_plan_suggestion_init () finds them; else labels for what is fused. Those given are kept and
 * completed; where nothing is left to complete, or nothing could be, it is the best that the same fusion
 * could have at all. Its kernels carry the labels. FALSE means that @error is set, and @found is empty. */
gboolean heddle_suggestion_find (HeddlePlanSuggestion *found, const HeddleDeriveJob *job, gboolean all,
    GCancellable *cancellable, GError **error);
/* A label it has that the schedule has not, or has at another size; NULL: none. */
const HeddleLabel *heddle_suggestion_find_news (
    const HeddleDerivation *suggestion, const HeddleSchedule *schedule);
/* Returns whether the schedule has labels, and has all of them: it is the best with those alone. */
gboolean heddle_suggestion_keeps_labels (const HeddleDerivation *suggestion, const HeddleSchedule *schedule);
/* Removes the tiles of a schedule and keeps its fusions: the divisors of tiles stay, and in what order
 * loops go. */
HeddleSchedule *heddle_schedule_strip (const HeddleSchedule *schedule);
