/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* Instructions among the lanes of a warp. Each names the lanes that take part; they first come together. */

/* Gathers the lanes named by operand @place of the current lanes, which must agree and name themselves.
 * Returns FALSE with @status if the instruction cannot go on yet, or not at all. */
static gboolean
gather (PtxWarp *warp, const PtxInstruction *in, guint place, PtxStatus *status)
{
  const guint64 *mask = ptx_source (warp, in, place);
  guint32 wanted = 0;
  *status = PTX_FAILED;
  PTX_FOR_LANES (warp, l)
  {
    if ((mask[l] >> l & 1) == 0)
      {
        ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_TRAP, _ ("its mask of lanes leaves out the lane itself"));
        return FALSE;
      }
    wanted |= (guint32) mask[l];
  }
  *status = PTX_JUMPED;
  return ptx_warp_gather (warp, wanted);
}

typedef enum
{
  UP,
  DOWN,
  BUTTERFLY,
  INDEX,
} Shuffle;

/* Finds the lane that @lane reads, and returns whether it lies inside the segment; if not, the lane reads
 * itself. */
static gboolean
source_lane (Shuffle shuffle, gint lane, guint64 b, guint64 c, gint *source)
{
  gint by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  gint least = lane & segment, most = least | (clamp & ~segment);
  gboolean inside = FALSE;
  switch (shuffle)
    {
    case UP:
      *source = lane - by;
      inside = *source >= most;
      break;
    case DOWN:
      *source = lane + by;
      inside = *source <= most;
      break;
    case BUTTERFLY:
      *source = lane ^ by;
      inside = *source <= most;
      break;
    case INDEX:
      *source = least | (by & ~segment);
      inside = *source <= most;
      break;
    }
  if (!inside)
    *source = lane;
  return inside;
}

static PtxStatus
exchange (PtxWarp *warp, const PtxInstruction *in, Shuffle shuffle)
{
  PtxStatus status;
  if (!gather (warp, in, 4, &status))
    return status;
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2), *c = ptx_source (warp, in, 3);
  const guint32 known = ptx_defined (warp, in->operands[1].slot) & warp->mask;
  const guint32 second = in->operands[0].second;
  guint64 values[PTX_LANES], *d = ptx_result (warp, in);
  guint32 defined = 0;
  PTX_FOR_LANES (warp, l)
  values[l] = a[l];
  PTX_FOR_LANES (warp, l)
  {
    gint source;
    gboolean inside = source_lane (shuffle, (gint) l, b[l], c[l], &source);
    /* What a lane gets from one that does not take part is not defined. */
    gboolean there = (known >> source & 1) != 0;
    d[l] = (warp->mask >> source & 1) != 0 ? values[source] : 0;
    defined |= (guint32) there << l;
    if (second != PTX_NO_SLOT)
      ptx_register (warp, second)[l] = (guint64) inside;
  }
  ptx_set_defined (warp, in->operands[0].slot, defined);
  if (second != PTX_NO_SLOT)
    ptx_set_defined (warp, second, warp->mask);
  return PTX_NEXT;
}

#define SHUFFLE(name, kind)                                                                                  \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    return exchange (warp, in, kind);                                                                        \
  }

SHUFFLE (shuffle_up, UP)
SHUFFLE (shuffle_down, DOWN)
SHUFFLE (shuffle_butterfly, BUTTERFLY)
SHUFFLE (shuffle_index, INDEX)

/* Returns the lanes that take part and whose predicate is true. */
static guint32
true_lanes (const PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *p = ptx_source (warp, in, 1);
  guint32 lanes = 0;
  PTX_FOR_LANES (warp, l)
  lanes |= (guint32) ((p[l] != 0) != in->operands[1].negate) << l;
  return lanes;
}

#define VOTE(name, expression)                                                                               \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    PtxStatus status;                                                                                        \
    if (!gather (warp, in, 2, &status))                                                                      \
      return status;                                                                                         \
    const guint32 lanes = true_lanes (warp, in);                                                             \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    d[l] = (expression);                                                                                     \
    return PTX_NEXT;                                                                                         \
  }

VOTE (vote_ballot, lanes)
VOTE (vote_any, lanes != 0)
VOTE (vote_all, lanes == warp->mask)
VOTE (vote_uniform, lanes == 0 || lanes == warp->mask)

static PtxStatus
active_mask (PtxWarp *warp, const PtxInstruction *in)
{
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = warp->mask;
  return PTX_NEXT;
}

/* Finds the lanes that hold the same value. */
static PtxStatus
match_any (PtxWarp *warp, const PtxInstruction *in)
{
  PtxStatus status;
  if (!gather (warp, in, 2, &status))
    return status;
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in), result[PTX_LANES];
  PTX_FOR_LANES (warp, l)
  {
    result[l] = 0;
    for (guint k = 0; k < PTX_LANES; k++)
      result[l] |= (guint64) ((warp->mask >> k & 1) != 0 && a[k] == a[l]) << k;
  }
  PTX_FOR_LANES (warp, l)
  d[l] = result[l];
  return PTX_NEXT;
}

