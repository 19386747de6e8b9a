/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/instructions/bulk.h"
#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/instructions/mbarrier.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/warp.h"

/* Copies into shared memory by the hardware (cp.async.bulk), of boxes of an array or of plain bytes: begun by
 * one thread, made at some moment before the barrier that they complete on opens. When, the launch
 * decides. */

static PtxBulk *
bulk_at (const PtxRun *run, guint i)
{
  return &g_array_index (run->bulks, PtxBulk, i);
}

/* Makes the copy, and subtracts its bytes from those that its barrier waits for. */
static gboolean
complete (PtxRun *run, guint i)
{
  PtxBulk self = *bulk_at (run, i);

  g_array_remove_index (run->bulks, i);
  ptx_mbarrier_at (run, self.barrier)->bytes -= (gint64) self.box.bytes;
  return ptx_box_load (&self.box) && ptx_mbarrier_settle (run, self.barrier);
}

/* --- when --- */

gboolean
ptx_bulk_complete_one (PtxRun *run)
{
  return complete (run, 0);
}

/* Makes, where completion is drawn by lot, some of the copies now. */
gboolean
ptx_bulk_draw (PtxRun *run)
{
  if (run->config->completion != HEDDLE_PTX_DRAWN)
    return TRUE;
  for (guint i = run->bulks->len; i-- > 0;)
    if (ptx_random (run) % 4 == 0 && !complete (run, i))
      return FALSE;
  return TRUE;
}

/* Resets the copies and barriers for a new block: there are none. */
void
ptx_bulk_reset (PtxRun *run)
{
  if (run->bulks == NULL)
    run->bulks = g_array_new (FALSE, FALSE, sizeof (PtxBulk));
  if (run->mbarriers == NULL)
    run->mbarriers = g_array_new (FALSE, FALSE, sizeof (PtxMbarrier));
  g_array_set_size (run->bulks, 0);
  g_array_set_size (run->mbarriers, 0);
}

gboolean
ptx_bulk_check_end (PtxRun *run)
{
  const PtxBulk *self = run->bulks->len > 0 ? bulk_at (run, 0) : NULL;

  if (self != NULL)
    ptx_fail (self->box.warp, self->box.in, self->box.lane, HEDDLE_PTX_ERROR_RACE,
        _ ("the block has ended while it is under way"));
  return self == NULL;
}

/* --- beginning one --- */

/* Begins a copy into shared memory at @to that completes on the barrier at @on. */
static gboolean
begin (const PtxBox *box, guint64 to, guint64 on)
{
  PtxWarp *warp = box->warp;
  PtxRun *run = warp->run;
  PtxBulk bulk = { .box = *box };
  int barrier = ptx_mbarrier_find (warp, box->in, box->lane, on, PTX_READ);

  if (barrier < 0 || !ptx_box_put (&bulk.box, to))
    return FALSE;
  bulk.barrier = (guint) barrier;
  bulk.phase = ptx_mbarrier_at (run, bulk.barrier)->phase;
  if (run->races != NULL
      && !ptx_races_bulk (run->races, warp, box->in, box->lane, bulk.box.place, bulk.box.bytes,
          ptx_mbarrier_clock (run, bulk.barrier), bulk.phase + 1, box->kind != PTX_BOX_GIVEN))
    return FALSE;
  g_array_append_val (run->bulks, bulk);
  return run->config->completion != HEDDLE_PTX_EARLY || complete (run, run->bulks->len - 1);
}

/* Begins a copy to the same place in each block of the cluster that @mask has, and to the same barrier of
 * each. */
static gboolean
begin_in_each (const PtxBox *box, guint64 to, guint64 on, guint64 mask)
{
  const guint n = box->warp->run->n_blocks;
  PtxBox one = *box;

  if (mask == 0 || mask >> n != 0)
    {
      ptx_fail (box->warp, box->in, box->lane, HEDDLE_PTX_ERROR_TRAP,
          _ ("it goes to blocks 0x%x of a cluster of %u"), (guint) mask, n);
      return FALSE;
    }
  for (guint rank = 0; rank < n; rank++)
    {
      if ((mask >> rank & 1) == 0)
        continue;
      if (!begin (&one, ptx_cluster_address (rank, to), ptx_cluster_address (rank, on)))
        return FALSE;
      one.uncounted = TRUE;
    }
  return TRUE;
}

/* Returns the address @operand of shared memory. */
static guint64
address_of (const PtxBox *box, guint operand)
{
  return ptx_source (box->warp, box->in, operand)[box->lane] + (guint64) box->in->operands[operand].offset;
}

/* Begins a copy by its operands: the target, the barrier and, if it goes to several blocks, which. */
static gboolean
begin_copy (const PtxBox *box, guint on)
{
  const guint64 to = address_of (box, 0), barrier = address_of (box, on);

  box->warp->run->stats.asynchronous_copies++;
  if (box->in->modifier[PTX_MULTICAST] != 0)
    return begin_in_each (box, to, barrier, ptx_source (box->warp, box->in, on + 1)[box->lane]);
  return begin (box, to, barrier);
}

static PtxStatus
copy_box (PtxWarp *warp, const PtxInstruction *in)
{
  const guint32 known = ptx_defined (warp, in->operands[1].slot);
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  if ((known >> l & 1) == 0)
    return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_UNDEFINED, _ ("its address was never computed"));
  else if (!ptx_box_read (&box, warp, in, l, 1) || !begin_copy (&box, 2))
    return PTX_FAILED;
  return PTX_NEXT;
}

