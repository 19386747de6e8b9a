/* SPDX-License-Identifier: MIT */
#include <fenv.h>

#include "codegen/ptx/number.h"

const PtxFormat ptx_format_half = { 10, -14, 15 };
const PtxFormat ptx_format_bfloat = { 7, -126, 127 };
const PtxFormat ptx_format_tf32 = { 10, -126, 127 };

/* The largest finite numbers of the formats of 8 bits, and how their NaN is written. */
#define E4M3_LARGEST 0x7e
#define E5M2_LARGEST 0x7b
#define BYTE_NAN 0x7f

/* Returns the value of a number of type bf16: the upper half of a float. */
double
ptx_bfloat_value (guint bits)
{
  return ptx_bits_float (bits << 16);
}

/* Returns the value of a number of type e4m3 (PTX ISA, "Alternate Floating-Point Data Formats"): it has no
 * infinity, and one NaN of each sign. */
double
ptx_e4m3_value (guint bits)
{
  guint exponent = bits >> 3 & 15, mantissa = bits & 7;
  double sign = (bits & 0x80) != 0 ? -1 : 1;
  if ((bits & 0x7f) == 0x7f)
    return (double) NAN;
  return sign * (exponent == 0 ? ldexp (mantissa, -9) : ldexp (8 + mantissa, (int) exponent - 10));
}

/* Returns the value of a number of type e5m2: the upper half of an f16. */
double
ptx_e5m2_value (guint bits)
{
  return ptx_half_value (bits << 8);
}

guint
ptx_round_to_byte (double value, gboolean e5m2)
{
  static const PtxFormat e4m3_format = { 3, -6, 8 }, e5m2_format = { 2, -14, 15 };
  const PtxFormat *format = e5m2 ? &e5m2_format : &e4m3_format;
  const double largest = e5m2 ? ptx_e5m2_value (E5M2_LARGEST) : ptx_e4m3_value (E4M3_LARGEST);
  const double size = MIN (fabs (value), largest);
  const int exponent = size > 0 ? MAX (ilogb (size), format->least) : format->least;

  if (isnan (value))
    return BYTE_NAN;
  return (guint) rint (ldexp (size, (int) format->mantissa - exponent))
         + ((guint) (exponent - format->least) << format->mantissa) + (signbit (value) != 0 ? 0x80 : 0);
}

/* Returns @value rounded to an integer in the direction @round. */
double
ptx_round_to_integer (double value, PtxRound round)
{
  switch (round)
    {
    case PTX_ROUND_ZERO:
    case PTX_ROUND_ZERO_INTEGER:
      return trunc (value);
    case PTX_ROUND_DOWN:
    case PTX_ROUND_DOWN_INTEGER:
      return floor (value);
    case PTX_ROUND_UP:
    case PTX_ROUND_UP_INTEGER:
      return ceil (value);
    case PTX_ROUND_AWAY:
      return copysign (floor (fabs (value) + 0.5), value);
    default:
      return rint (value);
    }
}

/* Returns whether a value beyond the largest finite number becomes infinity: if the direction points back at
 * that number, it becomes that number. */
static gboolean
overflows_to_infinity (gboolean negative, PtxRound round)
{
  if (round == PTX_ROUND_ZERO)
    return FALSE;
  if (round == PTX_ROUND_DOWN)
    return negative;
  if (round == PTX_ROUND_UP)
    return !negative;
  return TRUE;
}

guint
ptx_round_to_format (double value, const PtxFormat *format, PtxRound round)
{
  gboolean negative = signbit (value) != 0;
  guint exponents = (guint) (format->most - format->least + 1);
  guint infinity = (exponents + 1) << format->mantissa;
  guint bits = 0;
  if (isnan (value))
    return PTX_HALF_NAN;
  if (isinf (value))
    bits = infinity;
  else if (value != 0)
    {
      int exponent = MAX (ilogb (value), format->least);
      double scaled = ptx_round_to_integer (ldexp (value, (int) format->mantissa - exponent), round);
      /* A carry out of the mantissa runs into the exponent, which is what it should do. */
      bits = (guint) fabs (scaled) + ((guint) (exponent - format->least) << format->mantissa);
      if (bits >= infinity)
        bits = overflows_to_infinity (negative, round) ? infinity : infinity - 1;
    }
  return bits | (guint) negative << (format->mantissa + (format == &ptx_format_half ? 5 : 8));
}

