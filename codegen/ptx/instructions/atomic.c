/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/instructions/atomic.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/number.h"
#include "codegen/ptx/traffic.h"

/* Atomic operations. Lanes take their turns in order, one of the orders that the hardware may choose. */

static guint64
apply_integer (PtxAtomic operation, PtxType type, guint64 old, guint64 value)
{
  guint bits = ptx_type_bits (type);
  gboolean is_signed = ptx_type_is_signed (type);
  gboolean less = is_signed ? ptx_extend (value, bits) < ptx_extend (old, bits) : value < old;
  switch (operation)
    {
    case PTX_ATOMIC_ADD:
      return ptx_cut (old + value, bits);
    case PTX_ATOMIC_MIN:
      return less ? value : old;
    case PTX_ATOMIC_MAX:
      return less ? old : value;
    case PTX_ATOMIC_AND:
      return old & value;
    case PTX_ATOMIC_OR:
      return old | value;
    case PTX_ATOMIC_XOR:
      return old ^ value;
    case PTX_ATOMIC_INC:
      return old >= value ? 0 : old + 1;
    case PTX_ATOMIC_DEC:
      return old == 0 || old > value ? value : old - 1;
    default:
      return value;
    }
}

static guint
add_halves (guint x, guint y, gboolean bfloat)
{
  double sum = bfloat ? ptx_add_odd (ptx_bfloat_value (x), ptx_bfloat_value (y))
                      : ptx_add_odd (ptx_half_value (x), ptx_half_value (y));
  return ptx_round_to_format (sum, bfloat ? &ptx_format_bfloat : &ptx_format_half, PTX_ROUND_NEAREST);
}

/* Adds two floats; subnormal numbers are kept on global memory, and on shared memory too. */
static guint64
add_reals (PtxType type, guint64 x, guint64 y)
{
  gboolean bfloat = type == PTX_BF16 || type == PTX_BF16X2;
  switch (type)
    {
    case PTX_F32:
      return ptx_float_result (ptx_bits_float ((guint32) x) + ptx_bits_float ((guint32) y), FALSE);
    case PTX_F64:
      return ptx_double_bits (ptx_bits_double (x) + ptx_bits_double (y));
    case PTX_F16:
    case PTX_BF16:
      return add_halves (x & 0xffff, y & 0xffff, bfloat);
    default:
      return add_halves (x & 0xffff, y & 0xffff, bfloat)
             | (guint64) add_halves (x >> 16 & 0xffff, y >> 16 & 0xffff, bfloat) << 16;
    }
}

guint64
ptx_atomic_apply (PtxType type, PtxAtomic operation, guint64 old, guint64 value)
{
  return ptx_type_is_float (type) ? add_reals (type, old, value)
                                  : apply_integer (operation, type, old, value);
}

PtxAtomic
ptx_atomic_operation (const PtxInstruction *in)
{
  return in->modifier[PTX_SUM] | in->modifier[PTX_EXTREME] | in->modifier[PTX_COUNT]
         | in->modifier[PTX_LOGIC];
}

/* Does one step of every lane: computes the new value from the old one, which is the result if there is a
 * place for it. */
