/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* Forgets the products of wgmma that the warp has under way, for a new block. */
void ptx_products_reset (PtxWarp *warp);

/* Checks that the four warps of each warpgroup began the same products, when the blocks have ended. Returns
 * FALSE with HEDDLE_PTX_ERROR_TRAP where they did not. */
gboolean ptx_products_check (PtxRun *run);
