/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* Integer arithmetic. Values are zero-extended, so that sums and products of any width are those of 64 bits,
 * cut. */

/* Defines a handler whose result for each lane is @expression of the unsigned x, y, z and the signed sx, sy,
 * sz. */
#define INTEGER(name, expression)                                                                            \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint bits = ptx_type_bits (in->type);                                                             \
    const guint64 *a = ptx_source (warp, in, 1);                                                             \
    const guint64 *b = ptx_source (warp, in, in->n_operands > 2 ? 2 : 1);                                    \
    const guint64 *c = ptx_source (warp, in, in->n_operands > 3 ? 3 : 1);                                    \
    guint64 *d = ptx_result (warp, in);                                                                      \
    const guint width = in->operands[0].bits;                                                                \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l], y = b[l], z = c[l];                                                            \
      const gint64 sx = ptx_extend (x, bits), sy = ptx_extend (y, bits), sz = ptx_extend (z, bits);          \
      (void) x, (void) y, (void) z, (void) sx, (void) sy, (void) sz;                                         \
      d[l] = ptx_cut ((guint64) (expression), width);                                                        \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

#define HIGH(type, wide, x, y) ((type) ((wide) (x) * (y) >> bits))

INTEGER (add, x + y)
INTEGER (subtract, x - y)
INTEGER (multiply, (x * y))
INTEGER (multiply_wide_unsigned, (x * y))
INTEGER (multiply_wide_signed, (sx * sy))
INTEGER (multiply_high_unsigned, HIGH (guint64, unsigned __int128, x, y))
INTEGER (multiply_high_signed, HIGH (gint64, __int128, sx, sy))
INTEGER (multiply_add, (x * y) + z)
INTEGER (multiply_add_wide_unsigned, (x * y) + z)
INTEGER (multiply_add_wide_signed, (guint64) (sx *sy) + z)
INTEGER (multiply_add_high_unsigned, HIGH (guint64, unsigned __int128, x, y) + z)
INTEGER (multiply_add_high_signed, HIGH (gint64, __int128, sx, sy) + sz)
INTEGER (multiply24_unsigned, (x & 0xffffff) * (y & 0xffffff))
INTEGER (multiply24_signed, ptx_extend (x, 24) * ptx_extend (y, 24))
INTEGER (multiply24_add_unsigned, (x & 0xffffff) * (y & 0xffffff) + z)
INTEGER (multiply24_add_signed, (guint64) (ptx_extend (x, 24) * ptx_extend (y, 24)) + z)
INTEGER (negate, -x)
INTEGER (absolute, sx < 0 ? -x : x)
INTEGER (minimum_unsigned, MIN (x, y))
INTEGER (minimum_signed, MIN (sx, sy))
INTEGER (maximum_unsigned, MAX (x, y))
INTEGER (maximum_signed, MAX (sx, sy))
INTEGER (sad_unsigned, (x > y ? x - y : y - x) + z)
INTEGER (sad_signed, (sx > sy ? x - y : y - x) + z)
INTEGER (add_saturating, CLAMP (sx + sy, G_MININT32, G_MAXINT32))
INTEGER (subtract_saturating, CLAMP (sx - sy, G_MININT32, G_MAXINT32))

/* A division by zero has no defined result, and a kernel that performs one is wrong. The one that overflows gives
 * what the hardware does: the dividend. */
#define DIVISION(name, unsigned_expression, signed_expression)                                               \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint bits = ptx_type_bits (in->type);                                                             \
    const gboolean is_signed = ptx_type_is_signed (in->type);                                                \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);                              \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l], y = b[l];                                                                      \
      const gint64 sx = ptx_extend (x, bits), sy = ptx_extend (y, bits);                                     \
      if (y == 0)                                                                                            \
        return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_TRAP, _ ("division by zero"));                        \
      d[l] = ptx_cut (is_signed ? (guint64) (signed_expression) : (unsigned_expression), bits);              \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

DIVISION (divide, x / y, sy == -1 ? (gint64) -x : sx / sy)
DIVISION (remainder_of, x % y, sy == -1 ? 0 : sx % sy)

/* Returns the lower or the upper half of the product of two numbers. */
static guint64
product_half (guint64 x, guint64 y, guint bits, gboolean is_signed, gboolean high)
{
  if (!high)
    return ptx_cut (x * y, bits);
  if (is_signed)
    return ptx_cut ((guint64) ((__int128) ptx_extend (x, bits) * ptx_extend (y, bits) >> bits), bits);
  return ptx_cut ((guint64) ((unsigned __int128) x * y >> bits), bits);
}

/* Adds with carry, for sums of many words: the carry of each lane goes from one instruction to the next
 * through the condition code. */
