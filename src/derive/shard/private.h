/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/shard/shard.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* How the operation wants operand @slot and leaves its result, where @axis is grouped at one link. %FALSE: it cannot run in pieces of that axis; @reason
 * and @remedy, newly allocated, say why and what would do. */
typedef struct
{
  gboolean split[64]; /* by operand: in pieces of the axis; else whole */
  HeddleSpread result;
  HeddleMonoid monoid;
  gboolean mean;
} HeddleShardNeed;

G_END_DECLS
