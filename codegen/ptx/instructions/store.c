/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/box.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/instructions/store.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/warp.h"

/* @group: how many groups its thread had committed before it. @values: what it has read of shared memory, NULL until then. */
struct _PtxStore
{
  PtxBox box;
  guint group;
  guint8 *values;
};

static PtxStore *
store_at (const PtxWarp *warp, guint i)
{
  return &g_array_index (warp->stores, PtxStore, i);
}

static void
clear (gpointer data)
{
  g_free (((PtxStore *) data)->values);
}

void
ptx_stores_reset (PtxWarp *warp)
{
  if (warp->stores == NULL)
    {
      warp->stores = g_array_new (FALSE, FALSE, sizeof (PtxStore));
      g_array_set_clear_func (warp->stores, clear);
    }
  g_array_set_size (warp->stores, 0);
  memset (warp->stores_committed, 0, sizeof warp->stores_committed);
}

void
ptx_stores_free (PtxWarp *warp)
{
  g_clear_pointer (&warp->stores, g_array_unref);
}

/* --- one of them --- */

/* The asynchronous proxy reads now: others write there later, or have written and fenced that. */
static gboolean
note_read (const PtxStore *self)
{
  const PtxBox *box = &self->box;
  PtxRaces *races = box->warp->run->races;

  return races == NULL
         || ptx_races_access (races, box->warp, box->in, box->lane, box->place, box->bytes, PTX_PROXY_READ);
}

static void
fetch (PtxStore *self)
{
  if (self->values != NULL)
    return;
  self->values = g_malloc (self->box.bytes);
  ptx_box_fetch (&self->box, self->values);
}

/* Makes it as a whole, and forgets it. */
static gboolean
make (PtxWarp *warp, guint i)
{
  PtxStore *self = store_at (warp, i);
  gboolean ok;

  fetch (self);
  ok = ptx_box_store (&self->box, self->values);
  g_array_remove_index (warp->stores, i);
  return ok;
}

/* --- when --- */

gboolean
ptx_stores_draw (PtxRun *run)
{
  if (run->config->completion != HEDDLE_PTX_DRAWN)
    return TRUE;
  for (guint w = 0; w < run->n_warps; w++)
    for (guint i = 0; i < run->warps[w].stores->len; i++)
      if (ptx_random (run) % 4 == 0)
        fetch (store_at (&run->warps[w], i));
  return TRUE;
}

gboolean
ptx_stores_check (PtxRun *run)
{
  for (guint w = 0; w < run->n_warps; w++)
    while (run->warps[w].stores->len > 0)
      {
        const PtxStore *self = store_at (&run->warps[w], 0);

        if (self->values == NULL)
          {
            ptx_fail (self->box.warp, self->box.in, self->box.lane, HEDDLE_PTX_ERROR_RACE,
                _ ("the block has ended while it may still read shared memory"));
            return FALSE;
          }
        if (!make (&run->warps[w], 0))
          return FALSE;
      }
  return TRUE;
}

/* --- instructions --- */

static gboolean
begin (PtxBox *box, guint from)
{
  PtxWarp *warp = box->warp;
  PtxStore store = { .group = warp->stores_committed[box->lane] };
  const guint64 address
      = ptx_source (warp, box->in, from)[box->lane] + (guint64) box->in->operands[from].offset;

  if (!ptx_box_put (box, address))
    return FALSE;
  store.box = *box;
  if (!note_read (&store))
    return FALSE;
  warp->run->stats.asynchronous_copies++;
  g_array_append_val (warp->stores, store);
  return warp->run->config->completion != HEDDLE_PTX_EARLY
         || (fetch (store_at (warp, warp->stores->len - 1)), TRUE);
}

static PtxStatus
store_box (PtxWarp *warp, const PtxInstruction *in)
{
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  if (!ptx_box_read (&box, warp, in, l, 0) || !begin (&box, 1))
    return PTX_FAILED;
  return PTX_NEXT;
}

static PtxStatus
store_bytes (PtxWarp *warp, const PtxInstruction *in)
{
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  {
    const guint64 to = ptx_source (warp, in, 0)[l] + (guint64) in->operands[0].offset;

    if (!ptx_box_read_bytes (&box, warp, in, l, to, ptx_source (warp, in, 2)[l]) || !begin (&box, 1))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

static PtxStatus
commit (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  warp->stores_committed[l]++;
  return PTX_NEXT;
}

/* All but the last @left groups of lane @lane have been read, or are made. */
static gboolean
finish (PtxWarp *warp, guint lane, guint64 left, gboolean only_read)
{
  const guint committed = warp->stores_committed[lane];

  for (guint i = 0; i < warp->stores->len;)
    {
      PtxStore *self = store_at (warp, i);
      gboolean waits = self->box.lane == lane && self->group + left < committed;

      if (waits && !note_read (self))
        return FALSE;
      if (waits && only_read)
        fetch (self);
      else if (waits && !make (warp, i))
        return FALSE;
      i += !waits || only_read;
    }
  return TRUE;
}

static PtxStatus
wait_for_groups (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  if (!finish (warp, l, ptx_source (warp, in, 0)[l], in->modifier[PTX_READ_ONLY] != 0))
    return PTX_FAILED;
  return PTX_NEXT;
}

#define CACHE PTX_M (CACHE)
#define GROUP PTX_M (GROUP)

/* The last operand may be a policy of caches. */
#define STORE(rank)                                                                                          \
  {                                                                                                          \
    "cp.async.bulk.tensor." rank ".global.shared::cta", CACHE | PTX_M (TILE), GROUP, 0, 0, "Cm/Cmq",         \
        store_box, PTX_UNDEFINED_FAILS                                                                       \
  }

const PtxRow ptx_rows_store[] = {
  STORE ("1d"),
  STORE ("2d"),
  STORE ("3d"),
  STORE ("4d"),
  STORE ("5d"),
  { "cp.async.bulk.global.shared::cta", CACHE, GROUP, 0, 0, "mmu/mmuq", store_bytes, PTX_UNDEFINED_FAILS },
  { "cp.async.bulk.commit_group", 0, 0, 0, 0, "", commit },
  { "cp.async.bulk.wait_group", PTX_M (READ_ONLY), 0, 0, 0, "u", wait_for_groups, PTX_UNDEFINED_FAILS },
  { NULL },
};
