/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/box.h"
#include "codegen/ptx/instructions/atomic.h"
#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/traffic.h"
#include "codegen/ptx/instructions/tensor-map.h"
#include "codegen/ptx/warp.h"

#define ALIGNMENT 128
/* A swizzle of n bytes begins anew after 8 n bytes. */
#define SWIZZLE_ROWS 8
#define PIECE 16
/* The alignment of plain bytes. */
#define UNIT 16

/* --- what it is --- */

gboolean
ptx_box_read (PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint operand)
{
  const PtxOperand *where = &in->operands[operand];

  *self = (PtxBox){ .warp = warp, .in = in, .lane = lane };
  if (!ptx_tensor_map_read (warp, in, lane, ptx_values (warp, where->slot)[lane], &self->map))
    return FALSE;
  if (self->map.rank != where->count)
    {
      ptx_fail (
          warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("there is no tensor map of %u axes"), where->count);
      return FALSE;
    }
  self->row_bytes = self->bytes = (gsize) self->map.box[0] * self->map.element_bytes;
  for (guint i = 0; i < self->map.rank; i++)
    {
      self->at[i] = (gint32) ptx_values (warp, where->elements[i])[lane];
      self->bytes *= i > 0 ? self->map.box[i] : 1;
    }
  return TRUE;
}

gboolean
ptx_box_read_bytes (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, guint64 bytes)
{
  *self = (PtxBox){
    .warp = warp, .in = in, .lane = lane, .map = { .address = address }, .bytes = bytes, .row_bytes = bytes
  };
  if (address % UNIT == 0 && bytes % UNIT == 0 && bytes > 0)
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS,
      _ ("the copied range is not a multiple of %d bytes, or does not begin at one"), UNIT);
  return FALSE;
}

void
ptx_box_give (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, const guint8 *values, gsize bytes)
{
  *self = (PtxBox){
    .warp = warp, .in = in, .lane = lane, .bytes = bytes, .row_bytes = bytes, .kind = PTX_BOX_GIVEN
  };
  memcpy (self->given, values, bytes);
}

gboolean
ptx_box_read_shared (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, guint64 bytes)
{
  if (!ptx_box_read_bytes (self, warp, in, lane, address, bytes) || !ptx_box_put (self, address))
    return FALSE;
  self->kind = PTX_BOX_OF_SHARED;
  self->source = self->place;
  return TRUE;
}

/* Returns the alignment of the box in shared memory. */
static guint
alignment_of (const PtxBox *self)
{
  if (self->kind == PTX_BOX_GIVEN)
    return (guint) self->bytes;
  if (self->map.rank == 0)
    return UNIT;
  return MAX (ALIGNMENT, self->map.swizzle * SWIZZLE_ROWS);
}

gboolean
ptx_box_put (PtxBox *self, guint64 address)
{
  const PtxBlock *block = ptx_cluster_block (self->warp, &address);
  const guint alignment = alignment_of (self);

  if (block != NULL && address % alignment == 0 && address + self->bytes <= self->warp->run->shared_bytes)
    {
      self->place = block->base + address;
      return TRUE;
    }
  ptx_fail (self->warp, self->in, self->lane, HEDDLE_PTX_ERROR_ACCESS,
      address % alignment != 0 ? _ ("byte %zu of shared memory is not a multiple of %u")
                               : _ ("%zu bytes of shared memory and more are not there: alignment %u"),
      (gsize) address, alignment);
  return FALSE;
}

/* --- where its parts are --- */

/* Returns the place of piece @piece of 16 bytes: the pieces are exchanged by as many bits of the address from
 * bit 4 on, which are combined with those from bit 7 on. */
static gsize
place_of (const PtxBox *self, gsize piece)
{
  const gsize at = self->place + piece * PIECE;

  return self->map.swizzle == 0 ? at : at ^ (at >> 7 & (self->map.swizzle / PIECE - 1)) << 4;
}

/* Finds the bytes of row @row that are inside the array: @n bytes at @address, from byte @first of the row
 * on. Returns FALSE if there are none. */
static gboolean
find_row (const PtxBox *self, gsize row, guint64 *address, gsize *first, gsize *n)
{
  const HeddlePtxTensorMap *map = &self->map;
  gint64 from = MAX (0, -(gint64) self->at[0]);
  gint64 end = MIN ((gint64) map->box[0], (gint64) map->sizes[0] - self->at[0]);

  *address = map->address;
  *first = 0;
  *n = self->bytes;
  if (map->rank == 0)
    return TRUE;
  for (guint i = 1; i < map->rank; i++)
    {
      gint64 index = (gint64) self->at[i] + (gint64) (row % map->box[i]);

      if (index < 0 || (guint64) index >= map->sizes[i])
        return FALSE;
      *address += (guint64) index * map->strides[i - 1];
      row /= map->box[i];
    }
  *address += (guint64) (self->at[0] + from) * map->element_bytes;
  *first = (gsize) from * map->element_bytes;
  *n = from < end ? (gsize) (end - from) * map->element_bytes : 0;
  return from < end;
}

