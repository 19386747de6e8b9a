/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"

/* This file converts between the types. A narrow result in a wide register is extended as its type says. */

static void
put_integer (guint64 *d, gint64 value, PtxType type, guint width)
{
  guint bits = ptx_type_bits (type);
  guint64 cut = ptx_cut ((guint64) value, bits);
  *d = ptx_type_is_signed (type) ? ptx_cut ((guint64) ptx_extend (cut, bits), width) : cut;
}

/* Returns the least value of an integer type; the ends of 64 bits are given as the 128 bits that hold them
 * all. */
static __int128
least_of (PtxType type)
{
  return ptx_type_is_signed (type) ? -((__int128) 1 << (ptx_type_bits (type) - 1)) : 0;
}

static __int128
most_of (PtxType type)
{
  return ((__int128) 1 << (ptx_type_bits (type) - (ptx_type_is_signed (type) ? 1 : 0))) - 1;
}

static __int128
integer_value (guint64 value, PtxType type)
{
  guint bits = ptx_type_bits (type);
  guint64 cut = ptx_cut (value, bits);
  return ptx_type_is_signed (type) ? (__int128) ptx_extend (cut, bits) : (__int128) cut;
}

static PtxStatus
integer_to_integer (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const gboolean limited = in->modifier[PTX_SATURATE] != 0;
  const __int128 least = least_of (in->type), most = most_of (in->type);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    __int128 value = integer_value (a[l], in->type2);
    if (limited)
      value = CLAMP (value, least, most);
    put_integer (&d[l], (gint64) value, in->type, in->operands[0].bits);
  }
  return PTX_NEXT;
}

/* Returns the value of a real operand, which double precision always holds. */
static double
real_value (guint64 bits, PtxType type, gboolean ftz)
{
  switch (type)
    {
    case PTX_F16:
      return ptx_half_value (bits & 0xffff);
    case PTX_BF16:
      return ptx_bfloat_value (bits & 0xffff);
    case PTX_F32:
      return ptx_float_operand (bits, ftz);
    default:
      return ptx_bits_double (bits);
    }
}

/* Limits a value: outside the range it becomes its nearest end, and NaN becomes zero. */
static gint64
limit (double value, PtxType type)
{
  if (isnan (value))
    return 0;
  if (value <= (double) least_of (type))
    return (gint64) least_of (type);
  if (value >= (double) most_of (type))
    return (gint64) (guint64) most_of (type);
  return value < 0 ? (gint64) value : (gint64) (guint64) value;
}

static PtxStatus
real_to_integer (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const gboolean ftz = in->modifier[PTX_FTZ] != 0;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double value = ptx_round_to_integer (real_value (a[l], in->type2, ftz), in->modifier[PTX_INTEGRAL]);
    put_integer (&d[l], limit (value, in->type), in->type, in->operands[0].bits);
  }
  return PTX_NEXT;
}

static PtxStatus
integer_to_real (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const PtxRound round = in->modifier[PTX_ROUND];
  const gboolean is_signed = ptx_type_is_signed (in->type2);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    guint64 value = (guint64) integer_value (a[l], in->type2);
    gboolean negative = is_signed && (gint64) value < 0;
    if (in->type == PTX_F32)
      d[l] = ptx_float_bits (ptx_integer_to_float (value, is_signed, round));
    else if (in->type == PTX_F64)
      d[l] = ptx_double_bits (ptx_integer_to_double (value, is_signed, round));
    else
      d[l] = ptx_round_to_format (ptx_integer_odd (negative ? -value : value, negative),
          in->type == PTX_BF16 ? &ptx_format_bfloat : &ptx_format_half, round);
  }
  return PTX_NEXT;
}

static guint64
real_bits (double value, PtxType type, PtxRound round, gboolean ftz)
{
  switch (type)
    {
    case PTX_F16:
      return ptx_round_to_format (value, &ptx_format_half, round);
    case PTX_BF16:
      return ptx_round_to_format (value, &ptx_format_bfloat, round);
    case PTX_F32:
      return ptx_float_result (ptx_double_to_float (value, round), ftz);
    default:
      return ptx_double_bits (value);
    }
}

/* Restricts a value: saturation limits to [0, 1], and NaN to zero; relu cuts off below zero. */
static double
restrict_value (const PtxInstruction *in, double value)
{
  if (in->modifier[PTX_SATURATE] != 0)
    return value > 0 ? MIN (value, 1) : 0;
  return in->modifier[PTX_RELU] != 0 && value < 0 ? 0 : value;
}

static PtxStatus
real_to_real (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const gboolean ftz = in->modifier[PTX_FTZ] != 0;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double value = real_value (a[l], in->type2, ftz);
    if (in->modifier[PTX_INTEGRAL] != 0)
      value = ptx_round_to_integer (value, in->modifier[PTX_INTEGRAL]);
    d[l] = real_bits (restrict_value (in, value), in->type, in->modifier[PTX_ROUND], ftz);
  }
  return PTX_NEXT;
}

/* Converts two values into one register: the first one is the upper half. */
static PtxStatus
reals_to_pair (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);
  const PtxType half = in->type == PTX_BF16X2 ? PTX_BF16 : PTX_F16;
  const PtxRound round = in->modifier[PTX_ROUND];
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double high = restrict_value (in, real_value (a[l], PTX_F32, FALSE));
    double low = restrict_value (in, real_value (b[l], PTX_F32, FALSE));
    d[l] = real_bits (high, half, round, FALSE) << 16 | real_bits (low, half, round, FALSE);
  }
  return PTX_NEXT;
}

