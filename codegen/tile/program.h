/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* A tile program is a loop program for the tensor core: a tile for each buffer, and operations before, in and
 * behind the loop of the stream. The caller owns it; it borrows the loop program. */

G_BEGIN_DECLS

/* Frees @self with its tiles and operations; @self may be NULL. */
void heddle_tile_program_free (HeddleTileProgram *self);

/* Gives the tile of buffer number @i, owned by @self, to be changed while the program is made. */
HeddleTensorTile *heddle_tile_at (const HeddleTileProgram *self, guint i);

/* Gives the tile of buffer number @i, owned by @self. */
const HeddleTensorTile *heddle_tile_program_get (const HeddleTileProgram *self, guint i);
/* The type that a product multiplies in, or that of the tile that is unpacked. */
HeddleDtype heddle_tile_factor_type (const HeddleTileProgram *self, const HeddleTileOp *op);
/* The tile that really holds the elements. */
const HeddleTensorTile *heddle_tile_root (const HeddleTileProgram *self, const HeddleTensorTile *tile);

/* Gives the name of buffer number @i as the loop program has it, owned by that. */
const char *heddle_tile_name (const HeddleTileProgram *self, guint i);
/* How many columns behind each other a warp has of a fragment along @axis. */
gint64 heddle_tile_columns (const HeddleTileProgram *self, const HeddleTensorTile *tile);
/* Threads of a block. */
guint heddle_tile_threads (const HeddleTileProgram *self);
/* Sets the reason and returns %FALSE. */
gboolean heddle_tile_refuse (HeddleTileMaker *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Every statement of the program, in order; stops where @visit returns %FALSE. */
gboolean heddle_tile_walk (HeddleTileMaker *self, HeddleTileVisit visit, gpointer data);
/* The tile program of a loop program; %NULL where this family has none, with the reason as a sentence. */
HeddleTileProgram *heddle_tile_program_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, gint64 shared_capacity, const HeddleTileOptions *options,
    char **why);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleTileProgram, heddle_tile_program_free)

G_END_DECLS
