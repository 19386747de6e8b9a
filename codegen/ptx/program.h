/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* Places the global and constant variables of the module in the memory of the run, with their first values, and
 * fills the constants that hold addresses; @shared_offsets are bytes, one for each variable. @placed receives
 * the addresses to unload, on failure too. Returns FALSE with @error where memory is used up. */
gboolean ptx_program_load (PtxRun *run, const gsize *shared_offsets, GArray *placed, GError **error);

/* Drops the variables at the addresses @placed from the memory of the run, the last first. */
void ptx_program_unload (PtxRun *run, const GArray *placed);

/* Sets the warp to the first instruction of the kernel in a new block: all its threads are alive and nothing is
 * under way. Returns FALSE, with the error of the run set, where a frame needs too much memory. */
gboolean ptx_warp_start (PtxWarp *warp);
