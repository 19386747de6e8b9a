/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/instructions/async.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/traffic.h"
#include "codegen/ptx/warp.h"

/* Asynchronous copies from global to shared memory. A thread gathers copies in groups; one that it waits for
 * has been made, one that it does not wait for may have been made at any moment since. When, the launch
 * decides. */

/* A copy; @group is the number of groups that its thread had committed before it. */
struct _PtxCopy
{
  const PtxInstruction *in;
  const guint8 *from;
  guint8 *to;
  gsize offset;
  guint group;
  guint8 lane;
  guint8 size;
  guint8 read;
  gboolean made;
};

static void
make (PtxCopy *copy)
{
  if (copy->made)
    return;
  memset (copy->to, 0, copy->size);
  memcpy (copy->to, copy->from, copy->read);
  copy->made = TRUE;
}

/* Makes, where completion is drawn by lot, some of the copies under way now. */
static void
draw (PtxWarp *warp)
{
  for (guint i = 0; warp->run->config->completion == HEDDLE_PTX_DRAWN && i < warp->copies->len; i++)
    if (ptx_random (warp->run) % 4 == 0)
      make (&g_array_index (warp->copies, PtxCopy, i));
}

/* Copies of @size bytes each of which @read come from memory and the rest are zero. */
static gboolean
issue (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 size, guint64 read)
{
  static const guint8 nothing[16];
  guint64 to = ptx_source (warp, in, 0)[lane] + (guint64) in->operands[0].offset;
  guint64 from = ptx_source (warp, in, 1)[lane] + (guint64) in->operands[1].offset;
  PtxCopy copy = { .in = in,
    .from = nothing,
    .offset = to,
    .group = warp->committed[lane],
    .lane = (guint8) lane,
    .size = (guint8) size,
    .read = (guint8) read };

  copy.to = ptx_resolve (warp, in, PTX_SHARED, lane, to, size, PTX_ASYNC_ACCESS);
  if (copy.to == NULL)
    return FALSE;
  if (from % size != 0)
    {
      ptx_fail (
          warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("its source is not aligned to the size of the copy"));
      return FALSE;
    }
  /* what lies behind the bytes to read need not be memory */
  if (read > 0
      && ((copy.from = ptx_resolve (warp, in, PTX_GLOBAL, lane, from, 1, PTX_READ)) == NULL
          || ptx_resolve (warp, in, PTX_GLOBAL, lane, from + read - 1, 1, PTX_READ) == NULL))
    return FALSE;
  g_array_append_val (warp->copies, copy);
  if (warp->run->config->completion == HEDDLE_PTX_EARLY)
    make (&g_array_index (warp->copies, PtxCopy, warp->copies->len - 1));
  return TRUE;
}

static PtxStatus
copy_asynchronously (PtxWarp *warp, const PtxInstruction *in)
{
  const gboolean cut = in->n_operands > 3;
  PtxTraffic read = { 0 }, written = { 0 };
  PTX_FOR_LANES (warp, l)
  {
    guint64 size = ptx_source (warp, in, 2)[l], bytes = cut ? ptx_source (warp, in, 3)[l] : size;
    if ((size != 4 && size != 8 && size != 16) || bytes > size)
      return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_TRAP,
          _ ("a copy of %u bytes of which %u are read: 4, 8 or 16 can be copied"), (guint) size,
          (guint) bytes);
    if (!issue (warp, in, l, size, bytes))
      return PTX_FAILED;
    read.size = written.size = size;
    written.shared[written.n_shared++] = ptx_source (warp, in, 0)[l] + (guint64) in->operands[0].offset;
    if (bytes > 0)
      read.global[read.n_global++] = ptx_source (warp, in, 1)[l] + (guint64) in->operands[1].offset;
  }
  ptx_traffic_count (&read, &warp->run->stats);
  ptx_traffic_count (&written, &warp->run->stats);
  warp->run->stats.asynchronous_copies += (guint) __builtin_popcount (warp->mask);
  draw (warp);
  return PTX_NEXT;
}

static PtxStatus
commit (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  warp->committed[l]++;
  draw (warp);
  return PTX_NEXT;
}

/* Waits for the copies of lane @lane in groups before @limit: warps that meet this one at a barrier then see
 * them. */
static void
finish (PtxWarp *warp, guint lane, guint limit)
{
  guint kept = 0;
  for (guint i = 0; i < warp->copies->len; i++)
    {
      PtxCopy *copy = &g_array_index (warp->copies, PtxCopy, i);
      if (copy->lane == lane && copy->group < limit)
        {
          make (copy);
          if (warp->run->races != NULL)
            ptx_races_complete (warp->run->races, warp, copy->in, copy->offset, copy->size);
        }
      else
        g_array_index (warp->copies, PtxCopy, kept++) = *copy;
    }
  g_array_set_size (warp->copies, kept);
}

static PtxStatus
wait_for_groups (PtxWarp *warp, const PtxInstruction *in)
{
  draw (warp);
  PTX_FOR_LANES (warp, l)
  {
    guint64 left = ptx_source (warp, in, 0)[l];
    finish (warp, l, warp->committed[l] > left ? warp->committed[l] - (guint) left : 0);
  }
  return PTX_NEXT;
}

static PtxStatus
wait_for_everything (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  finish (warp, l, G_MAXUINT);
  return PTX_NEXT;
}

/* Resets the copies for a new block: none is under way. */
void
ptx_copies_reset (PtxWarp *warp)
{
  if (warp->copies == NULL)
    warp->copies = g_array_new (FALSE, FALSE, sizeof (PtxCopy));
  g_array_set_size (warp->copies, 0);
  memset (warp->committed, 0, sizeof warp->committed);
}

#define CACHE PTX_M (CACHE)

const PtxRow ptx_rows_async[] = {
  { "cp.async.ca.shared.global", CACHE, 0, 0, 0, "mmu/mmuu", copy_asynchronously, PTX_UNDEFINED_FAILS },
  { "cp.async.cg.shared.global", CACHE, 0, 0, 0, "mmu/mmuu", copy_asynchronously, PTX_UNDEFINED_FAILS },
  { "cp.async.commit_group", 0, 0, 0, 0, "", commit },
  { "cp.async.wait_group", 0, 0, 0, 0, "u", wait_for_groups, PTX_UNDEFINED_FAILS },
  { "cp.async.wait_all", 0, 0, 0, 0, "", wait_for_everything },
  { NULL },
};
