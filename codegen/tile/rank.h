/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* How many cycles the machine takes for it by the model: a number to rank tile programs of one kernel by. */
double heddle_tile_program_cycles (const HeddleTileProgram *self, const HeddleMachine *machine);
/* What share of the rate of the tensor cores its products reach, of the type that they multiply: less than 1 where the
 * machine has faster instructions, and where tiles are rounded up to what an instruction takes. */
double heddle_tile_program_tensor_share (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Seconds in which the threads copy tiles element by element, with all multiprocessors busy. */
double heddle_tile_program_copy_seconds (const HeddleTileProgram *self, const HeddleMachine *machine);
/* Whether warpgroups multiply a factor that threads make of what each step brings, as a norm's: products wait for that. */
gboolean heddle_tile_program_changes_factor (const HeddleTileProgram *self);
/* The faster one by the model. */
HeddleTileProgram *heddle_tile_program_best (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, const HeddleMachine *machine, const HeddleTileWish *wish,
    char **why);

G_END_DECLS
