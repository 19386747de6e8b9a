/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

/* Returns a new array of HeddleShardSegment, in the order in which they run: what the schedule's labels above
 * global memory cut the diagram into. Refusals go into @made. Returns %NULL with an error if the kernels wait
 * for one another. */
GPtrArray *heddle_shard_cut (HeddleSharding *made, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, GError **error);
