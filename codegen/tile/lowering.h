/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

/* The statements of a loop program as operations on tiles. */

/* The state of making one list of operations. @group: the point of consumption that is open; -1 if there is
 * none. */
typedef struct
{
  HeddleTileMaker *maker;
  GPtrArray *ops;
  gboolean streamed;
  gboolean acquired; /* what was copied before is here */
  int group;
} HeddleTileLowering;

static inline HeddleTileProgram *
heddle_tile_made (const HeddleTileLowering *self)
{
  return self->maker->made;
}
