/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/shard/shard.h"

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

/* --- shard-places.c --- Has maps that count along axes grouped over GPUs read the numbers of the places. */
void heddle_shard_count_places (
    HeddleSharding *self, const HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype);

/* --- shard-merge.c --- Puts into the diagram, and @schedule, what merges the parts of softmaxes along grouped axes, where that can be done. */
void heddle_shard_merge (
    HeddleSharding *self, HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype);

/* --- shard-cut.c --- Segments in order, of HeddleShardSegment, and what the schedule's labels above GMEM come to; refusals go into @made. %NULL: the
 * kernels wait for one another. */
GPtrArray *heddle_shard_cut (HeddleSharding *made, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, GError **error);

/* --- shard-steps.c --- Steps of the segments, which are taken out of @segments, with the collectives between. */
void heddle_shard_make_steps (
    HeddleSharding *made, GPtrArray *segments, const HeddleMachine *machine, HeddleDtype dtype);

/* --- shard.c --- */
void heddle_shard_segment_free (HeddleShardSegment *self);

/* --- shard-segment.c --- */

/* What one GPU does of @operations (ids): its diagram, sizes and schedule. @regions: of HeddleRegion, those they are of. */
void heddle_shard_segment_fill (HeddleShardSegment *self, const HeddleSharding *sharding,
    const GArray *operations, const GPtrArray *regions, guint number, const HeddleMachine *machine);

G_END_DECLS
