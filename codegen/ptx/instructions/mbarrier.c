/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/instructions/bulk.h"
#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/instructions/mbarrier.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/warp.h"

#define OBJECT_BYTES 8
/* The largest count of arrivals, and of bytes under way. */
#define MOST_ARRIVALS ((1 << 20) - 1)
#define MOST_BYTES ((1 << 20) - 1)

/* The mark that the eight bytes hold, so that a write over them is noticed: their real contents are not
 * specified. */
#define MARK G_GUINT64_CONSTANT (0x7265697272616221)

static guint64
address_of (const PtxWarp *warp, const PtxInstruction *in, guint operand, guint lane)
{
  guint64 address = ptx_source (warp, in, operand)[lane] + (guint64) in->operands[operand].offset;
  if (in->modifier[PTX_SPACE] == 0)
    ptx_space_of (&address);
  return address;
}

/* Returns the number of the barrier at @address of shared memory, as @warp sees it; -1 if there is none. */
static int
find_at (const PtxWarp *warp, guint64 address)
{
  const PtxRun *run = warp->run;
  const PtxBlock *block = ptx_cluster_block (warp, &address);
  const guint64 offset = block != NULL ? block->base + address : G_MAXUINT64;

  for (guint i = 0; i < run->mbarriers->len; i++)
    if (ptx_mbarrier_at (run, i)->offset == offset)
      return (int) i;
  return -1;
}

int
ptx_mbarrier_find (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, PtxAccess access)
{
  const guint8 *bytes = ptx_resolve (warp, in, PTX_SHARED, lane, address, OBJECT_BYTES, access);
  int barrier = bytes != NULL ? find_at (warp, address) : -1;
  if (bytes == NULL)
    return -1;
  if (barrier < 0)
    ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_UNDEFINED,
        _ ("no mbarrier was initialised at byte %" PRIu64 " of shared memory"), address);
  else if (ptx_load_bytes (bytes, OBJECT_BYTES) != MARK)
    {
      ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS,
          _ ("the mbarrier at byte %" PRIu64 " of shared memory was written over"), address);
      barrier = -1;
    }
  return barrier;
}

/* --- making --- */

static gboolean
make (PtxWarp *warp, const PtxInstruction *in, guint lane)
{
  PtxRun *run = warp->run;
  guint64 address = address_of (warp, in, 0, lane), count = ptx_source (warp, in, 1)[lane];
  guint8 *bytes = ptx_resolve (warp, in, PTX_SHARED, lane, address, OBJECT_BYTES, PTX_WRITE);
  PtxMbarrier barrier
      = { .offset = warp->block->base + address, .expected = (guint) count, .pending = (guint) count };
  if (bytes == NULL)
    return FALSE;
  if (count == 0 || count > MOST_ARRIVALS || find_at (warp, address) >= 0
      || run->mbarriers->len == PTX_MOST_MBARRIERS)
    {
      ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_TRAP,
          count == 0 || count > MOST_ARRIVALS ? _ ("an mbarrier for a count of arrivals that it cannot have")
          : find_at (warp, address) >= 0      ? _ ("there is an mbarrier already")
                                              : _ ("more mbarriers than can be tracked"));
      return FALSE;
    }
  ptx_store_bytes (bytes, OBJECT_BYTES, MARK);
  g_array_append_val (run->mbarriers, barrier);
  return TRUE;
}

static PtxStatus
initialise (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  if (!make (warp, in, l))
    return PTX_FAILED;
  return PTX_NEXT;
}

/* Executes the fence after which other blocks of a cluster see that there is a barrier; within a block a
 * barrier of the block, or the order of one thread, does that. */
static PtxStatus
fence_initialised (PtxWarp *warp, const PtxInstruction *in)
{
  ptx_cluster_publish (warp);
  return PTX_NEXT;
}

/* Invalidates a barrier: its bytes are free again for anything; its copies keep their clock. */
static PtxStatus
invalidate (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  {
    int i = ptx_mbarrier_find (warp, in, l, address_of (warp, in, 0, l), PTX_WRITE);

    if (i < 0)
      return PTX_FAILED;
    ptx_mbarrier_at (warp->run, (guint) i)->offset = G_MAXSIZE;
  }
  return PTX_NEXT;
}

/* --- phases --- */

static void
wake (PtxRun *run, guint barrier)
{
  for (guint w = 0; w < run->n_warps; w++)
    for (guint l = 0; l < PTX_LANES; l++)
      if ((run->warps[w].polling >> l & 1) != 0 && run->warps[w].polled[l] == barrier)
        run->warps[w].polling &= ~(1u << l);
}