double
ptx_add_odd (double a, double b)
{
  double sum = a + b;
  double back = sum - a;
  double error = (a - (sum - back)) + (b - back);
  if (isfinite (sum) && error != 0 && (ptx_double_bits (sum) & 1) == 0)
    sum = nextafter (sum, error > 0 ? INFINITY : -INFINITY);
  return sum;
}

/* Returns an integer as a double, rounded to odd for the same reason. */
double
ptx_integer_odd (guint64 magnitude, gboolean negative)
{
  if (magnitude >> 53 != 0)
    magnitude = (magnitude >> 12 | ((magnitude & 0xfff) != 0)) << 12;
  double value = (double) magnitude;
  return negative ? -value : value;
}

static int
direction (PtxRound round)
{
  switch (round)
    {
    case PTX_ROUND_ZERO:
      return FE_TOWARDZERO;
    case PTX_ROUND_DOWN:
      return FE_DOWNWARD;
    case PTX_ROUND_UP:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
    }
}

/* The operands and the result are volatile, so that the compiler leaves the operation between the two changes of
 * the direction. */
#define ROUNDED(type, fma_function, sqrt_function)                                                           \
  volatile type x = a, y = b, z = c, result;                                                                 \
  int before = fegetround ();                                                                                \
  fesetround (direction (round));                                                                            \
  switch (operation)                                                                                         \
    {                                                                                                        \
    case PTX_ADD:                                                                                            \
      result = x + y;                                                                                        \
      break;                                                                                                 \
    case PTX_SUBTRACT:                                                                                       \
      result = x - y;                                                                                        \
      break;                                                                                                 \
    case PTX_MULTIPLY:                                                                                       \
      result = x * y;                                                                                        \
      break;                                                                                                 \
    case PTX_FMA:                                                                                            \
      result = fma_function (x, y, z);                                                                       \
      break;                                                                                                 \
    case PTX_DIVIDE:                                                                                         \
      result = x / y;                                                                                        \
      break;                                                                                                 \
    default:                                                                                                 \
      result = sqrt_function (x);                                                                            \
      break;                                                                                                 \
    }                                                                                                        \
  fesetround (before);                                                                                       \
  return result

float
ptx_float_rounded (PtxArithmetic operation, float a, float b, float c, PtxRound round)
{
  ROUNDED (float, fmaf, sqrtf);
}

double
ptx_double_rounded (PtxArithmetic operation, double a, double b, double c, PtxRound round)
{
  ROUNDED (double, fma, sqrt);
}

float
ptx_double_to_float (double value, PtxRound round)
{
  if (round <= PTX_ROUND_NEAREST)
    return (float) value;
  volatile double x = value;
  int before = fegetround ();
  fesetround (direction (round));
  volatile float result = (float) x;
  fesetround (before);
  return result;
}

float
ptx_integer_to_float (guint64 value, gboolean is_signed, PtxRound round)
{
  gboolean negative = is_signed && (gint64) value < 0;
  return ptx_double_to_float (ptx_integer_odd (negative ? -value : value, negative), round);
}

double
ptx_integer_to_double (guint64 value, gboolean is_signed, PtxRound round)
{
  if (round <= PTX_ROUND_NEAREST)
    return is_signed ? (double) (gint64) value : (double) value;
  volatile guint64 x = value;
  int before = fegetround ();
  fesetround (direction (round));
  volatile double result = is_signed ? (double) (gint64) x : (double) x;
  fesetround (before);
  return result;
}
