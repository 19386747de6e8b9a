/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>
#include <string.h>

#include "codegen/ptx/module.h"

/* The arithmetic of the device on the host. Values are bit-exact: they are rounded as the PTX ISA says, in the
 * direction that an instruction names, and the rounding mode of the host is left as it was. */

/* The canonical not-a-number of the narrower formats, which every operation gives. */
#define PTX_FLOAT_NAN 0x7fffffffu
#define PTX_HALF_NAN 0x7fffu

static inline float
ptx_bits_float (guint32 bits)
{
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint32
ptx_float_bits (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
ptx_bits_double (guint64 bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint64
ptx_double_bits (double value)
{
  guint64 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* Returns the bits of zero, with the sign kept, for a subnormal number, and @bits for any other. */
static inline guint32
ptx_flush_bits (guint32 bits)
{
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

/* Returns the bits of a result: the canonical NaN for any NaN, and zero for a subnormal number where @ftz is
 * TRUE. */
static inline guint32
ptx_float_result (float value, gboolean ftz)
{
  guint32 bits = ptx_float_bits (value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return PTX_FLOAT_NAN;
  return ftz ? ptx_flush_bits (bits) : bits;
}

static inline float
ptx_float_operand (guint64 bits, gboolean ftz)
{
  return ptx_bits_float (ftz ? ptx_flush_bits ((guint32) bits) : (guint32) bits);
}

/* A binary format with @mantissa explicit bits; the least normal number is 2^@least, all numbers are below
 * 2^(@most+1). */
typedef struct
{
  guint mantissa;
  gint least;
  gint most;
} PtxFormat;

extern const PtxFormat ptx_format_half;
extern const PtxFormat ptx_format_bfloat;
extern const PtxFormat ptx_format_tf32;

/* Returns the value of the 16 bits of an IEEE half (f16), exactly: its bits in the places of a float's are
 * 2^-112 of it, of subnormal numbers too. */
static inline double
ptx_half_value (guint bits)
{
  const float scaled = ptx_bits_float ((bits & 0x7fff) << 13 | (bits & 0x8000) << 16);

  if ((bits & 0x7c00) != 0x7c00)
    return scaled * 0x1p112f;
  return (bits & 0x3ff) != 0 ? (double) NAN : (bits & 0x8000) != 0 ? -INFINITY : INFINITY;
}

/* Returns the value of the 16 bits of a bfloat16, exactly. */
double ptx_bfloat_value (guint bits);

/* Returns the value of the 8 bits of an FP8 number E4M3 (OCP), exactly; it has NaN but no infinities. */
double ptx_e4m3_value (guint bits);

/* Returns the value of the 8 bits of an FP8 number E5M2 (OCP), exactly. */
double ptx_e5m2_value (guint bits);

/* Rounds @value to the nearest FP8 number, E5M2 where @e5m2 is set and E4M3 else, and gives its bits. What is
 * beyond the largest finite number becomes that one (cvt with .satfinite); a NaN becomes 0x7f. */
guint ptx_round_to_byte (double value, gboolean e5m2);

/* Rounds @value once to @format in the direction @round, subnormal numbers included, as IEEE 754 says, and
 * gives its bits in the lowest places: the mantissa lowest. A NaN becomes PTX_HALF_NAN; too large a number
 * becomes infinity or the largest, as the direction says. */
guint ptx_round_to_format (double value, const PtxFormat *format, PtxRound round);

/* Rounds @value to a whole number in the direction @round: ties go to even, or away from zero for
 * PTX_ROUND_AWAY. */
double ptx_round_to_integer (double value, PtxRound round);

/* Adds with rounding to odd: where the sum is not exact, its last bit is 1, so that rounding it once more
 * to a format with two bits less gives what rounding the exact sum would (Boldo and Melquiond, 2008). */
double ptx_add_odd (double a, double b);

/* Returns the integer of @magnitude and sign as a double; what does not fit is rounded to odd, so that
 * rounding it once more to float is right. */
double ptx_integer_odd (guint64 magnitude, gboolean negative);

/* The operations that the processor rounds in all four directions. */
typedef enum
{
  PTX_ADD,
  PTX_SUBTRACT,
  PTX_MULTIPLY,
  PTX_FMA,
  PTX_DIVIDE,
  PTX_SQUARE_ROOT,
} PtxArithmetic;

/* Computes @operation on floats, rounded once in the direction @round. Only PTX_FMA reads @c, and the square
 * root reads @a alone. */
float ptx_float_rounded (PtxArithmetic operation, float a, float b, float c, PtxRound round);

/* Computes @operation on doubles, rounded once in the direction @round. Only PTX_FMA reads @c, and the square
 * root reads @a alone. */
double ptx_double_rounded (PtxArithmetic operation, double a, double b, double c, PtxRound round);

/* Rounds @value to float in the direction @round. */
float ptx_double_to_float (double value, PtxRound round);

/* Rounds a 64-bit integer to float once, in the direction @round; @is_signed tells that @value is in two's
 * complement. */
float ptx_integer_to_float (guint64 value, gboolean is_signed, PtxRound round);

/* Rounds a 64-bit integer to double once, in the direction @round; @is_signed tells that @value is in two's
 * complement. */
double ptx_integer_to_double (guint64 value, gboolean is_signed, PtxRound round);
