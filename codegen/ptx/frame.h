/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* A frame holds the registers and the local memory of one call of a function by some lanes of a warp. The warp
 * owns its frames. */

/* Makes a frame for a call of @function from @parent, which is NULL for the kernel itself. The warp owns it;
 * returns NULL, with HEDDLE_PTX_ERROR_LIMIT, where calls nest too deep or memory is used up. */
PtxFrame *ptx_frame_new (PtxWarp *warp, const PtxFunction *function, PtxFrame *parent, GError **error);

/* Ends @frame, which the warp owns, and gives its bytes back to the bound of the run. */
void ptx_frame_free (PtxWarp *warp, PtxFrame *frame);

/* Ends all frames of the warp; it has none afterwards. */
void ptx_frame_free_all (PtxWarp *warp);