static PtxStatus
copy_bytes (PtxWarp *warp, const PtxInstruction *in)
{
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  {
    const guint64 from = ptx_source (warp, in, 1)[l] + (guint64) in->operands[1].offset;

    if (!ptx_box_read_bytes (&box, warp, in, l, from, ptx_source (warp, in, 2)[l]) || !begin_copy (&box, 3))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

/* Copies from the shared memory of this block to that of any block of the cluster. */
static PtxStatus
copy_shared (PtxWarp *warp, const PtxInstruction *in)
{
  PtxRaces *races = warp->run->races;
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  {
    const guint64 from = ptx_source (warp, in, 1)[l] + (guint64) in->operands[1].offset;

    if (!ptx_box_read_shared (&box, warp, in, l, from, ptx_source (warp, in, 2)[l])
        || (races != NULL && !ptx_races_access (races, warp, in, l, box.source, box.bytes, PTX_PROXY_READ))
        || !begin_copy (&box, 3))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

/* Stores what a thread has in registers. */
static PtxStatus
store_registers (PtxWarp *warp, const PtxInstruction *in)
{
  const PtxOperand *source = &in->operands[1];
  const gsize size = ptx_type_bits (in->type) / 8;
  guint8 values[PTX_BOX_MOST_GIVEN];
  PtxBox box;

  if (size * source->count > sizeof values)
    return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
        _ ("more than %d bytes at a time"), PTX_BOX_MOST_GIVEN);
  PTX_FOR_LANES (warp, l)
  {
    for (guint i = 0; i < source->count; i++)
      ptx_store_bytes (values + i * size, size, ptx_values (warp, source->elements[i])[l]);
    ptx_box_give (&box, warp, in, l, values, size * source->count);
    if (!begin_copy (&box, 2))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

/* Executes a hint, which does nothing. */
static PtxStatus
nothing (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

#define CACHE PTX_M (CACHE)
#define COMPLETES PTX_M (COMPLETES)
#define MULTICAST PTX_M (MULTICAST)
#define BOX (CACHE | PTX_M (TILE))

/* The last operand of each may be a policy of caches. */
#define COPY(rank, to)                                                                                       \
  { "cp.async.bulk.tensor." rank "." to ".global", BOX, COMPLETES | MULTICAST, 0, 0, "mCmh/mCmhq", copy_box, \
    PTX_UNDEFINED_FAILS },                                                                                   \
  {                                                                                                          \
    "cp.async.bulk.tensor." rank "." to ".global", BOX, COMPLETES, 0, 0, "mCm/mCmq", copy_box,               \
        PTX_UNDEFINED_FAILS                                                                                  \
  }
#define COPY_BYTES(to)                                                                                       \
  { "cp.async.bulk." to ".global", CACHE, COMPLETES | MULTICAST, 0, 0, "mmumh/mmumhq", copy_bytes,           \
    PTX_UNDEFINED_FAILS },                                                                                   \
  {                                                                                                          \
    "cp.async.bulk." to ".global", CACHE, COMPLETES, 0, 0, "mmum/mmumq", copy_bytes, PTX_UNDEFINED_FAILS     \
  }
#define PREFETCH(rank)                                                                                       \
  {                                                                                                          \
    "cp.async.bulk.prefetch.tensor." rank ".L2.global", BOX, 0, 0, 0, "C/Cq", nothing, PTX_UNDEFINED_FAILS   \
  }

#define STORED                                                                                               \
  (PTX_T (B32) | PTX_T (U32) | PTX_T (S32) | PTX_T (F32) | PTX_T (B64) | PTX_T (U64) | PTX_T (S64)           \
      | PTX_T (F64))

const PtxRow ptx_rows_bulk[] = {
  COPY ("1d", "shared::cluster"),
  COPY ("2d", "shared::cluster"),
  COPY ("3d", "shared::cluster"),
  COPY ("4d", "shared::cluster"),
  COPY ("5d", "shared::cluster"),
  COPY ("1d", "shared::cta"),
  COPY ("2d", "shared::cta"),
  COPY ("3d", "shared::cta"),
  COPY ("4d", "shared::cta"),
  COPY ("5d", "shared::cta"),
  COPY_BYTES ("shared::cluster"),
  COPY_BYTES ("shared::cta"),
  { "cp.async.bulk.shared::cluster.shared::cta", 0, COMPLETES, 0, 0, "mmum", copy_shared,
      PTX_UNDEFINED_FAILS },
  { "st.async", PTX_M (ORDER) | PTX_M (VECTOR), PTX_M (SPACE) | COMPLETES, STORED, 0, "mWm", store_registers,
      PTX_UNDEFINED_FAILS },
  PREFETCH ("1d"),
  PREFETCH ("2d"),
  PREFETCH ("3d"),
  PREFETCH ("4d"),
  PREFETCH ("5d"),
  { "cp.async.bulk.prefetch.L2.global", CACHE, 0, 0, 0, "mu/muq", nothing, PTX_UNDEFINED_FAILS },
  { "prefetch.tensormap", 0, 0, 0, 0, "m", nothing, PTX_UNDEFINED_FAILS },
  { "prefetch.param.tensormap", 0, 0, 0, 0, "m", nothing, PTX_UNDEFINED_FAILS },
  { "prefetch.const.tensormap", 0, 0, 0, 0, "m", nothing, PTX_UNDEFINED_FAILS },
  { NULL },
};
