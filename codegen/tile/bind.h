/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Binds a loop program to the tensor core: the steps that find its rows and windows, place its buffers, choose
 * the warps, lower its statements and plan its shared memory, in this order. */

/* Returns the tile program of a loop program, bound to the tensor core: the rows are the axes that the
 * first product keeps of one of its factors, of the first one if that goes. @dtype is that of values
 * without their own, @shared_capacity the bytes of shared memory that a block may have; @options, which may
 * be NULL, says what is not to be chosen. NULL means that this family has none, with the reason as a
 * sentence in @why. The caller frees both. */
HeddleTileProgram *heddle_tile_program_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, gint64 shared_capacity, const HeddleTileOptions *options,
    char **why);
