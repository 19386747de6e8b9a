/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/shard/shard.h"
#include "diagram/graph/operation-table.h"

/* The layouts that an operation wants for its operands and leaves its result in, where an axis is grouped at
 * one link. */
typedef struct
{
  gboolean split[64]; /* by operand: in pieces of the axis; else whole */
  HeddleSpread result;
  HeddleMonoid monoid;
  gboolean mean;
} HeddleShardNeed;
