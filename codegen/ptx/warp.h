/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

char *ptx_thread_name (const PtxRun *run, const PtxWarp *warp, guint lane);
PtxStatus ptx_fail (PtxWarp *warp, const PtxInstruction *in, guint lane, int code, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
guint32 ptx_defined (const PtxWarp *warp, guint32 slot);
void ptx_set_defined (PtxWarp *warp, guint32 slot, guint32 defined);
void ptx_warp_move (PtxWarp *warp, guint32 lanes, guint32 pc);
gboolean ptx_warp_runnable (const PtxWarp *warp);
gboolean ptx_warp_gather (PtxWarp *warp, guint32 wanted);
gboolean ptx_warp_run (PtxWarp *warp, guint budget);

G_END_DECLS
