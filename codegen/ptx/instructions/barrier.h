/* SPDX-License-Identifier: MIT */
#pragma once

/* Barriers of a block, as the sections "barrier" and "bar" of the PTX ISA have them. */

#include "codegen/ptx/module.h"

/* Lets the four warps of a warpgroup meet, as they do where they begin products (@place 0) and where they
 * wait for products (1). The warp stays at the instruction until all have come, and then goes on. Returns the
 * status that the instruction must return. */
PtxStatus ptx_warpgroup_meet (PtxWarp *warp, const PtxInstruction *in, guint place);