static guint8 *
find_memory (const PtxBox *self, guint64 address, gsize n, gboolean write)
{
  g_autofree char *problem = NULL;
  guint8 *bytes = ptx_memory_find (self->warp->run->memory, address, n, write, &problem);

  if (bytes == NULL)
    ptx_fail (self->warp, self->in, self->lane, HEDDLE_PTX_ERROR_ACCESS,
        self->map.rank > 0 ? _ ("its tensor map leaves the buffers: %s") : _ ("it leaves the buffers: %s"),
        problem);
  return bytes;
}

/* --- moving --- */

/* The global memory that the rows of a box take. @last: the sector that was counted last, which the next row
 * may share. */
typedef struct
{
  guint64 last;
  guint64 sectors;
  gsize bytes;
} Traffic;

static void
note_row (Traffic *self, guint64 address, gsize n)
{
  const guint64 first = address / PTX_SECTOR, end = (address + n - 1) / PTX_SECTOR + 1;

  self->sectors += end - first - (self->sectors > 0 && first == self->last);
  self->last = end - 1;
  self->bytes += n;
}

static void
count (const PtxBox *self, const Traffic *traffic, gboolean write)
{
  HeddlePtxStats *stats = &self->warp->run->stats;

  if (self->uncounted)
    return;
  if (write)
    stats->global_sectors_written += traffic->sectors;
  else
    stats->global_sectors_read += traffic->sectors;
  stats->global_sectors_least += (traffic->bytes + PTX_SECTOR - 1) / PTX_SECTOR;
}

/* Loads what is in shared memory, or in registers. */
static gboolean
load_near (const PtxBox *self)
{
  guint8 *shared = self->warp->run->shared;

  memmove (
      shared + self->place, self->kind == PTX_BOX_GIVEN ? self->given : shared + self->source, self->bytes);
  return TRUE;
}

gboolean
ptx_box_load (const PtxBox *self)
{
  g_autofree guint8 *values = NULL;
  const gsize pieces = self->row_bytes / PIECE;
  Traffic traffic = { 0 };
  gsize first, n;
  guint64 address;

  if (self->kind != PTX_BOX_OF_ARRAY)
    return load_near (self);
  values = g_malloc (self->row_bytes);

  for (gsize row = 0; row < self->bytes / self->row_bytes; row++)
    {
      memset (values, 0, self->row_bytes);
      if (find_row (self, row, &address, &first, &n))
        {
          const guint8 *from = find_memory (self, address, n, FALSE);

          if (from == NULL)
            return FALSE;
          memcpy (values + first, from, n);
          note_row (&traffic, address, n);
        }
      for (gsize piece = 0; piece < pieces; piece++)
        memcpy (
            self->warp->run->shared + place_of (self, row * pieces + piece), values + piece * PIECE, PIECE);
    }
  count (self, &traffic, FALSE);
  return TRUE;
}

void
ptx_box_fetch (const PtxBox *self, guint8 *values)
{
  for (gsize piece = 0; piece < self->bytes / PIECE; piece++)
    memcpy (values + piece * PIECE, self->warp->run->shared + place_of (self, piece), PIECE);
}

/* Combines @n bytes with those at @to. */
static void
combine (guint8 *to, const guint8 *values, gsize n, PtxAtomic operation, PtxType type)
{
  const gsize size = ptx_type_bits (type) / 8;

  for (gsize i = 0; i < n; i += size)
    ptx_store_bytes (to + i, size,
        ptx_atomic_apply (type, operation, ptx_load_bytes (to + i, size), ptx_load_bytes (values + i, size)));
}

gboolean
ptx_box_store (const PtxBox *self, const guint8 *values, PtxAtomic operation, PtxType type)
{
  Traffic traffic = { 0 };
  gsize first, n;
  guint64 address;

  for (gsize row = 0; row < self->bytes / self->row_bytes; row++)
    {
      guint8 *to;

      if (!find_row (self, row, &address, &first, &n))
        continue;
      to = find_memory (self, address, n, TRUE);
      if (to == NULL)
        return FALSE;
      if (operation != 0)
        combine (to, values + row * self->row_bytes + first, n, operation, type);
      else
        memcpy (to, values + row * self->row_bytes + first, n);
      note_row (&traffic, address, n);
    }
  count (self, &traffic, TRUE);
  return TRUE;
}
