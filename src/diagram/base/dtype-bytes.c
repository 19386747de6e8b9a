/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype-bytes.h"

#include <math.h>
#include <string.h>

/* The small formats: sign, exponent, fraction from the top bit down. e4m3 has no infinity and one NaN. */
typedef struct
{
  guint exponent_bits, fraction_bits;
} SmallFormat;

static const SmallFormat small_formats[HEDDLE_N_DTYPES] = {
  [HEDDLE_DTYPE_F16] = { 5, 10 },
  [HEDDLE_DTYPE_BF16] = { 8, 7 },
  [HEDDLE_DTYPE_E5M2] = { 5, 2 },
  [HEDDLE_DTYPE_E4M3] = { 4, 3 },
};

static int
bias_of (const SmallFormat *format)
{
  return (1 << (format->exponent_bits - 1)) - 1;
}

/* Returns the bits of a value that the format represents exactly. */
static guint
encode_small (const SmallFormat *format, gboolean has_infinity, double value)
{
  guint sign = signbit (value) ? 1u << (format->exponent_bits + format->fraction_bits) : 0;
  guint all_ones = ((1u << format->exponent_bits) - 1) << format->fraction_bits;
  guint half_fraction = 1u << (format->fraction_bits - 1);
  int exponent;
  double magnitude = fabs (value);
  guint64 bits;

  if (isnan (value))
    return sign | all_ones | (has_infinity ? half_fraction : (1u << format->fraction_bits) - 1);
  if (isinf (value))
    return sign | all_ones;
  if (magnitude == 0)
    return sign;
  memcpy (&bits, &magnitude, sizeof bits);
  exponent = (int) (bits >> 52) - 1023 + bias_of (format);
  if (exponent < 1)
    return sign | (guint) ldexp (magnitude, bias_of (format) - 1 + (int) format->fraction_bits);
  return sign | ((guint) exponent << format->fraction_bits)
         | ((guint) (bits >> (52 - format->fraction_bits)) & ((1u << format->fraction_bits) - 1));
}

static double
decode_small (const SmallFormat *format, gboolean has_infinity, guint bits)
{
  guint fraction = bits & ((1u << format->fraction_bits) - 1);
  int exponent = (bits >> format->fraction_bits) & ((1u << format->exponent_bits) - 1);
  int top = (1 << format->exponent_bits) - 1;
  double sign = bits >> (format->exponent_bits + format->fraction_bits) ? -1 : 1;

  if (exponent == top && has_infinity)
    return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == top && fraction == (1u << format->fraction_bits) - 1)
    return NAN;
  if (exponent == 0)
    return sign * ldexp (fraction, 1 - bias_of (format) - (int) format->fraction_bits);
  return sign * ldexp (1 + ldexp (fraction, -(int) format->fraction_bits), exponent - bias_of (format));
}

void
heddle_dtype_encode (HeddleDtype dtype, double value, gpointer bytes)
{
  double rounded = heddle_dtype_round (dtype, value);
  float narrow = rounded;
  gint64 whole = 0;
  guint bits;

  if (!heddle_dtype_is_real (dtype) && !isnan (rounded))
    whole = rounded >= 0x1p63 ? G_MAXINT64 : (gint64) rounded;
  if (dtype == HEDDLE_DTYPE_F64)
    memcpy (bytes, &rounded, sizeof rounded);
  else if (dtype == HEDDLE_DTYPE_F32 || dtype == HEDDLE_DTYPE_TF32)
    memcpy (bytes, &narrow, sizeof narrow);
  else if (dtype == HEDDLE_DTYPE_I64)
    memcpy (bytes, &whole, sizeof whole);
  else if (dtype == HEDDLE_DTYPE_I32)
    *(gint32 *) bytes = CLAMP (whole, G_MININT32, G_MAXINT32);
  else if (dtype == HEDDLE_DTYPE_BOOL)
    *(guint8 *) bytes = rounded != 0;
  else
    {
      bits = encode_small (&small_formats[dtype], dtype != HEDDLE_DTYPE_E4M3, rounded);
      if (heddle_dtype_bytes (dtype) == 2)
        *(guint16 *) bytes = bits;
      else
        *(guint8 *) bytes = bits;
    }
}

double
heddle_dtype_decode (HeddleDtype dtype, gconstpointer bytes)
{
  const SmallFormat *format = &small_formats[dtype];

  switch (dtype)
    {
    case HEDDLE_DTYPE_F64:
      return *(const double *) bytes;
    case HEDDLE_DTYPE_F32:
    case HEDDLE_DTYPE_TF32:
      return *(const float *) bytes;
    case HEDDLE_DTYPE_I64:
      return *(const gint64 *) bytes;
    case HEDDLE_DTYPE_I32:
      return *(const gint32 *) bytes;
    case HEDDLE_DTYPE_BOOL:
      return *(const guint8 *) bytes != 0;
    case HEDDLE_DTYPE_F16:
    case HEDDLE_DTYPE_BF16:
      return decode_small (format, TRUE, *(const guint16 *) bytes);
    case HEDDLE_DTYPE_E5M2:
    case HEDDLE_DTYPE_E4M3:
      return decode_small (format, dtype == HEDDLE_DTYPE_E5M2, *(const guint8 *) bytes);
    case HEDDLE_DTYPE_UNSET:
    default:
      g_return_val_if_reached (NAN);
    }
}
