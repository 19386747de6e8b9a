/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns whether labels for @options->machine say how kernels of a GPU are made, and are wanted for their
 * time. @schedule: (nullable) */
gboolean heddle_plan_is_for_kernels (const HeddleSchedule *schedule, const HeddleDeriveOptions *options);
/* Returns the derivation with the best labels for kernels as fast as they would be emitted: see the
 * source. */
HeddleDerivation *heddle_plan_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
