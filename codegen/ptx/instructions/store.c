/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/box.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/instructions/atomic.h"
#include "codegen/ptx/instructions/store.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/warp.h"

/* A store. @group: how many groups its thread had committed before it. @operation: what it does to what is
 * there, with elements of type @type; 0 if it overwrites. @values: what it has read of shared memory, NULL
 * until then. */
struct _PtxStore
{
  PtxBox box;
  guint group;
  PtxAtomic operation;
  PtxType type;
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

/* Records the read of the asynchronous proxy: others write there later, or have written and fenced that. */
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
  ok = ptx_box_store (&self->box, self->values, self->operation, self->type);
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

/* Begins a store. @type is that of the elements if the instruction combines them with what is there. */
static gboolean
begin (PtxBox *box, guint from, PtxType type)
{
  PtxWarp *warp = box->warp;
  PtxStore store = {
    .group = warp->stores_committed[box->lane], .operation = ptx_atomic_operation (box->in), .type = type
  };
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
  if (!ptx_box_read (&box, warp, in, l, 0) || !begin (&box, 1, PTX_NONE))
    return PTX_FAILED;
  return PTX_NEXT;
}

/* Returns the type of elements for a sum or for other operations, by the driver's numbers of what a tensor
 * map holds. */
static PtxType
type_of_map (const HeddlePtxTensorMap *map, const PtxInstruction *in)
{
  static const PtxType sums[]
      = { [2] = PTX_U32, [3] = PTX_S32, [4] = PTX_U64, [6] = PTX_F16, [7] = PTX_F32, [9] = PTX_BF16 },
      extremes[] = { [2] = PTX_U32, [3] = PTX_S32, [4] = PTX_U64, [5] = PTX_S64 },
      bits[] = { [2] = PTX_B32, [3] = PTX_B32, [4] = PTX_B64, [5] = PTX_B64 };
  const guint type = map->type;

  if (in->modifier[PTX_SUM] != 0)
    return type < G_N_ELEMENTS (sums) ? sums[type] : PTX_NONE;
  if (in->modifier[PTX_EXTREME] != 0)
    return type < G_N_ELEMENTS (extremes) ? extremes[type] : PTX_NONE;
  if (in->modifier[PTX_COUNT] != 0)
    return type == 2 ? PTX_U32 : PTX_NONE;
  return type < G_N_ELEMENTS (bits) ? bits[type] : PTX_NONE;
}

static PtxStatus
reduce_box (PtxWarp *warp, const PtxInstruction *in)
{
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  {
    PtxType type;

    if (!ptx_box_read (&box, warp, in, l, 0))
      return PTX_FAILED;
    type = type_of_map (&box.map, in);
    if (type == PTX_NONE || ptx_type_bits (type) != 8 * box.map.element_bytes)
      return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_UNKNOWN,
          _ ("elements of type %u of a tensor map, which are not combined so here"), box.map.type);
    if (!begin (&box, 1, type))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

static PtxStatus
store_bytes (PtxWarp *warp, const PtxInstruction *in)
{
  PtxBox box;

  PTX_FOR_LANES (warp, l)
  {
    const guint64 to = ptx_source (warp, in, 0)[l] + (guint64) in->operands[0].offset;

    if (!ptx_box_read_bytes (&box, warp, in, l, to, ptx_source (warp, in, 2)[l])
        || !begin (&box, 1, in->type))
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

/* Makes all but the last @left groups of lane @lane, or reads them if @only_read is set. */
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

#define REDUCE(rank, operation)                                                                              \
  {                                                                                                          \
    "cp.reduce.async.bulk.tensor." rank ".global.shared::cta", CACHE | PTX_M (TILE),                         \
        GROUP | PTX_M (operation), 0, 0, "Cm/Cmq", reduce_box, PTX_UNDEFINED_FAILS                           \
  }
#define REDUCTIONS(rank)                                                                                     \
  REDUCE (rank, SUM), REDUCE (rank, EXTREME), REDUCE (rank, COUNT), REDUCE (rank, LOGIC)
#define REDUCE_BYTES(operation, modifiers, types)                                                            \
  {                                                                                                          \
    "cp.reduce.async.bulk.global.shared::cta", CACHE | (modifiers), GROUP | PTX_M (operation), types, 0,     \
        "mmu/mmuq", store_bytes, PTX_UNDEFINED_FAILS                                                         \
  }
#define INTEGERS (PTX_T (U32) | PTX_T (S32) | PTX_T (U64))

const PtxRow ptx_rows_store[] = {
  STORE ("1d"),
  STORE ("2d"),
  STORE ("3d"),
  STORE ("4d"),
  STORE ("5d"),
  { "cp.async.bulk.global.shared::cta", CACHE, GROUP, 0, 0, "mmu/mmuq", store_bytes, PTX_UNDEFINED_FAILS },
  REDUCTIONS ("1d"),
  REDUCTIONS ("2d"),
  REDUCTIONS ("3d"),
  REDUCTIONS ("4d"),
  REDUCTIONS ("5d"),
  REDUCE_BYTES (SUM, 0, INTEGERS | PTX_T (F32) | PTX_T (F64)),
  REDUCE_BYTES (SUM, PTX_M (NOFTZ), PTX_T (F16) | PTX_T (BF16)),
  REDUCE_BYTES (EXTREME, 0, INTEGERS | PTX_T (S64)),
  REDUCE_BYTES (COUNT, 0, PTX_T (U32)),
  REDUCE_BYTES (LOGIC, 0, PTX_T (B32) | PTX_T (B64)),
  { "cp.async.bulk.commit_group", 0, 0, 0, 0, "", commit },
  { "cp.async.bulk.wait_group", PTX_M (READ_ONLY), 0, 0, 0, "u", wait_for_groups, PTX_UNDEFINED_FAILS },
  { NULL },
};
