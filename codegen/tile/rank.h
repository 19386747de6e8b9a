/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the cycles that the machine takes for the program by the model: a number to rank tile programs of
 * one kernel by. */
double heddle_tile_program_cycles (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Returns the share of the rate of the tensor cores that its products reach, of the type that they multiply:
 * it is less than 1 if the machine has faster instructions, and if tiles are rounded up to what an
 * instruction takes. */
double heddle_tile_program_tensor_share (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Returns the seconds in which the threads copy tiles element by element, with all multiprocessors busy. */
double heddle_tile_program_copy_seconds (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Returns the seconds in which blocks sort the rows that are dealt out to them, with all multiprocessors busy. */
double heddle_tile_program_dealing_seconds (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Returns whether warpgroups multiply a factor that threads make of what each step brings, as that of a norm:
 * products wait for it. */
gboolean heddle_tile_program_changes_factor (const HeddleTileProgram *self);
/* Returns the faster one by the model. */
HeddleTileProgram *heddle_tile_program_best (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, const HeddleMachine *machine, const HeddleTileWish *wish,
    char **why);
