/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock-describe.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* Describes a kernel that DRAM or L2 bounds: maps, copies, reductions and kernels that go through rows. It
 * fills @self, whose steps the caller frees with heddle_clock_description_clear (). */
void heddle_clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

G_END_DECLS
