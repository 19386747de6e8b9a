/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/private.h"
#include "derive/shard/shard.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file describes what an operation wants of its operands, and how it leaves its result, when GPUs have
 * pieces of an axis. */

/* Fills @need for an operation that goes along what its GPU has of the axis as if that were all: what has
 * lost the axis is split over the GPUs themselves. */
void heddle_shard_need_apart (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, HeddleShardNeed *need);
/* Fills @need: which operands the operation wants in pieces of @axis, and how it leaves its result. %FALSE
 * means that it cannot run in pieces of that axis; @reason and @remedy, newly allocated sentences, then say
 * why and what would help. */
gboolean heddle_shard_need (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy);

/* Returns whether some label of the schedule is at a link of the machine. */
gboolean heddle_schedule_is_sharded (const HeddleSchedule *schedule, const HeddleMachine *machine);

/* Returns a new copy of @schedule without the labels at links of the machine. */
HeddleSchedule *heddle_schedule_unsharded (const HeddleSchedule *schedule, const HeddleMachine *machine);

/* Returns how many elements of a value (id) one GPU has: those of its shape, divided by the groups at each
 * link where it is split. */
gint64 heddle_shard_layout_elements (
    const HeddleShardLayout *self, const HeddleSharding *sharding, const char *value);

/* Returns whether two layouts have the same spread and the same axis at every link; how parts combine is not
 * compared. */
gboolean heddle_shard_layout_equal (const HeddleShardLayout *a, const HeddleShardLayout *b);