/* Converts two values of 8 bits: f16 holds both exactly. */
static PtxStatus
pair_of_bytes (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  double (*value_of) (guint bits) = in->type2 == PTX_E5M2X2 ? ptx_e5m2_value : ptx_e4m3_value;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double high = restrict_value (in, value_of (a[l] >> 8 & 0xff));
    double low = restrict_value (in, value_of (a[l] & 0xff));
    d[l] = real_bits (high, PTX_F16, PTX_ROUND_NEAREST, FALSE) << 16
           | real_bits (low, PTX_F16, PTX_ROUND_NEAREST, FALSE);
  }
  return PTX_NEXT;
}

/* Converts two values into 16 bits, the first one above: of two registers, or of the halves of one. */
static PtxStatus
reals_to_bytes (PtxWarp *warp, const PtxInstruction *in)
{
  const gboolean halves = in->type2 == PTX_F16X2, e5m2 = in->type == PTX_E5M2X2;
  const guint64 *a = ptx_source (warp, in, 1), *b = halves ? a : ptx_source (warp, in, 2);
  const PtxType type = halves ? PTX_F16 : PTX_F32;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double high = restrict_value (in, real_value (halves ? a[l] >> 16 : a[l], type, FALSE));
    double low = restrict_value (in, real_value (b[l], type, FALSE));
    d[l] = (guint64) ptx_round_to_byte (high, e5m2) << 8 | ptx_round_to_byte (low, e5m2);
  }
  return PTX_NEXT;
}

/* Converts a float to tf32, which lies in its upper bits; ties go away from zero. */
static PtxStatus
float_to_tf32 (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    float value = ptx_bits_float ((guint32) a[l]);
    d[l] = isnan (value) ? PTX_FLOAT_NAN
                         : (guint64) ptx_round_to_format (value, &ptx_format_tf32, PTX_ROUND_AWAY) << 13;
  }
  return PTX_NEXT;
}

#define INTEGERS                                                                                             \
  (PTX_T (U8) | PTX_T (S8) | PTX_T (U16) | PTX_T (S16) | PTX_T (U32) | PTX_T (S32) | PTX_T (U64)             \
      | PTX_T (S64))
#define ROUND PTX_M (ROUND)
#define INTEGRAL PTX_M (INTEGRAL)
#define FTZ PTX_M (FTZ)
#define SATURATE PTX_M (SATURATE)
#define HALVES (PTX_T (F16) | PTX_T (BF16))
#define F32 PTX_T (F32)
#define F64 PTX_T (F64)
#define REALS (HALVES | F32 | F64)
#define BYTES (PTX_T (E4M3X2) | PTX_T (E5M2X2))

/* A conversion that can be inexact needs its direction; one that widens takes none. */
const PtxRow ptx_rows_convert[] = {
  { "cvt", SATURATE, 0, INTEGERS, INTEGERS, "xB", integer_to_integer },
  { "cvt", FTZ | SATURATE, INTEGRAL, INTEGERS, REALS, "xB", real_to_integer },
  { "cvt", 0, ROUND, REALS, INTEGERS, "dB", integer_to_real },
  { "cvt", FTZ | SATURATE, 0, F32 | F64, PTX_T (F16), "db", real_to_real },
  { "cvt", FTZ | SATURATE, 0, F32, PTX_T (BF16), "db", real_to_real },
  { "cvt", FTZ | SATURATE, 0, F64, F32, "db", real_to_real },
  { "cvt", FTZ | SATURATE, ROUND, F32, F64, "db", real_to_real },
  { "cvt", FTZ | SATURATE | PTX_M (RELU), ROUND, PTX_T (F16), F32 | F64, "db", real_to_real },
  { "cvt", PTX_M (RELU), ROUND, PTX_T (BF16), F32 | F64, "db", real_to_real },
  { "cvt", FTZ | SATURATE, INTEGRAL, F32, F32, "db", real_to_real },
  { "cvt", SATURATE, INTEGRAL, F64, F64, "db", real_to_real },
  { "cvt", FTZ | SATURATE, INTEGRAL, PTX_T (F16), PTX_T (F16), "db", real_to_real },
  { "cvt", 0, INTEGRAL, PTX_T (BF16), PTX_T (BF16), "db", real_to_real },
  { "cvt", FTZ | SATURATE, 0, F32, F32, "db", real_to_real },
  { "cvt", SATURATE, 0, F64, F64, "db", real_to_real },
  { "cvt", PTX_M (RELU), ROUND, PTX_T (F16X2) | PTX_T (BF16X2), F32, "dbb", reals_to_pair },
  { "cvt.rn", PTX_M (RELU), 0, PTX_T (F16X2), BYTES, "db", pair_of_bytes },
  { "cvt.rn.satfinite", PTX_M (RELU), 0, BYTES, F32, "dbb", reals_to_bytes },
  { "cvt.rn.satfinite", PTX_M (RELU), 0, BYTES, PTX_T (F16X2), "db", reals_to_bytes },
  { "cvt.rna", 0, 0, PTX_T (TF32), F32, "db", float_to_tf32 },
  { NULL },
};
