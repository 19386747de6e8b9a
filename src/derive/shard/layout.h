/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/shard/private.h"
#include "diagram/graph/diagram.h"

/* What an operation wants of its operands, and how it leaves its result, when GPUs have pieces of an axis. */

G_BEGIN_DECLS

/* Fills @need for an operation that goes along what its GPU has of the axis as if that were all: what has
 * lost the axis is split over the GPUs themselves. */
void heddle_shard_need_apart (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, HeddleShardNeed *need);
/* Fills @need: which operands the operation wants in pieces of @axis, and how it leaves its result. %FALSE
 * means that it cannot run in pieces of that axis; @reason and @remedy, newly allocated sentences, then say
 * why and what would help. */
gboolean heddle_shard_need (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy);

G_END_DECLS