static void
add_with_carry (
    PtxWarp *warp, guint lane, guint64 *d, guint64 x, guint64 y, guint bits, gboolean take, gboolean give)
{
  guint carry = take ? warp->carry >> lane & 1 : 0;
  unsigned __int128 sum = (unsigned __int128) x + y + carry;
  *d = ptx_cut ((guint64) sum, bits);
  if (give)
    warp->carry = (warp->carry & ~(1u << lane)) | (guint32) (sum >> bits & 1) << lane;
}

static void
subtract_with_borrow (
    PtxWarp *warp, guint lane, guint64 *d, guint64 x, guint64 y, guint bits, gboolean take, gboolean give)
{
  guint borrow = take ? warp->carry >> lane & 1 : 0;
  __int128 difference = (__int128) x - y - borrow;
  *d = ptx_cut ((guint64) difference, bits);
  if (give)
    warp->carry = (warp->carry & ~(1u << lane)) | (guint32) (difference < 0) << lane;
}

#define CARRY(name, function, take, give)                                                                    \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint bits = ptx_type_bits (in->type);                                                             \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);                              \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    function (warp, l, &d[l], a[l], b[l], bits, take, give);                                                 \
    return PTX_NEXT;                                                                                         \
  }

CARRY (add_cc, add_with_carry, FALSE, TRUE)
CARRY (addc, add_with_carry, TRUE, FALSE)
CARRY (addc_cc, add_with_carry, TRUE, TRUE)
CARRY (sub_cc, subtract_with_borrow, FALSE, TRUE)
CARRY (subc, subtract_with_borrow, TRUE, FALSE)
CARRY (subc_cc, subtract_with_borrow, TRUE, TRUE)

#define CARRY_PRODUCT(name, high, take, give)                                                                \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint bits = ptx_type_bits (in->type);                                                             \
    const gboolean is_signed = ptx_type_is_signed (in->type);                                                \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);                              \
    const guint64 *c = ptx_source (warp, in, 3);                                                             \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    add_with_carry (                                                                                         \
        warp, l, &d[l], product_half (a[l], b[l], bits, is_signed, high), c[l], bits, take, give);           \
    return PTX_NEXT;                                                                                         \
  }

CARRY_PRODUCT (mad_lo_cc, FALSE, FALSE, TRUE)
CARRY_PRODUCT (mad_hi_cc, TRUE, FALSE, TRUE)
CARRY_PRODUCT (madc_lo, FALSE, TRUE, FALSE)
CARRY_PRODUCT (madc_hi, TRUE, TRUE, FALSE)
CARRY_PRODUCT (madc_lo_cc, FALSE, TRUE, TRUE)
CARRY_PRODUCT (madc_hi_cc, TRUE, TRUE, TRUE)

/* Computes the sum of the products of four bytes. */
static PtxStatus
dot4 (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2), *c = ptx_source (warp, in, 3);
  const gboolean signed_a = in->type == PTX_S32, signed_b = in->type2 == PTX_S32;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    guint64 sum = c[l];
    for (guint i = 0; i < 32; i += 8)
      {
        guint64 x = a[l] >> i & 255, y = b[l] >> i & 255;
        sum += (guint64) ((signed_a ? ptx_extend (x, 8) : (gint64) x)
                          * (signed_b ? ptx_extend (y, 8) : (gint64) y));
      }
    d[l] = ptx_cut (sum, 32);
  }
  return PTX_NEXT;
}

/* Computes the sum of the products of the halves of a and the bytes of b from bit @from on: of its lower or
 * of its upper half. */
static PtxStatus
dot2_from (PtxWarp *warp, const PtxInstruction *in, guint from)
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2), *c = ptx_source (warp, in, 3);
  const gboolean signed_a = in->type == PTX_S32, signed_b = in->type2 == PTX_S32;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    guint64 sum = c[l];
    for (guint i = 0; i < 2; i++)
      {
        guint64 x = a[l] >> 16 * i & 0xffff, y = b[l] >> (from + 8 * i) & 255;
        sum += (guint64) ((signed_a ? ptx_extend (x, 16) : (gint64) x)
                          * (signed_b ? ptx_extend (y, 8) : (gint64) y));
      }
    d[l] = ptx_cut (sum, 32);
  }
  return PTX_NEXT;
}

static PtxStatus
dot2_low (PtxWarp *warp, const PtxInstruction *in)
{
  return dot2_from (warp, in, 0);
}

static PtxStatus
dot2_high (PtxWarp *warp, const PtxInstruction *in)
{
  return dot2_from (warp, in, 16);
}

