/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/shard.h"

G_BEGIN_DECLS

/* --- shard-layout.c --- */

/* How the operation wants operand @slot and leaves its result, where @axis is grouped at one link. %FALSE: it cannot run in pieces of that axis; @reason
 * and @remedy, newly allocated, say why and what would do. */
typedef struct
{
  gboolean split[64]; /* by operand: in pieces of the axis; else whole */
  HeddleSpread result;
  HeddleMonoid monoid;
  gboolean mean;
} HeddleShardNeed;

/* Of an operation that goes along what its GPU has of the axis as if that were all: what has lost the axis is split over the GPUs themselves. */
void heddle_shard_need_apart (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, HeddleShardNeed *need);
gboolean heddle_shard_need (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy);

/* --- shard-merge.c --- Puts into the diagram, and @schedule, what merges the parts of softmaxes along grouped axes, where that can be done. */
void heddle_shard_merge (
    HeddleSharding *self, HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype);

/* --- shard-segment.c --- */

/* What one GPU does of @operations (ids): its diagram, sizes and schedule. @regions: of HeddleRegion, those they are of. */
void heddle_shard_segment_fill (HeddleShardSegment *self, const HeddleSharding *sharding,
    const GArray *operations, const GPtrArray *regions, guint number, const HeddleMachine *machine);

G_END_DECLS
