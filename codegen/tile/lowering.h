/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/private.h"

G_BEGIN_DECLS

/* The statements of a loop program as operations on tiles. */

/* What one list of operations is made with. @group: the point of consumption that is open; -1: none. */
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

HeddleTileOp *heddle_tile_add_op (
    HeddleTileLowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node);
HeddleTensorTile *heddle_tile_source (const HeddleTileLowering *self, const HeddleNode *node, guint i);

/* --- tile-pads.c: columns behind the end of an axis --- */
gboolean heddle_tile_is_ragged (const HeddleTileProgram *self, const HeddleTensorTile *tile);
void heddle_tile_set_pad (HeddleTensorTile *tile, double pad);
/* Makes the columns behind the end of a fragment's axis hold @pad. */
gboolean heddle_tile_pad_with (HeddleTileLowering *self, HeddleTensorTile *tile, double pad);
/* Makes them hold the element of @row, a tile of rows. */
void heddle_tile_pad_with_row (HeddleTileLowering *self, HeddleTensorTile *tile, guint row);
/* The value of @body behind the end of @along; %FALSE: not known. */
gboolean heddle_tile_pad_of_body (
    const HeddleTileLowering *self, const HeddleNode *node, HeddleExpr *body, const char *along, double *pad);

/* --- tile-products.c --- */
gboolean heddle_tile_lower_contraction (
    HeddleTileLowering *self, const HeddleNode *node, guint left, guint right);
gboolean heddle_tile_lower_reduction (HeddleTileLowering *self, const HeddleNode *node);

/* --- tile-columns.c --- */
gboolean heddle_tile_lower_columns (
    HeddleTileLowering *self, const HeddleNode *node, guint left, guint right);
void heddle_tile_lower_spread (HeddleTileLowering *self);

/* --- tile-maps.c --- */
gboolean heddle_tile_lower_map (HeddleTileLowering *self, const HeddleNode *node);

G_END_DECLS