#define UNSIGNED (PTX_T (U16) | PTX_T (U32) | PTX_T (U64))
#define SIGNED (PTX_T (S16) | PTX_T (S32) | PTX_T (S64))
#define ANY (UNSIGNED | SIGNED)
#define WORDS (PTX_T (U32) | PTX_T (S32) | PTX_T (U64) | PTX_T (S64))
#define NARROW_UNSIGNED (PTX_T (U16) | PTX_T (U32))
#define NARROW_SIGNED (PTX_T (S16) | PTX_T (S32))

const PtxRow ptx_rows_integer[] = {
  { "add", 0, 0, ANY, 0, "daa", add },
  { "add", 0, PTX_M (SATURATE), PTX_T (S32), 0, "daa", add_saturating },
  { "sub", 0, 0, ANY, 0, "daa", subtract },
  { "sub", 0, PTX_M (SATURATE), PTX_T (S32), 0, "daa", subtract_saturating },
  { "mul.lo", 0, 0, ANY, 0, "daa", multiply },
  { "mul.hi", 0, 0, UNSIGNED, 0, "daa", multiply_high_unsigned },
  { "mul.hi", 0, 0, SIGNED, 0, "daa", multiply_high_signed },
  { "mul.wide", 0, 0, NARROW_UNSIGNED, 0, "Daa", multiply_wide_unsigned },
  { "mul.wide", 0, 0, NARROW_SIGNED, 0, "Daa", multiply_wide_signed },
  { "mad.lo", 0, 0, ANY, 0, "daaa", multiply_add },
  { "mad.hi", 0, 0, UNSIGNED, 0, "daaa", multiply_add_high_unsigned },
  { "mad.hi", 0, 0, SIGNED, 0, "daaa", multiply_add_high_signed },
  { "mad.wide", 0, 0, NARROW_UNSIGNED, 0, "DaaA", multiply_add_wide_unsigned },
  { "mad.wide", 0, 0, NARROW_SIGNED, 0, "DaaA", multiply_add_wide_signed },
  { "mul24.lo", 0, 0, PTX_T (U32), 0, "daa", multiply24_unsigned },
  { "mul24.lo", 0, 0, PTX_T (S32), 0, "daa", multiply24_signed },
  { "mad24.lo", 0, 0, PTX_T (U32), 0, "daaa", multiply24_add_unsigned },
  { "mad24.lo", 0, 0, PTX_T (S32), 0, "daaa", multiply24_add_signed },
  { "neg", 0, 0, SIGNED, 0, "da", negate },
  { "abs", 0, 0, SIGNED, 0, "da", absolute },
  { "min", 0, 0, UNSIGNED, 0, "daa", minimum_unsigned },
  { "min", 0, 0, SIGNED, 0, "daa", minimum_signed },
  { "max", 0, 0, UNSIGNED, 0, "daa", maximum_unsigned },
  { "max", 0, 0, SIGNED, 0, "daa", maximum_signed },
  { "sad", 0, 0, UNSIGNED, 0, "daaa", sad_unsigned },
  { "sad", 0, 0, SIGNED, 0, "daaa", sad_signed },
  { "div", 0, 0, ANY, 0, "daa", divide, PTX_UNDEFINED_FAILS },
  { "rem", 0, 0, ANY, 0, "daa", remainder_of, PTX_UNDEFINED_FAILS },
  { "add.cc", 0, 0, WORDS, 0, "daa", add_cc },
  { "addc", 0, 0, WORDS, 0, "daa", addc },
  { "addc.cc", 0, 0, WORDS, 0, "daa", addc_cc },
  { "sub.cc", 0, 0, WORDS, 0, "daa", sub_cc },
  { "subc", 0, 0, WORDS, 0, "daa", subc },
  { "subc.cc", 0, 0, WORDS, 0, "daa", subc_cc },
  { "mad.lo.cc", 0, 0, WORDS, 0, "daaa", mad_lo_cc },
  { "mad.hi.cc", 0, 0, WORDS, 0, "daaa", mad_hi_cc },
  { "madc.lo", 0, 0, WORDS, 0, "daaa", madc_lo },
  { "madc.hi", 0, 0, WORDS, 0, "daaa", madc_hi },
  { "madc.lo.cc", 0, 0, WORDS, 0, "daaa", madc_lo_cc },
  { "madc.hi.cc", 0, 0, WORDS, 0, "daaa", madc_hi_cc },
  { "dp4a", 0, 0, PTX_T (U32) | PTX_T (S32), PTX_T (U32) | PTX_T (S32), "daaa", dot4 },
  { "dp2a.lo", 0, 0, PTX_T (U32) | PTX_T (S32), PTX_T (U32) | PTX_T (S32), "daaa", dot2_low },
  { "dp2a.hi", 0, 0, PTX_T (U32) | PTX_T (S32), PTX_T (U32) | PTX_T (S32), "daaa", dot2_high },
  { NULL },
};
