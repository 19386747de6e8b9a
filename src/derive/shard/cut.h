/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/*  --- Segments in order, of HeddleShardSegment, and what the schedule's labels above GMEM come to; refusals go into @made. %NULL: the
 * kernels wait for one another. */
GPtrArray *heddle_shard_cut (HeddleSharding *made, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, GError **error);

G_END_DECLS
