/* SPDX-License-Identifier: MIT */
#pragma once

/* Copies from shared to global memory by the hardware. Those of a thread are gathered in groups, as those of cp.async are. */

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* A new block of the warp: none is under way. */
void ptx_stores_reset (PtxWarp *warp);

/* Frees the list of the warp's copies, at the end of the run. */
void ptx_stores_free (PtxWarp *warp);
/* Where completion is drawn, some may be made now. FALSE: the error of the run is set. */
gboolean ptx_stores_draw (PtxRun *run);
/* The blocks of a cluster have ended: what was read of shared memory arrives now, and nothing is to be read of it any more. */
gboolean ptx_stores_check (PtxRun *run);

G_END_DECLS
