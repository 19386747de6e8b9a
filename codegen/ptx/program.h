/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/machine.h"

G_BEGIN_DECLS

gboolean ptx_program_load (PtxRun *run, const gsize *shared_offsets, GArray *placed, GError **error);
void ptx_program_unload (PtxRun *run, const GArray *placed);

G_END_DECLS
