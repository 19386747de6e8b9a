/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"

/* Moves, packing and unpacking, and addresses between state spaces. */

/* Refreshes the clocks, which count instructions of the launch: they only ever grow. */
static void
refresh_clocks (PtxWarp *warp)
{
  guint64 now = warp->run->stats.warp_instructions;
  for (guint l = 0; l < PTX_LANES; l++)
    {
      warp->special[PTX_CLOCK * PTX_LANES + l] = ptx_cut (now, 32);
      warp->special[PTX_CLOCK_HIGH * PTX_LANES + l] = now >> 32;
      warp->special[PTX_CLOCK64 * PTX_LANES + l] = now;
    }
}

static void
pack (const PtxWarp *warp, const PtxOperand *source, guint bits, guint64 value[PTX_LANES])
{
  guint share = bits / source->count;
  PTX_FOR_LANES (warp, l)
  value[l] = 0;
  for (guint i = 0; i < source->count; i++)
    {
      const guint64 *part = ptx_values (warp, source->elements[i]);
      PTX_FOR_LANES (warp, l)
      value[l] |= part[l] << i * share;
    }
}

static void
unpack (const PtxWarp *warp, const PtxOperand *result, guint bits, const guint64 value[PTX_LANES])
{
  guint share = bits / result->count;
  for (guint i = 0; i < result->count; i++)
    {
      guint64 *part = ptx_register (warp, result->elements[i]);
      PTX_FOR_LANES (warp, l)
      part[l] = ptx_cut (value[l] >> i * share, share);
    }
}

static PtxStatus
move (PtxWarp *warp, const PtxInstruction *in)
{
  const PtxOperand *result = &in->operands[0], *source = &in->operands[1];
  guint bits = ptx_type_bits (in->type);
  guint64 value[PTX_LANES];
  if (PTX_SLOT_BASE (source->slot) == PTX_BASE_SPECIAL && PTX_SLOT_INDEX (source->slot) >= PTX_CLOCK)
    refresh_clocks (warp);
  if (result->count == 1 && source->count == 1)
    {
      const guint64 *a = ptx_values (warp, source->elements[0]);
      guint64 *d = ptx_register (warp, result->elements[0]);
      PTX_FOR_LANES (warp, l)
      d[l] = a[l];
      return PTX_NEXT;
    }
  pack (warp, source, bits, value);
  unpack (warp, result, bits, value);
  return PTX_NEXT;
}

/* Returns the base of a space in generic addresses: shared and local memory lie in windows; addresses of
 * global memory and constants are generic themselves. */
static guint64
window (PtxSpace space)
{
  return space == PTX_SHARED ? PTX_WINDOW_SHARED : space == PTX_LOCAL ? PTX_WINDOW_LOCAL : 0;
}

/* Converts the address of a parameter to a generic one: it is one already or, if it went through 32 bits, a
 * place in its window. */
static PtxStatus
parameter_to_generic (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = a[l] < PTX_WINDOW_SIZE ? a[l] + PTX_WINDOW_PARAMETERS : a[l];
  return PTX_NEXT;
}

static PtxStatus
to_generic (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const guint64 base = window (in->modifier[PTX_SPACE]);
  guint64 *d = ptx_result (warp, in);
  if (in->modifier[PTX_SPACE] == PTX_PARAM)
    return parameter_to_generic (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = a[l] + base;
  return PTX_NEXT;
}

static PtxStatus
from_generic (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const guint64 base = window (in->modifier[PTX_SPACE]);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = a[l] - base;
  return PTX_NEXT;
}

static PtxStatus
is_space (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    guint64 address = a[l];
    d[l] = ptx_space_of (&address) == (PtxSpace) in->modifier[PTX_SPACE];
  }
  return PTX_NEXT;
}

#define SIXTEEN (PTX_T (B16) | PTX_T (U16) | PTX_T (S16) | PTX_T (F16) | PTX_T (BF16))
#define WORDS (PTX_T (B32) | PTX_T (U32) | PTX_T (S32) | PTX_T (F32))
#define LONGS (PTX_T (B64) | PTX_T (U64) | PTX_T (S64) | PTX_T (F64))

const PtxRow ptx_rows_move[] = {
  { "mov", 0, 0, PTX_T (PRED) | SIXTEEN | WORDS | LONGS, 0, "MN", move },
  { "cvta", 0, PTX_M (SPACE), PTX_T (U64), 0, "da", to_generic },
  { "cvta.to", 0, PTX_M (SPACE), PTX_T (U64), 0, "da", from_generic },
  { "isspacep", 0, PTX_M (SPACE), 0, 0, "Pq", is_space },
  { NULL },
};
