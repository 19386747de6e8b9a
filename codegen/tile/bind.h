/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Binds a loop program to the tensor core: the steps that find its rows and windows, place its buffers, choose
 * the warps, lower its statements and plan its shared memory, in this order. */

G_BEGIN_DECLS

/* Returns the tile program of a loop program; %NULL if this family has none, with the reason as a
 * sentence. */
HeddleTileProgram *heddle_tile_program_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, gint64 shared_capacity, const HeddleTileOptions *options,
    char **why);

G_END_DECLS
