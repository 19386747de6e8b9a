/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/barrier.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* Barriers of the block. Threads count one by one; a barrier opens when all that it wants have come. */

static const PtxInstruction *
instruction_of (const PtxWarp *warp, guint lane)
{
  return &g_array_index (warp->lane_frame[lane]->function->code, PtxInstruction, warp->lane_pc[lane]);
}

/* Returns the lanes of one warp that wait at the barrier @id. */
static guint32
waiting_at (const PtxWarp *warp, guint id)
{
  guint32 lanes = 0;
  for (guint l = 0; l < PTX_LANES; l++)
    lanes |= (guint32) ((warp->waiting >> l & 1) != 0 && warp->barrier[l] == id) << l;
  return lanes;
}

/* Returns whether the instruction is an aligned form; bar is short for barrier.aligned. */
static gboolean
is_aligned (const PtxInstruction *in)
{
  return in->modifier[PTX_ALIGNED] != 0 || g_str_has_prefix (in->row->name, "bar.");
}

/* Checks that all threads of a warp are at the same instruction, as the aligned forms demand. */
static gboolean
check_together (PtxWarp *warp, guint32 lanes)
{
  guint first = (guint) __builtin_ctz (lanes);
  for (guint l = first + 1; l < PTX_LANES; l++)
    if ((lanes >> l & 1) != 0 && warp->lane_pc[l] != warp->lane_pc[first]
        && is_aligned (instruction_of (warp, l)))
      {
        g_autofree char *other = ptx_thread_name (warp->run, warp, first);
        ptx_fail (warp, instruction_of (warp, l), l, HEDDLE_PTX_ERROR_DEADLOCK,
            _ ("%s of the same warp waits at another barrier, that of PTX line %u"), other,
            instruction_of (warp, first)->line);
        return FALSE;
      }
  return TRUE;
}

/* Writes the result of bar.red, from what all threads brought. */
static void
put_result (PtxWarp *warp, guint lane, const PtxInstruction *in, const PtxBarrier *barrier)
{
  PtxFrame *frame = warp->lane_frame[lane];
  guint32 place = PTX_SLOT_INDEX (in->operands[0].slot);
  guint64 value = in->modifier[PTX_BOOLEAN] == PTX_POPC  ? barrier->count
                  : in->modifier[PTX_BOOLEAN] == PTX_AND ? (guint64) barrier->all
                                                         : (guint64) (barrier->count > 0);
  frame->registers[(gsize) place * PTX_LANES + lane] = value;
  frame->defined[place] |= 1u << lane;
}

static void
reset (PtxBarrier *barrier)
{
  memset (barrier, 0, sizeof *barrier);
  barrier->all = TRUE;
}

static gboolean
open_barrier (PtxRun *run, PtxBlock *block, guint id)
{
  PtxBarrier *barrier = &block->barriers[id];
  for (guint w = 0; w < run->block_warps; w++)
    {
      PtxWarp *warp = &block->warps[w];
      guint32 lanes = waiting_at (warp, id);
      if (lanes == 0)
        continue;
      if (!check_together (warp, lanes))
        return FALSE;
      ptx_knowledge_join (run, &warp->known, &barrier->known); /* what any warp did before the barrier */
      for (guint l = 0; l < PTX_LANES; l++)
        if ((lanes >> l & 1) != 0)
          {
            const PtxInstruction *in = instruction_of (warp, l);
            if (in->modifier[PTX_BOOLEAN] != 0)
              put_result (warp, l, in, barrier);
            warp->lane_pc[l]++;
          }
      warp->waiting &= ~lanes;
    }
  reset (barrier);
  run->stats.barriers += id < PTX_N_BARRIERS;
  return TRUE;
}

/* Reads the number of the barrier and of the threads it wants, on which the current lanes must agree. */
static gboolean
read_operands (
    PtxWarp *warp, const PtxInstruction *in, guint place, gboolean counted, guint64 *id, guint64 *count)
{
  guint first = (guint) __builtin_ctz (warp->mask);
  *id = ptx_source (warp, in, place)[first];
  *count = counted ? ptx_source (warp, in, place + 1)[first] : warp->run->n_threads;
  gboolean agree = TRUE;
  PTX_FOR_LANES (warp, l)
  agree = agree && ptx_source (warp, in, place)[l] == *id
          && (!counted || ptx_source (warp, in, place + 1)[l] == *count);
  if (!agree || *id >= PTX_N_BARRIERS)
    {
      ptx_fail (warp, in, first, HEDDLE_PTX_ERROR_TRAP,
          agree ? _ ("there is no such barrier") : _ ("the threads of a warp name different barriers"));
      return FALSE;
    }
  if (counted && (*count == 0 || *count % PTX_LANES != 0 || *count > PTX_MOST_THREADS))
    {
      ptx_fail (warp, in, first, HEDDLE_PTX_ERROR_TRAP,
          _ ("a barrier for a number of threads that is not a multiple of the warp"));
      return FALSE;
    }
  return TRUE;
}

/* Returns how many threads the current lanes count for. An explicit count is one of whole warps, so that the
 * lanes which a last short warp lacks come with its first lane. */
static guint
threads_at_hand (const PtxWarp *warp, gboolean counted)
{
  gsize left = warp->run->n_threads - (gsize) warp->place * PTX_LANES;
  guint missing = left < PTX_LANES ? PTX_LANES - (guint) left : 0;
  return (guint) __builtin_popcount (warp->mask) + (counted && (warp->mask & 1) != 0 ? missing : 0);
}

