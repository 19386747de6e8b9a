/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

PtxRaces *ptx_races_new (const HeddlePtxModule *module, gsize bytes, guint n_warps);
void ptx_races_free (PtxRaces *self);
void ptx_races_reset (PtxRaces *self);
gboolean ptx_races_access (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset,
    gsize size, PtxAccess access);
gboolean ptx_races_bulk (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset,
    gsize size, guint clock, guint32 time);
void ptx_races_complete (
    PtxRaces *self, const PtxWarp *warp, const PtxInstruction *in, gsize offset, gsize size);

G_END_DECLS