static PtxStatus
update (PtxWarp *warp, const PtxInstruction *in, guint address_place, const guint64 *compare,
    const guint64 *value)
{
  const guint64 *base = ptx_source (warp, in, address_place);
  const gsize size = ptx_type_bits (in->type) / 8;
  guint64 *d = address_place > 0 ? ptx_result (warp, in) : NULL;
  PtxTraffic traffic = { .size = size, .write = TRUE };
  PTX_FOR_LANES (warp, l)
  {
    guint64 address = base[l] + (guint64) in->operands[address_place].offset;
    guint8 *bytes = ptx_resolve (warp, in, in->modifier[PTX_SPACE], l, address, size, PTX_ATOMIC_ACCESS);
    if (bytes == NULL)
      return PTX_FAILED;
    guint64 old = ptx_load_bytes (bytes, size);
    if (compare == NULL)
      ptx_store_bytes (bytes, size, ptx_atomic_apply (in->type, ptx_atomic_operation (in), old, value[l]));
    else if (old == compare[l])
      ptx_store_bytes (bytes, size, value[l]);
    if (d != NULL)
      d[l] = old;
    traffic.global[traffic.n_global++] = address;
  }
  /* Atomics on shared memory are counted as accesses, without conflicts: how many turns they take is not
   * known. */
  guint64 address = base[__builtin_ctz (warp->mask)] + (guint64) in->operands[address_place].offset;
  PtxSpace space = in->modifier[PTX_SPACE] != PTX_GENERIC ? in->modifier[PTX_SPACE] : ptx_space_of (&address);
  if (space == PTX_SHARED)
    warp->run->stats.shared_accesses++;
  else
    ptx_traffic_count (&traffic, &warp->run->stats);
  return PTX_NEXT;
}

static PtxStatus
atomic (PtxWarp *warp, const PtxInstruction *in)
{
  return update (warp, in, 1, NULL, ptx_source (warp, in, 2));
}

static PtxStatus
compare_and_swap (PtxWarp *warp, const PtxInstruction *in)
{
  return update (warp, in, 1, ptx_source (warp, in, 2), ptx_source (warp, in, 3));
}

static PtxStatus
reduce (PtxWarp *warp, const PtxInstruction *in)
{
  return update (warp, in, 0, NULL, ptx_source (warp, in, 1));
}

#define HINTS (PTX_M (SPACE) | PTX_M (ORDER) | PTX_M (SCOPE))
#define INTEGERS (PTX_T (U32) | PTX_T (S32) | PTX_T (U64))
#define ORDERED (INTEGERS | PTX_T (S64))
#define BITS (PTX_T (B32) | PTX_T (B64))
#define REALS (PTX_T (F32) | PTX_T (F64))
#define HALVES (PTX_T (F16) | PTX_T (BF16) | PTX_T (F16X2) | PTX_T (BF16X2))
#define SUM PTX_M (SUM)
#define EXTREME PTX_M (EXTREME)
#define COUNT PTX_M (COUNT)
#define LOGIC PTX_M (LOGIC)
#define HALF_SUM (PTX_M (SUM) | PTX_M (NOFTZ))

/* The operation stands behind the space, so that it is a modifier; each kind of operation has its types. */
const PtxRow ptx_rows_atomic[] = {
  { "atom", HINTS, SUM, INTEGERS | REALS, 0, "dma", atomic, PTX_UNDEFINED_FAILS },
  { "atom", HINTS, HALF_SUM, HALVES, 0, "dma", atomic, PTX_UNDEFINED_FAILS },
  { "atom", HINTS, EXTREME, ORDERED, 0, "dma", atomic, PTX_UNDEFINED_FAILS },
  { "atom", HINTS, COUNT, PTX_T (U32), 0, "dma", atomic, PTX_UNDEFINED_FAILS },
  { "atom", HINTS, LOGIC, BITS, 0, "dma", atomic, PTX_UNDEFINED_FAILS },
  { "atom", HINTS, PTX_M (SWAP), BITS | PTX_T (B16), 0, "dmaa", compare_and_swap, PTX_UNDEFINED_FAILS },
  { "red", HINTS, SUM, INTEGERS | REALS, 0, "ma", reduce, PTX_UNDEFINED_FAILS },
  { "red", HINTS, HALF_SUM, HALVES, 0, "ma", reduce, PTX_UNDEFINED_FAILS },
  { "red", HINTS, EXTREME, ORDERED, 0, "ma", reduce, PTX_UNDEFINED_FAILS },
  { "red", HINTS, COUNT, PTX_T (U32), 0, "ma", reduce, PTX_UNDEFINED_FAILS },
  { "red", HINTS, LOGIC, BITS, 0, "ma", reduce, PTX_UNDEFINED_FAILS },
  { NULL },
};
