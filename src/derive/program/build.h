/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "derive/stream/split.h"

/* This file builds the loop program of a region from its plan of streaming and its labels. */

/* Returns a new reference to the loop program called @name of @region, streamed by @plan with the labels of
 * @tiling, which have to be legal. Where the streamed axis is grouped too and states would not merge, it is
 * planned again for groups that run apart. The diagram of @region has to outlive the program. */
HeddleLoopProgram *heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name);
