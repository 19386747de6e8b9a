/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/warp.h"

/* Logic, shifts and bit fields. */

/* Defines a handler whose result for each lane is @expression of x, y, z (and w). */
#define BITS(name, expression)                                                                               \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint bits = ptx_type_bits (in->type);                                                             \
    const guint n = in->n_operands - 1u;                                                                     \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, MIN (2, n));                     \
    const guint64 *c = ptx_source (warp, in, MIN (3, n)), *e = ptx_source (warp, in, MIN (4, n));            \
    guint64 *d = ptx_result (warp, in);                                                                      \
    const guint width = in->operands[0].bits;                                                                \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l], y = b[l], z = c[l], w = e[l];                                                  \
      (void) x, (void) y, (void) z, (void) w, (void) bits;                                                   \
      d[l] = ptx_cut ((guint64) (expression), width);                                                        \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

static gint64
shift_right_arithmetic (guint64 value, guint bits, guint64 by)
{
  return ptx_extend (value, bits) >> MIN (by, bits - 1);
}

/* Returns the highest bit that is set or, for a negative signed number, the highest that is not. */
static guint32
find_leading (guint64 value, guint bits, gboolean is_signed, gboolean as_shift)
{
  if (is_signed && ptx_extend (value, bits) < 0)
    value = ptx_cut (~value, bits);
  if (value == 0)
    return G_MAXUINT32;
  guint place = 63 - (guint) __builtin_clzll (value);
  return as_shift ? bits - 1 - place : place;
}

static guint64
reverse (guint64 value, guint bits)
{
  guint64 result = 0;
  for (guint i = 0; i < bits; i++)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

/* Returns @length bits of @value from @start on; a signed field is extended by its highest bit, which beyond
 * the end of the value is that of the value. */
static guint64
extract (guint64 value, guint bits, gboolean is_signed, guint64 start, guint64 length)
{
  start &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  guint64 last = MIN (start + length - 1, bits - 1);
  gboolean negative = is_signed && (value >> last & 1) != 0;
  guint64 field = start < bits ? value >> start : 0;
  guint64 mask = length >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << length) - 1;
  guint64 present = start < bits ? ptx_cut (G_MAXUINT64, bits) >> start : 0;
  field &= mask;
  return negative ? field | ~(mask & present) : field;
}

static guint64
insert (guint64 field, guint64 into, guint bits, guint64 start, guint64 length)
{
  start &= 255;
  length &= 255;
  if (start >= bits || length == 0)
    return into;
  guint64 mask = (length >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << length) - 1) << start;
  return (into & ~mask) | (field << start & mask);
}

static guint64
bit_mask (guint64 start, guint64 length, gboolean clamp)
{
  start = clamp ? MIN (start, 32) : start & 31;
  length = clamp ? MIN (length, 32) : length & 31;
  guint64 mask = (G_GUINT64_CONSTANT (1) << length) - 1;
  return mask << start;
}

/* Returns any function of three bits, whose table is @table. */
static guint64
look_up (guint64 x, guint64 y, guint64 z, guint64 table)
{
  guint64 result = 0;
  for (guint i = 0; i < 8; i++)
    if ((table >> i & 1) != 0)
      result |= ((i & 4) != 0 ? x : ~x) & ((i & 2) != 0 ? y : ~y) & ((i & 1) != 0 ? z : ~z);
  return result;
}

/* Returns one byte of the eight; bit 3 of the selector replicates the sign of the byte instead. */
static guint64
pick (guint64 bytes, guint selector)
{
  guint64 byte = bytes >> (selector & 7) * 8 & 255;
  return (selector & 8) != 0 ? ((byte & 128) != 0 ? 255 : 0) : byte;
}

/* The selectors that the special modes of prmt stand for, each for the lower two bits of c. */
static const guint16 permute_modes[7][4] = {
  { 0 },
  { 0x3210, 0x4321, 0x5432, 0x6543 },
  { 0x5670, 0x6701, 0x7012, 0x0123 },
  { 0x0000, 0x1111, 0x2222, 0x3333 },
  { 0x3210, 0x3211, 0x3222, 0x3333 },
  { 0x0000, 0x1110, 0x2210, 0x3210 },
  { 0x1010, 0x3232, 0x1010, 0x3232 },
};

static guint64
permute (guint64 low, guint64 high, guint64 control, guint mode)
{
  guint selector = (guint) (mode == 0 ? control : permute_modes[mode][control & 3]);
  guint64 bytes = low | high << 32, result = 0;
  for (guint i = 0; i < 4; i++)
    result |= pick (bytes, selector >> 4 * i & 15) << 8 * i;
  return result;
}

static guint64
funnel (guint64 low, guint64 high, guint64 by, gboolean left, gboolean clamp)
{
  guint64 both = low | high << 32;
  by = clamp ? MIN (by, 32) : by & 31;
  return left ? both << by >> 32 : both >> by;
}

