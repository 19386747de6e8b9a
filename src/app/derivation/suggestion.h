/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The best labels for what is fused: those given are kept and completed. Where nothing is left to complete, or nothing
 * could, the best that the same fusion could have at all. Its kernels carry the labels. */
HeddleDerivation *heddle_suggestion_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/* A label it has that the schedule has not, or has at another size; NULL: none. */
const HeddleLabel *heddle_suggestion_find_news (
    const HeddleDerivation *suggestion, const HeddleSchedule *schedule);
/* Whether the schedule has labels, and it has all of them: it is the best with those alone. */
gboolean heddle_suggestion_keeps_labels (const HeddleDerivation *suggestion, const HeddleSchedule *schedule);
/* The fusions of a schedule without its labels. */
HeddleSchedule *heddle_schedule_strip (const HeddleSchedule *schedule);

G_END_DECLS
