/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"

/* Fills @self with what one GPU does of @operations (ids): its diagram, sizes and schedule. @regions is an
 * array of the HeddleRegion that they are of. */
void heddle_shard_segment_fill (HeddleShardSegment *self, const HeddleSharding *sharding,
    const GArray *operations, const GPtrArray *regions, guint number, const HeddleMachine *machine);

/* Frees the segment with its diagram, sizes, schedule and tables. */
void heddle_shard_segment_free (HeddleShardSegment *self);
