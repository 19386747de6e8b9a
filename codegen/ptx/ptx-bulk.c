/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/ptx-bulk.h"

/* Copies of boxes of an array into shared memory by the hardware (cp.async.bulk.tensor): begun by one thread, made at some moment before
 * the barrier that they complete on opens. When, the launch decides. */

#define RANK HEDDLE_PTX_TENSOR_MAP_RANK
#define ALIGNMENT 128
/* After so many bytes the swizzle begins anew. */
#define SWIZZLE_BYTES 1024
#define PIECE 16

/* @phase: of the barrier, when it was begun. */
struct _PtxBulk
{
  PtxWarp *warp;
  const PtxInstruction *in;
  guint lane;
  HeddlePtxTensorMap map;
  gint32 at[RANK];
  guint64 to;
  gsize bytes;
  guint barrier;
  guint32 phase;
};

static PtxBulk *
bulk_at (const PtxRun *run, guint i)
{
  return &g_array_index (run->bulks, PtxBulk, i);
}

/* --- one copy --- */

/* Where piece @piece of 16 bytes is put: bits 4 to 6 of the address are exchanged with bits 7 to 9. */
static guint64
place (const PtxBulk *self, gsize piece)
{
  guint64 address = self->to + piece * PIECE;

  return self->map.swizzled ? address ^ (address >> 7 & 7) << 4 : address;
}

/* Where row @row of the box begins in its array, but for the first axis; FALSE: it lies outside. */
static gboolean
find_row (const PtxBulk *self, gsize row, guint64 *address)
{
  *address = self->map.address;
  for (guint i = 1; i < self->map.rank; i++)
    {
      gint64 index = (gint64) self->at[i] + (gint64) (row % self->map.box[i]);

      if (index < 0 || (guint64) index >= self->map.sizes[i])
        return FALSE;
      *address += (guint64) index * self->map.strides[i - 1];
      row /= self->map.box[i];
    }
  return TRUE;
}

/* Zeros where there is nothing. */
static gboolean
read_row (const PtxBulk *self, gsize row, guint8 *values)
{
  const guint size = self->map.element_bytes;
  gint64 first = MAX (0, -(gint64) self->at[0]);
  gint64 end = MIN ((gint64) self->map.box[0], (gint64) self->map.sizes[0] - self->at[0]);
  const guint8 *from;
  guint64 address;
  g_autofree char *problem = NULL;

  memset (values, 0, self->map.box[0] * size);
  if (first >= end || !find_row (self, row, &address))
    return TRUE;
  address += (guint64) (self->at[0] + first) * size;
  from = ptx_memory_find (self->warp->run->memory, address, (gsize) (end - first) * size, FALSE, &problem);
  if (from == NULL)
    {
      ptx_fail (self->warp, self->in, self->lane, HEDDLE_PTX_ERROR_ACCESS,
          _ ("its tensor map leaves the buffers: %s"), problem);
      return FALSE;
    }
  memcpy (values + first * size, from, (gsize) (end - first) * size);
  return TRUE;
}

static gboolean
copy (const PtxBulk *self)
{
  const gsize row_bytes = (gsize) self->map.box[0] * self->map.element_bytes;
  guint8 values[MAX (256 * 8, PIECE)];

  for (gsize row = 0; row < self->bytes / row_bytes; row++)
    {
      if (!read_row (self, row, values))
        return FALSE;
      for (gsize piece = 0; piece < row_bytes / PIECE; piece++)
        memcpy (self->warp->run->shared + place (self, row * row_bytes / PIECE + piece),
            values + piece * PIECE, PIECE);
    }
  return TRUE;
}

/* Makes the copy and tells its barrier. */
static gboolean
complete (PtxRun *run, guint i)
{
  PtxBulk self = *bulk_at (run, i);

  g_array_remove_index (run->bulks, i);
  ptx_mbarrier_at (run, self.barrier)->bytes -= (gint64) self.bytes;
  return copy (&self) && ptx_mbarrier_settle (run, self.barrier);
}

/* --- when --- */

gboolean
ptx_bulk_complete_one (PtxRun *run)
{
  return complete (run, 0);
}

/* Where completion is drawn, any copy may be made now. */
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

/* A new block: no copy is under way, and there are no barriers. */
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

