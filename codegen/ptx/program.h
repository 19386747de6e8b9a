/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

gboolean ptx_program_load (PtxRun *run, const gsize *shared_offsets, GArray *placed, GError **error);
void ptx_program_unload (PtxRun *run, const GArray *placed);

gboolean ptx_warp_start (PtxWarp *warp);

G_END_DECLS
