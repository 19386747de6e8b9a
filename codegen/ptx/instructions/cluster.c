/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* --- addresses --- */

gboolean
ptx_cluster_block_lives (const PtxRun *run, const PtxBlock *block)
{
  for (guint w = 0; w < run->block_warps; w++)
    if (block->warps[w].live != 0)
      return TRUE;
  return FALSE;
}

static PtxStatus
fail_rank (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 rank)
{
  return ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_TRAP, _ ("block %u of a cluster of %u"), (guint) rank,
      warp->run->n_blocks);
}

/* Computes the address in another block's shared memory that corresponds to one in this block's: in that
 * window, or generic. */
static PtxStatus
map_address (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1), *ranks = ptx_source (warp, in, 2);
  const guint64 window = in->modifier[PTX_SPACE] == PTX_GENERIC ? PTX_WINDOW_SHARED : 0;
  guint64 *d = ptx_result (warp, in);

  PTX_FOR_LANES (warp, l)
  {
    const guint64 rank = ranks[l];

    if (rank >= warp->run->n_blocks)
      return fail_rank (warp, in, l, rank);
    d[l] = window + ptx_cluster_address (rank, a[l] - window);
  }
  return PTX_NEXT;
}

static PtxStatus
find_rank (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const guint64 window = in->modifier[PTX_SPACE] == PTX_GENERIC ? PTX_WINDOW_SHARED : 0;
  guint64 *d = ptx_result (warp, in);

  PTX_FOR_LANES (warp, l)
  {
    guint64 address = a[l] - window;
    const PtxBlock *block = ptx_cluster_block (warp, &address);

    if (block == NULL)
      return fail_rank (warp, in, l, address);
    d[l] = block->rank;
  }
  return PTX_NEXT;
}

/* --- the barrier --- */

static gboolean
all_arrived (const PtxRun *run)
{
  for (guint w = 0; w < run->n_warps; w++)
    if ((run->warps[w].live & ~(run->warps[w].arrived & ~run->warps[w].released)) != 0)
      return FALSE;
  return TRUE;
}

static void
pass (PtxWarp *warp, guint32 lanes)
{
  ptx_knowledge_join (warp->run, &warp->known, &warp->run->cluster_known);
  warp->arrived &= ~lanes;
  warp->released &= ~lanes;
}

/* Releases the barrier: those who wait already go on; the others may when they come to wait. */
static void
release (PtxWarp *warp)
{
  guint32 waiting = 0;

  warp->released = warp->arrived;
  for (guint l = 0; l < PTX_LANES; l++)
    if ((warp->waiting >> l & 1) != 0 && warp->barrier[l] == PTX_CLUSTER_BARRIER)
      {
        waiting |= 1u << l;
        warp->lane_pc[l]++;
      }
  warp->waiting &= ~waiting;
  if (waiting != 0)
    pass (warp, waiting);
}

void
ptx_cluster_settle (PtxRun *run)
{
  gboolean any = FALSE;

  for (guint w = 0; w < run->n_warps; w++)
    any |= (run->warps[w].arrived & ~run->warps[w].released) != 0;
  if (!any || !all_arrived (run))
    return;
  for (guint w = 0; w < run->n_warps; w++)
    release (&run->warps[w]);
  run->stats.barriers++;
}

void
ptx_cluster_publish (PtxWarp *warp)
{
  ptx_knowledge_join (warp->run, &warp->published, &warp->known);
  ptx_warp_advance (warp);
}

/* Gathers the lanes for the aligned forms, as bar.warp.sync does. */
static gboolean
gather (PtxWarp *warp, const PtxInstruction *in)
{
  return in->modifier[PTX_ALIGNED] == 0 || ptx_warp_gather (warp, G_MAXUINT32);
}

static PtxStatus
arrive_with (PtxWarp *warp, const PtxInstruction *in, const PtxKnowledge *passed_on)
{
  if (!gather (warp, in))
    return PTX_JUMPED;
  if ((warp->arrived & warp->mask) != 0)
    return ptx_fail (warp, in, (guint) __builtin_ctz (warp->arrived & warp->mask), HEDDLE_PTX_ERROR_TRAP,
        _ ("it has arrived at the cluster's barrier already, and did not wait there"));
  ptx_knowledge_join (warp->run, &warp->run->cluster_known, passed_on);
  ptx_warp_advance (warp);
  warp->arrived |= warp->mask;
  ptx_cluster_settle (warp->run);
  return PTX_NEXT;
}

static PtxStatus
arrive (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive_with (warp, in, &warp->known);
}

/* Arrives and passes on only what a fence before it passes on. */
static PtxStatus
arrive_relaxed (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive_with (warp, in, &warp->published);
}

static PtxStatus
wait (PtxWarp *warp, const PtxInstruction *in)
{
  const guint32 missing = warp->mask & ~warp->arrived;

  if (!gather (warp, in))
    return PTX_JUMPED;
  if (missing != 0)
    return ptx_fail (warp, in, (guint) __builtin_ctz (missing), HEDDLE_PTX_ERROR_TRAP,
        _ ("it waits at the cluster's barrier without having arrived at it"));
  if ((warp->mask & ~warp->released) == 0)
    {
      pass (warp, warp->mask);
      return PTX_NEXT;
    }
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  ptx_warp_move (warp, warp->mask, warp->pc);
  warp->waiting |= warp->mask;
  PTX_FOR_LANES (warp, l)
  warp->barrier[l] = PTX_CLUSTER_BARRIER;
  return PTX_JUMPED;
}

#define ALIGNED PTX_M (ALIGNED)
#define SPACE PTX_M (SPACE)

const PtxRow ptx_rows_cluster[] = {
  { "mapa", SPACE, 0, PTX_T (U32) | PTX_T (U64), 0, "dau", map_address, PTX_UNDEFINED_FAILS },
  { "getctarank", SPACE, 0, PTX_T (U32), 0, "da", find_rank, PTX_UNDEFINED_FAILS },
  { "getctarank", SPACE, 0, PTX_T (U64), 0, "Ua", find_rank, PTX_UNDEFINED_FAILS },
  { "barrier.cluster.arrive", ALIGNED, 0, 0, 0, "", arrive },
  { "barrier.cluster.arrive.release", ALIGNED, 0, 0, 0, "", arrive },
  { "barrier.cluster.arrive.relaxed", ALIGNED, 0, 0, 0, "", arrive_relaxed },
  { "barrier.cluster.wait", ALIGNED, 0, 0, 0, "", wait },
  { "barrier.cluster.wait.acquire", ALIGNED, 0, 0, 0, "", wait },
  { NULL },
};
