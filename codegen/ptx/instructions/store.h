/* SPDX-License-Identifier: MIT */
#pragma once

/* Copies from shared to global memory by the hardware. Those of a thread are gathered in groups, as those of
 * cp.async are. */

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* Resets the stores of a warp for a new block: none is under way. */
void ptx_stores_reset (PtxWarp *warp);

/* Frees the list of the warp's copies, at the end of the run. */
void ptx_stores_free (PtxWarp *warp);
/* Makes some of the stores if completion is drawn by lot. Returns FALSE if the error of the run is set. */
gboolean ptx_stores_draw (PtxRun *run);
/* Checks, when the blocks of a cluster have ended, that nothing is still to be read of shared memory; what
 * was read of it arrives now. */
gboolean ptx_stores_check (PtxRun *run);
