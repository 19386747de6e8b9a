/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* A warp runs its 32 lanes in groups that stand at the same instruction of the same frame, and chooses among
 * the groups that do not wait. The run owns its warps, and its first error is kept. */

/* Names the thread in lane @lane by its place in its block and grid, for messages; the caller frees the text.
 * */
char *ptx_thread_name (const PtxRun *run, const PtxWarp *warp, guint lane);

/* Sets the error of the run, unless it has one, with the kernel, line, instruction and thread, and @code of
 * HeddlePtxError. Always returns PTX_FAILED, so that an instruction can return it. */
PtxStatus ptx_fail (PtxWarp *warp, const PtxInstruction *in, guint lane, int code, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

/* Returns the lanes, one bit each, in which @slot of the present frame holds a defined value; constants and
 * special registers are defined in all. */
guint32 ptx_defined (const PtxWarp *warp, guint32 slot);

/* Sets for the running lanes if register @slot of the present frame is defined, one bit of @defined for each;
 * other lanes stay. */
void ptx_set_defined (PtxWarp *warp, guint32 slot, guint32 defined);

/* Lets the lanes of the set @lanes stand at instruction @pc of their frames. */
void ptx_warp_move (PtxWarp *warp, guint32 lanes, guint32 pc);

/* Returns whether some lane of the warp can go on without waiting for others. */
gboolean ptx_warp_runnable (const PtxWarp *warp);

/* Returns whether all live lanes of @wanted stand at the present instruction, so that it can be done
 * together. If they do not, the lanes that are here stay and wait, and those of their group with another
 * guard go on. */
gboolean ptx_warp_gather (PtxWarp *warp, guint32 wanted);

/* Runs at most @budget instructions of the warp, fewer where all its lanes wait or end. Returns FALSE, with the
 * error of the run set, where one fails. */
gboolean ptx_warp_run (PtxWarp *warp, guint budget);