static void
bring_predicates (PtxWarp *warp, const PtxInstruction *in, PtxBarrier *barrier)
{
  if (in->modifier[PTX_BOOLEAN] == 0)
    return;
  const PtxOperand *operand = &in->operands[in->n_operands - 1];
  const guint64 *p = ptx_values (warp, operand->slot);
  PTX_FOR_LANES (warp, l)
  {
    gboolean truth = (p[l] != 0) != operand->negate;
    barrier->count += truth;
    barrier->all = barrier->all && truth;
  }
}

/* Lets the current lanes come to barrier @id of @count threads. */
static PtxStatus
arrive_at (
    PtxWarp *warp, const PtxInstruction *in, guint64 id, guint64 count, gboolean counted, gboolean waits)
{
  PtxBarrier *barrier = &warp->block->barriers[id];
  guint first = (guint) __builtin_ctz (warp->mask);
  if (barrier->arrived == 0)
    reset (barrier);
  else if (barrier->wanted != count)
    return ptx_fail (warp, in, first, HEDDLE_PTX_ERROR_DEADLOCK,
        _ ("the barrier was begun for %u threads, not for %u"), barrier->wanted, (guint) count);
  barrier->wanted = (guint) count;
  barrier->arrived += threads_at_hand (warp, counted);
  bring_predicates (warp, in, barrier);
  ptx_knowledge_join (warp->run, &barrier->known, &warp->known);
  ptx_warp_advance (warp);
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  ptx_warp_move (warp, warp->mask, waits ? warp->pc : warp->pc + 1);
  if (waits)
    warp->waiting |= warp->mask;
  PTX_FOR_LANES (warp, l)
  warp->barrier[l] = (guint8) id;
  if (barrier->arrived > barrier->wanted)
    return ptx_fail (warp, in, first, HEDDLE_PTX_ERROR_DEADLOCK, _ ("%u threads came to a barrier for %u"),
        barrier->arrived, barrier->wanted);
  if (barrier->arrived == barrier->wanted && !open_barrier (warp->run, warp->block, (guint) id))
    return PTX_FAILED;
  return PTX_JUMPED;
}

PtxStatus
ptx_warpgroup_meet (PtxWarp *warp, const PtxInstruction *in, guint place)
{
  const guint group = warp->place / PTX_WARPGROUP_WARPS;

  return arrive_at (warp, in, PTX_N_BARRIERS + place * PTX_MOST_WARPGROUPS + group,
      PTX_WARPGROUP_WARPS * PTX_LANES, TRUE, TRUE);
}

/* Executes an arrival. Operand @place is the number of the barrier, the next one the count if there is
 * one. */
static PtxStatus
arrive (PtxWarp *warp, const PtxInstruction *in, guint place, gboolean counted, gboolean waits)
{
  guint64 id, count;

  if (!read_operands (warp, in, place, counted, &id, &count))
    return PTX_FAILED;
  return arrive_at (warp, in, id, count, counted, waits);
}

static PtxStatus
wait_for_all (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive (warp, in, 0, in->n_operands > 1, TRUE);
}

static PtxStatus
arrive_only (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive (warp, in, 0, TRUE, FALSE);
}

static PtxStatus
reduce (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive (warp, in, 1, in->n_operands > 3, TRUE);
}

#define ALIGNED PTX_M (ALIGNED)
#define BOOLEAN PTX_M (BOOLEAN)

const PtxRow ptx_rows_barrier[] = {
  { "bar.sync", 0, 0, 0, 0, "u/uu", wait_for_all, PTX_UNDEFINED_FAILS },
  { "bar.cta.sync", 0, 0, 0, 0, "u/uu", wait_for_all, PTX_UNDEFINED_FAILS },
  { "bar.arrive", 0, 0, 0, 0, "uu", arrive_only, PTX_UNDEFINED_FAILS },
  { "bar.cta.arrive", 0, 0, 0, 0, "uu", arrive_only, PTX_UNDEFINED_FAILS },
  { "bar.red", 0, BOOLEAN, PTX_T (U32), 0, "Uup/Uuup", reduce, PTX_UNDEFINED_FAILS },
  { "bar.red", 0, BOOLEAN, PTX_T (PRED), 0, "Pup/Puup", reduce, PTX_UNDEFINED_FAILS },
  { "bar.cta.red", 0, BOOLEAN, PTX_T (U32), 0, "Uup/Uuup", reduce, PTX_UNDEFINED_FAILS },
  { "bar.cta.red", 0, BOOLEAN, PTX_T (PRED), 0, "Pup/Puup", reduce, PTX_UNDEFINED_FAILS },
  { "barrier.sync", ALIGNED, 0, 0, 0, "u/uu", wait_for_all, PTX_UNDEFINED_FAILS },
  { "barrier.cta.sync", ALIGNED, 0, 0, 0, "u/uu", wait_for_all, PTX_UNDEFINED_FAILS },
  { "barrier.arrive", ALIGNED, 0, 0, 0, "uu", arrive_only, PTX_UNDEFINED_FAILS },
  { "barrier.cta.arrive", ALIGNED, 0, 0, 0, "uu", arrive_only, PTX_UNDEFINED_FAILS },
  { "barrier.red", ALIGNED, BOOLEAN, PTX_T (U32), 0, "Uup/Uuup", reduce, PTX_UNDEFINED_FAILS },
  { "barrier.red", ALIGNED, BOOLEAN, PTX_T (PRED), 0, "Pup/Puup", reduce, PTX_UNDEFINED_FAILS },
  { "barrier.cta.red", ALIGNED, BOOLEAN, PTX_T (U32), 0, "Uup/Uuup", reduce, PTX_UNDEFINED_FAILS },
  { "barrier.cta.red", ALIGNED, BOOLEAN, PTX_T (PRED), 0, "Pup/Puup", reduce, PTX_UNDEFINED_FAILS },
  { NULL },
};
