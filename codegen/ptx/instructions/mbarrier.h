/* SPDX-License-Identifier: MIT */
#pragma once

/* Barriers that lie in shared memory (mbarrier), as the section "Parallel Synchronization and Communication
 * Instructions: mbarrier" of the PTX ISA has them, and the copies of tiles that complete on them. */

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* A barrier in shared memory. @phase: how many of its phases are complete. @pending: arrivals that the
 * current phase still wants; @bytes: of copies that were announced and are not made. @arriving: what those
 * who arrived in this phase have seen; @seen: the same of the phases before, which those who wait get to
 * know. Its copies have a clock of their own, behind those of the warps: the phase that they complete in. */
struct _PtxMbarrier
{
  gsize offset;
  guint expected;
  guint pending;
  gint64 bytes;
  guint32 phase;
  PtxKnowledge arriving;
  PtxKnowledge seen;
};

/* Returns the barrier at an address of shared memory that lane @lane names; -1 with the error set. */
int ptx_mbarrier_find (
    PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, PtxAccess access);
/* Completes the phase where nothing is missing any more; FALSE with the error set where copies of it are
 * still under way. */
gboolean ptx_mbarrier_settle (PtxRun *run, guint barrier);
/* Returns what a warp waits for at a barrier that never opens, for a message. */
char *ptx_mbarrier_describe (const PtxRun *run, guint barrier);

static inline PtxMbarrier *
ptx_mbarrier_at (const PtxRun *run, guint barrier)
{
  return &g_array_index (run->mbarriers, PtxMbarrier, barrier);
}

/* Returns the clock of the copies that complete on a barrier. */
static inline guint
ptx_mbarrier_clock (const PtxRun *run, guint barrier)
{
  return run->n_warps + barrier;
}
