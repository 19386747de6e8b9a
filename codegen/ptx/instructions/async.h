/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

/* Forgets the copies of cp.async that the warp has under way, and their groups, for a new block. */
void ptx_copies_reset (PtxWarp *warp);