/* Checks, when a phase is about to be over, that all its copies are made. */
static gboolean
check_copies (PtxRun *run, guint barrier)
{
  for (guint i = 0; i < run->bulks->len; i++)
    {
      const PtxBulk *self = &g_array_index (run->bulks, PtxBulk, i);

      if (self->barrier != barrier || self->phase != ptx_mbarrier_at (run, barrier)->phase)
        continue;
      ptx_fail (self->box.warp, self->box.in, self->box.lane, HEDDLE_PTX_ERROR_RACE,
          _ ("the phase of its mbarrier is over while it is under way: fewer bytes were expected than are "
             "copied"));
      return FALSE;
    }
  return TRUE;
}

gboolean
ptx_mbarrier_settle (PtxRun *run, guint i)
{
  PtxMbarrier *barrier = ptx_mbarrier_at (run, i);
  if (barrier->pending > 0 || barrier->bytes != 0)
    return TRUE;
  if (!check_copies (run, i))
    return FALSE;
  barrier->phase++;
  barrier->pending = barrier->expected;
  barrier->arriving.clocks[ptx_mbarrier_clock (run, i)] = barrier->phase;
  ptx_knowledge_join (run, &barrier->seen, &barrier->arriving);
  wake (run, i);
  run->stats.barriers++;
  return TRUE;
}

static gboolean
announce (PtxWarp *warp, const PtxInstruction *in, guint lane, PtxMbarrier *barrier, guint64 bytes)
{
  barrier->bytes += (gint64) bytes;
  if (barrier->bytes <= MOST_BYTES)
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_TRAP,
      _ ("%" PRIi64 " bytes are to come at one mbarrier, more than it counts"), barrier->bytes);
  return FALSE;
}

/* Lets one lane arrive @count times, and announces bytes. The result is the phase, which nobody may look
 * into. */
static gboolean
arrive_once (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 count, guint64 bytes)
{
  guint64 address = address_of (warp, in, 1, lane);
  int i = ptx_mbarrier_find (warp, in, lane, address, PTX_READ);
  PtxMbarrier *barrier = i >= 0 ? ptx_mbarrier_at (warp->run, (guint) i) : NULL;
  if (barrier == NULL || !announce (warp, in, lane, barrier, bytes))
    return FALSE;
  if (count == 0 || count > barrier->pending)
    {
      ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_TRAP,
          _ ("more arrive at the mbarrier at byte %" PRIu64 " than the %u that one of its phases expects"),
          address, barrier->expected);
      return FALSE;
    }
  ptx_result (warp, in)[lane] = barrier->phase;
  ptx_knowledge_join (warp->run, &barrier->arriving, &warp->known);
  barrier->pending -= (guint) count;
  return ptx_mbarrier_settle (warp->run, (guint) i);
}

static PtxStatus
arrive_all (PtxWarp *warp, const PtxInstruction *in, gboolean announces)
{
  PTX_FOR_LANES (warp, l)
  {
    guint64 value = in->n_operands > 2 ? ptx_source (warp, in, 2)[l] : 1;
    if (!arrive_once (warp, in, l, announces ? 1 : value, announces ? value : 0))
      return PTX_FAILED;
  }
  ptx_warp_advance (warp);
  return PTX_NEXT;
}

static PtxStatus
arrive (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive_all (warp, in, FALSE);
}

static PtxStatus
arrive_announcing (PtxWarp *warp, const PtxInstruction *in)
{
  return arrive_all (warp, in, TRUE);
}

static PtxStatus
only_announce (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  {
    int i = ptx_mbarrier_find (warp, in, l, address_of (warp, in, 0, l), PTX_READ);
    if (i < 0 || !announce (warp, in, l, ptx_mbarrier_at (warp->run, (guint) i), ptx_source (warp, in, 1)[l]))
      return PTX_FAILED;
  }
  return PTX_NEXT;
}

/* --- waiting --- */

/* Returns whether a phase is over: the one of that parity, or the one that an arrival returned. */
static gboolean
is_over (const PtxInstruction *in, const PtxMbarrier *barrier, guint64 value)
{
  return in->modifier[PTX_PARITY] != 0 ? (barrier->phase & 1) != value : barrier->phase != (guint32) value;
}

/* Returns whether an attempt fails though it would succeed a moment later: every other one does, or by lot;
 * the next one lasts until the phase is over. */
