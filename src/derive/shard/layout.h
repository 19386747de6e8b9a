/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/shard/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Of an operation that goes along what its GPU has of the axis as if that were all: what has lost the axis is split over the GPUs themselves. */
void heddle_shard_need_apart (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, HeddleShardNeed *need);
gboolean heddle_shard_need (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy);

G_END_DECLS