static PtxStatus
match_all (PtxWarp *warp, const PtxInstruction *in)
{
  PtxStatus status;
  if (!gather (warp, in, 2, &status))
    return status;
  const guint64 *a = ptx_source (warp, in, 1);
  const guint64 first = a[__builtin_ctz (warp->mask)];
  const guint32 second = in->operands[0].second;
  guint64 *d = ptx_result (warp, in);
  gboolean all = TRUE;
  PTX_FOR_LANES (warp, l)
  all = all && a[l] == first;
  PTX_FOR_LANES (warp, l)
  {
    d[l] = all ? warp->mask : 0;
    if (second != PTX_NO_SLOT)
      ptx_register (warp, second)[l] = (guint64) all;
  }
  return PTX_NEXT;
}

/* One value from those of all lanes. */
#define REDUCTION(name, start, expression)                                                                   \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    PtxStatus status;                                                                                        \
    if (!gather (warp, in, 2, &status))                                                                      \
      return status;                                                                                         \
    const guint64 *a = ptx_source (warp, in, 1);                                                             \
    guint64 *d = ptx_result (warp, in), y = (start);                                                         \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l];                                                                                \
      y = (expression);                                                                                      \
    }                                                                                                        \
    PTX_FOR_LANES (warp, l)                                                                                  \
    d[l] = ptx_cut (y, 32);                                                                                  \
    return PTX_NEXT;                                                                                         \
  }

REDUCTION (reduce_add, 0, x + y)
REDUCTION (reduce_and, G_MAXUINT32, (x & y))
REDUCTION (reduce_or, 0, x | y)
REDUCTION (reduce_xor, 0, x ^ y)
REDUCTION (reduce_min_unsigned, G_MAXUINT32, MIN (x, y))
REDUCTION (reduce_max_unsigned, 0, MAX (x, y))
REDUCTION (reduce_min_signed, G_MAXINT32, (gint32) x < (gint32) y ? x : y)
REDUCTION (reduce_max_signed, (guint32) G_MININT32, (gint32) x > (gint32) y ? x : y)

static PtxStatus
synchronise (PtxWarp *warp, const PtxInstruction *in)
{
  PtxStatus status;
  return gather (warp, in, 0, &status) ? PTX_NEXT : status;
}

/* Elects one lane of those that take part: the first. */
static PtxStatus
elect (PtxWarp *warp, const PtxInstruction *in)
{
  PtxStatus status;
  if (!gather (warp, in, 1, &status))
    return status;
  const guint first = (guint) __builtin_ctz (warp->mask);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    d[l] = first;
    if (in->operands[0].second != PTX_NO_SLOT)
      ptx_register (warp, in->operands[0].second)[l] = (guint64) (l == first);
  }
  return PTX_NEXT;
}

#define B32 PTX_T (B32)
#define WIDE (PTX_T (B32) | PTX_T (B64))
#define U32 PTX_T (U32)
#define S32 PTX_T (S32)

const PtxRow ptx_rows_lanes[] = {
  { "shfl.sync.up", 0, 0, B32, 0, "eauuu", shuffle_up, PTX_UNDEFINED_CUSTOM },
  { "shfl.sync.down", 0, 0, B32, 0, "eauuu", shuffle_down, PTX_UNDEFINED_CUSTOM },
  { "shfl.sync.bfly", 0, 0, B32, 0, "eauuu", shuffle_butterfly, PTX_UNDEFINED_CUSTOM },
  { "shfl.sync.idx", 0, 0, B32, 0, "eauuu", shuffle_index, PTX_UNDEFINED_CUSTOM },
  { "vote.sync.ballot", 0, 0, B32, 0, "dpu", vote_ballot, PTX_UNDEFINED_FAILS },
  { "vote.sync.any", 0, 0, PTX_T (PRED), 0, "Ppu", vote_any, PTX_UNDEFINED_FAILS },
  { "vote.sync.all", 0, 0, PTX_T (PRED), 0, "Ppu", vote_all, PTX_UNDEFINED_FAILS },
  { "vote.sync.uni", 0, 0, PTX_T (PRED), 0, "Ppu", vote_uniform, PTX_UNDEFINED_FAILS },
  { "activemask", 0, 0, B32, 0, "d", active_mask },
  { "match.any.sync", 0, 0, WIDE, 0, "Uau", match_any, PTX_UNDEFINED_FAILS },
  { "match.all.sync", 0, 0, WIDE, 0, "eau", match_all, PTX_UNDEFINED_FAILS },
  { "redux.sync.add", 0, 0, U32 | S32, 0, "dau", reduce_add, PTX_UNDEFINED_FAILS },
  { "redux.sync.and", 0, 0, B32, 0, "dau", reduce_and, PTX_UNDEFINED_FAILS },
  { "redux.sync.or", 0, 0, B32, 0, "dau", reduce_or, PTX_UNDEFINED_FAILS },
  { "redux.sync.xor", 0, 0, B32, 0, "dau", reduce_xor, PTX_UNDEFINED_FAILS },
  { "redux.sync.min", 0, 0, U32, 0, "dau", reduce_min_unsigned, PTX_UNDEFINED_FAILS },
  { "redux.sync.min", 0, 0, S32, 0, "dau", reduce_min_signed, PTX_UNDEFINED_FAILS },
  { "redux.sync.max", 0, 0, U32, 0, "dau", reduce_max_unsigned, PTX_UNDEFINED_FAILS },
  { "redux.sync.max", 0, 0, S32, 0, "dau", reduce_max_signed, PTX_UNDEFINED_FAILS },
  { "elect.sync", 0, 0, 0, 0, "eu", elect, PTX_UNDEFINED_FAILS },
  { "bar.warp.sync", 0, 0, 0, 0, "u", synchronise, PTX_UNDEFINED_FAILS },
  { NULL },
};