static gboolean
gives_up (PtxWarp *warp)
{
  if (warp->run->config->completion == HEDDLE_PTX_EARLY)
    return FALSE;
  warp->gave_up
      = warp->run->config->completion == HEDDLE_PTX_DRAWN ? ptx_random (warp->run) % 2 == 0 : !warp->gave_up;
  return warp->gave_up;
}

/* Tests which phases are over; @over: whether any is, for the current lanes. */
static gboolean
test_phases (PtxWarp *warp, const PtxInstruction *in, gboolean *over)
{
  guint64 *result = ptx_result (warp, in);

  *over = FALSE;
  PTX_FOR_LANES (warp, l)
  {
    int i = ptx_mbarrier_find (warp, in, l, address_of (warp, in, 1, l), PTX_READ);
    const guint64 value = ptx_source (warp, in, 2)[l];

    if (i < 0)
      return FALSE;
    if (in->modifier[PTX_PARITY] != 0 && value > 1)
      {
        ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_TRAP, _ ("a parity that is neither 0 nor 1"));
        return FALSE;
      }
    warp->polled[l] = (guint8) i;
    result[l] = is_over (in, ptx_mbarrier_at (warp->run, (guint) i), value);
    *over |= result[l] != 0;
  }
  return TRUE;
}

/* Records that whoever sees that a phase is over knows what was done before. */
static PtxStatus
learn (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *result = ptx_result (warp, in);

  PTX_FOR_LANES (warp, l)
  if (result[l] != 0)
    ptx_knowledge_join (warp->run, &warp->known, &ptx_mbarrier_at (warp->run, warp->polled[l])->seen);
  return PTX_NEXT;
}

static PtxStatus
test_wait (PtxWarp *warp, const PtxInstruction *in)
{
  gboolean over;

  return test_phases (warp, in, &over) ? learn (warp, in) : PTX_FAILED;
}

static PtxStatus
try_wait (PtxWarp *warp, const PtxInstruction *in)
{
  gboolean over;

  if (!test_phases (warp, in, &over))
    return PTX_FAILED;
  if (!over && !gives_up (warp))
    {
      ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
      ptx_warp_move (warp, warp->mask, warp->pc);
      warp->polling |= warp->mask;
      return PTX_JUMPED;
    }
  return learn (warp, in);
}

char *
ptx_mbarrier_describe (const PtxRun *run, guint i)
{
  const PtxMbarrier *barrier = ptx_mbarrier_at (run, i);
  return g_strdup_printf (
      _ ("it waits for the mbarrier at byte %zu of shared memory, where %u of %u arrivals "
         "and %" PRIi64 " bytes are missing in phase %u"),
      barrier->offset % run->shared_stride, barrier->pending, barrier->expected, barrier->bytes,
      barrier->phase);
}

#define SPACE PTX_M (SPACE)
#define WHERE (PTX_M (SPACE) | PTX_M (ORDER) | PTX_M (SCOPE))
#define PARITY PTX_M (PARITY)
#define B64 PTX_T (B64)

const PtxRow ptx_rows_mbarrier[] = {
  { "mbarrier.init", SPACE, 0, B64, 0, "mu", initialise, PTX_UNDEFINED_FAILS },
  { "mbarrier.arrive", WHERE, 0, B64, 0, "dm/dmu", arrive, PTX_UNDEFINED_FAILS },
  { "mbarrier.arrive.expect_tx", WHERE, 0, B64, 0, "dmu", arrive_announcing, PTX_UNDEFINED_FAILS },
  { "mbarrier.expect_tx", WHERE, 0, B64, 0, "mu", only_announce, PTX_UNDEFINED_FAILS },
  { "mbarrier.try_wait", WHERE, PARITY, B64, 0, "Pmu/Pmuu", try_wait, PTX_UNDEFINED_FAILS },
  { "mbarrier.try_wait", WHERE, 0, B64, 0, "Pmq/Pmqu", try_wait, PTX_UNDEFINED_FAILS },
  { "mbarrier.test_wait", WHERE, PARITY, B64, 0, "Pmu", test_wait, PTX_UNDEFINED_FAILS },
  { "mbarrier.test_wait", WHERE, 0, B64, 0, "Pmq", test_wait, PTX_UNDEFINED_FAILS },
  { "mbarrier.inval", SPACE, 0, B64, 0, "m", invalidate, PTX_UNDEFINED_FAILS },
  { "fence.mbarrier_init.release.cluster", 0, 0, 0, 0, "", fence_initialised },
  { NULL },
};