BITS (exclusive_or, x ^ y)
BITS (complement, ~x)
BITS (logical_not, x == 0)
BITS (shift_left, y < bits ? x << y : 0)
BITS (shift_right_unsigned, y < bits ? x >> y : 0)
BITS (shift_right_signed, shift_right_arithmetic (x, bits, y))
BITS (count, __builtin_popcountll (x))
BITS (leading_zeros, x == 0 ? bits : (guint) __builtin_clzll (x) - (64 - bits))
BITS (find, find_leading (x, bits, ptx_type_is_signed (in->type), FALSE))
BITS (find_shift, find_leading (x, bits, ptx_type_is_signed (in->type), TRUE))
BITS (bit_reverse, reverse (x, bits))
BITS (field_extract, extract (x, bits, ptx_type_is_signed (in->type), y, z))
BITS (field_insert, insert (x, y, bits, z, w))
BITS (mask_clamp, bit_mask (x, y, TRUE))
BITS (mask_wrap, bit_mask (x, y, FALSE))
BITS (permute_bytes, permute (x, y, z, in->modifier[PTX_PERMUTE]))
BITS (funnel_left_wrap, funnel (x, y, z, TRUE, FALSE))
BITS (funnel_left_clamp, funnel (x, y, z, TRUE, TRUE))
BITS (funnel_right_wrap, funnel (x, y, z, FALSE, FALSE))
BITS (funnel_right_clamp, funnel (x, y, z, FALSE, TRUE))
BITS (logic3, look_up (x, y, z, w))

/* A conjunction with a false predicate is false whatever the other one is, and compilers use that: "select a, b,
 * false" becomes "and". So one defined operand can decide. */
#define JUNCTION(name, expression, decides)                                                                  \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);                              \
    const guint32 known_a = ptx_defined (warp, in->operands[1].slot);                                        \
    const guint32 known_b = ptx_defined (warp, in->operands[2].slot);                                        \
    const gboolean predicate = in->type == PTX_PRED;                                                         \
    guint64 *d = ptx_result (warp, in);                                                                      \
    guint32 known = known_a & known_b;                                                                       \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l], y = b[l];                                                                      \
      if (predicate && (known >> l & 1) == 0)                                                                \
        {                                                                                                    \
          gboolean by_a = (known_a >> l & 1) != 0 && x == decides;                                           \
          gboolean by_b = (known_b >> l & 1) != 0 && y == decides;                                           \
          known |= (guint32) (by_a || by_b) << l;                                                            \
          d[l] = decides;                                                                                    \
        }                                                                                                    \
      else                                                                                                   \
        d[l] = (expression);                                                                                 \
    }                                                                                                        \
    ptx_set_defined (warp, in->operands[0].slot, known);                                                     \
    return PTX_NEXT;                                                                                         \
  }

JUNCTION (conjunction, (x & y), 0)
JUNCTION (disjunction, x | y, 1)

#define PLAIN (PTX_T (B16) | PTX_T (B32) | PTX_T (B64))
#define UNSIGNED (PTX_T (U16) | PTX_T (U32) | PTX_T (U64))
#define SIGNED (PTX_T (S16) | PTX_T (S32) | PTX_T (S64))
#define WIDE (PTX_T (B32) | PTX_T (B64))
#define FIELDS (PTX_T (U32) | PTX_T (S32) | PTX_T (U64) | PTX_T (S64))
#define B32 PTX_T (B32)

const PtxRow ptx_rows_bits[] = {
  { "and", 0, 0, PLAIN | PTX_T (PRED), 0, "daa", conjunction, PTX_UNDEFINED_CUSTOM },
  { "or", 0, 0, PLAIN | PTX_T (PRED), 0, "daa", disjunction, PTX_UNDEFINED_CUSTOM },
  { "xor", 0, 0, PLAIN | PTX_T (PRED), 0, "daa", exclusive_or },
  { "not", 0, 0, PLAIN | PTX_T (PRED), 0, "da", complement },
  { "cnot", 0, 0, PLAIN, 0, "da", logical_not },
  { "shl", 0, 0, PLAIN, 0, "dau", shift_left },
  { "shr", 0, 0, PLAIN | UNSIGNED, 0, "dau", shift_right_unsigned },
  { "shr", 0, 0, SIGNED, 0, "dau", shift_right_signed },
  { "popc", 0, 0, WIDE, 0, "Ua", count },
  { "clz", 0, 0, WIDE, 0, "Ua", leading_zeros },
  { "bfind", 0, 0, FIELDS, 0, "Ua", find },
  { "bfind.shiftamt", 0, 0, FIELDS, 0, "Ua", find_shift },
  { "brev", 0, 0, WIDE, 0, "da", bit_reverse },
  { "bfe", 0, 0, FIELDS, 0, "dauu", field_extract },
  { "bfi", 0, 0, WIDE, 0, "daauu", field_insert },
  { "bmsk.clamp", 0, 0, B32, 0, "daa", mask_clamp },
  { "bmsk.wrap", 0, 0, B32, 0, "daa", mask_wrap },
  { "prmt", PTX_M (PERMUTE), 0, B32, 0, "daaa", permute_bytes },
  { "shf.l.wrap", 0, 0, B32, 0, "daaa", funnel_left_wrap },
  { "shf.l.clamp", 0, 0, B32, 0, "daaa", funnel_left_clamp },
  { "shf.r.wrap", 0, 0, B32, 0, "daaa", funnel_right_wrap },
  { "shf.r.clamp", 0, 0, B32, 0, "daaa", funnel_right_clamp },
  { "lop3", 0, 0, B32, 0, "daaau", logic3 },
  { NULL },
};