/* A phase is about to be over: all copies of it have to be made. */
gboolean
ptx_bulk_check (PtxRun *run, guint barrier)
{
  for (guint i = 0; i < run->bulks->len; i++)
    {
      const PtxBulk *self = bulk_at (run, i);

      if (self->barrier != barrier || self->phase != ptx_mbarrier_at (run, barrier)->phase)
        continue;
      ptx_fail (self->warp, self->in, self->lane, HEDDLE_PTX_ERROR_RACE,
          _ ("the phase of its mbarrier is over while it is under way: fewer bytes were expected than are "
             "copied"));
      return FALSE;
    }
  return TRUE;
}

gboolean
ptx_bulk_check_end (PtxRun *run)
{
  const PtxBulk *self = run->bulks->len > 0 ? bulk_at (run, 0) : NULL;

  if (self != NULL)
    ptx_fail (self->warp, self->in, self->lane, HEDDLE_PTX_ERROR_RACE,
        _ ("the block has ended while it is under way"));
  return self == NULL;
}

/* --- beginning one --- */

static gboolean
read_map (PtxWarp *warp, const PtxInstruction *in, guint lane, PtxBulk *bulk)
{
  guint64 address = ptx_source (warp, in, 1)[lane];
  const guint8 *bytes = ptx_resolve (warp, in, PTX_GENERIC, lane, address, 64, PTX_READ);

  if (bytes == NULL)
    return FALSE;
  if (ptx_tensor_map_decode (bytes, &bulk->map) && bulk->map.rank == in->operands[1].count)
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("there is no tensor map of %u axes"),
      in->operands[1].count);
  return FALSE;
}

static gboolean
check_place (PtxWarp *warp, const PtxInstruction *in, const PtxBulk *bulk)
{
  const guint alignment = bulk->map.swizzled ? SWIZZLE_BYTES : ALIGNMENT;

  if (bulk->to % alignment == 0 && bulk->to + bulk->bytes <= warp->run->shared_bytes)
    return TRUE;
  ptx_fail (warp, in, bulk->lane, HEDDLE_PTX_ERROR_ACCESS,
      bulk->to % alignment != 0 ? _ ("byte %zu of shared memory is no multiple of %u")
                                : _ ("%zu bytes of shared memory and more are not there: alignment %u"),
      (gsize) bulk->to, alignment);
  return FALSE;
}

static gboolean
begin (PtxWarp *warp, const PtxInstruction *in, guint lane)
{
  PtxRun *run = warp->run;
  PtxBulk bulk = { .warp = warp, .in = in, .lane = lane };
  int barrier;

  if (!read_map (warp, in, lane, &bulk))
    return FALSE;
  bulk.to = ptx_source (warp, in, 0)[lane] + (guint64) in->operands[0].offset;
  bulk.bytes = bulk.map.element_bytes;
  for (guint i = 0; i < bulk.map.rank; i++)
    {
      bulk.at[i] = (gint32) ptx_values (warp, in->operands[1].elements[i])[lane];
      bulk.bytes *= bulk.map.box[i];
    }
  barrier = ptx_mbarrier_find (
      warp, in, lane, ptx_source (warp, in, 2)[lane] + (guint64) in->operands[2].offset, PTX_READ);
  if (barrier < 0 || !check_place (warp, in, &bulk))
    return FALSE;
  bulk.barrier = (guint) barrier;
  bulk.phase = ptx_mbarrier_at (run, bulk.barrier)->phase;
  if (run->races != NULL
      && !ptx_races_bulk (run->races, warp, in, lane, bulk.to, bulk.bytes,
          ptx_mbarrier_clock (run, bulk.barrier), bulk.phase + 1))
    return FALSE;
  g_array_append_val (run->bulks, bulk);
  run->stats.asynchronous_copies++;
  return run->config->completion != HEDDLE_PTX_EARLY || complete (run, run->bulks->len - 1);
}

static PtxStatus
copy_box (PtxWarp *warp, const PtxInstruction *in)
{
  const guint32 known = ptx_defined (warp, in->operands[1].slot);

  PTX_FOR_LANES (warp, l)
  if ((known >> l & 1) == 0)
    return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_UNDEFINED, _ ("its address was never computed"));
  else if (!begin (warp, in, l))
    return PTX_FAILED;
  return PTX_NEXT;
}

/* Hints. */
static PtxStatus
nothing (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

#define COPY(rank, to)                                                                                       \
  {                                                                                                          \
    "cp.async.bulk.tensor." rank "." to ".global.tile.mbarrier::complete_tx::bytes", 0, 0, 0, 0, "mCm",      \
        copy_box, PTX_UNDEFINED_FAILS                                                                        \
  }

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
  { "prefetch.tensormap", 0, 0, 0, 0, "m", nothing, PTX_UNDEFINED_FAILS },
  { NULL },
};
