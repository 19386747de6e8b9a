/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"

#include <math.h>
#include <string.h>

/* The properties of a data type. A real format has `mantissa` stored bits of fraction, and normal numbers
 * from 2^min_exponent to `largest`; one whose products or sums of neighbours exceed `largest` goes to
 * infinity, or stays there where it saturates. */
typedef struct
{
  const char *name;
  guint bytes;
  gboolean is_real;
  int mantissa;
  int min_exponent;
  double largest;
  gboolean saturates;
  guint width; /* rank among all types: the widest is the one of the greater rank */
} DtypeRow;

static const DtypeRow rows[HEDDLE_N_DTYPES] = {
  [HEDDLE_DTYPE_UNSET] = { "", 0, TRUE, 52, -1022, G_MAXDOUBLE, FALSE, 0 },
  [HEDDLE_DTYPE_F64] = { "f64", 8, TRUE, 52, -1022, G_MAXDOUBLE, FALSE, 10 },
  [HEDDLE_DTYPE_F32] = { "f32", 4, TRUE, 23, -126, 0x1.fffffep127, FALSE, 9 },
  [HEDDLE_DTYPE_TF32] = { "tf32", 4, TRUE, 10, -126, 0x1.ffcp127, FALSE, 8 },
  [HEDDLE_DTYPE_BF16] = { "bf16", 2, TRUE, 7, -126, 0x1.fep127, FALSE, 7 },
  [HEDDLE_DTYPE_F16] = { "f16", 2, TRUE, 10, -14, 65504., FALSE, 6 },
  [HEDDLE_DTYPE_E5M2] = { "e5m2", 1, TRUE, 2, -14, 57344., FALSE, 5 },
  [HEDDLE_DTYPE_E4M3] = { "e4m3", 1, TRUE, 3, -6, 448., TRUE, 4 },
  [HEDDLE_DTYPE_I64] = { "i64", 8, FALSE, 0, 0, 0x1p63, TRUE, 3 },
  [HEDDLE_DTYPE_I32] = { "i32", 4, FALSE, 0, 0, 0x1p31, TRUE, 2 },
  [HEDDLE_DTYPE_BOOL] = { "bool", 1, FALSE, 0, 0, 1., TRUE, 1 },
};

const char *
heddle_dtype_to_string (HeddleDtype dtype)
{
  g_return_val_if_fail (dtype < HEDDLE_N_DTYPES, "");

  return rows[dtype].name;
}

gboolean
heddle_dtype_from_string (const char *name, HeddleDtype *dtype)
{
  g_return_val_if_fail (name != NULL && dtype != NULL, FALSE);

  for (guint i = HEDDLE_DTYPE_UNSET + 1; i < HEDDLE_N_DTYPES; i++)
    if (g_str_equal (rows[i].name, name))
      {
        *dtype = i;
        return TRUE;
      }
  return FALSE;
}

guint
heddle_dtype_bytes (HeddleDtype dtype)
{
  g_return_val_if_fail (dtype < HEDDLE_N_DTYPES, 0);

  return rows[dtype].bytes;
}

gboolean
heddle_dtype_is_real (HeddleDtype dtype)
{
  g_return_val_if_fail (dtype < HEDDLE_N_DTYPES, FALSE);

  return rows[dtype].is_real;
}

HeddleDtype
heddle_dtype_widest (HeddleDtype a, HeddleDtype b)
{
  g_return_val_if_fail (a < HEDDLE_N_DTYPES && b < HEDDLE_N_DTYPES, HEDDLE_DTYPE_UNSET);

  return rows[a].width >= rows[b].width ? a : b;
}

/* Returns 2 to the @exponent, which must be that of a normal double. */
static double
power_of_two (int exponent)
{
  guint64 bits = (guint64) (exponent + 1023) << 52;
  double power;

  memcpy (&power, &bits, sizeof power);
  return power;
}

/* Returns the exponent of the first bit of a number; for 0 and subnormal doubles it is less than any
 * type's. */
static int
exponent_of (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return (int) (bits >> 52 & 0x7ff) - 1023;
}

static double
round_real (const DtypeRow *row, double value)
{
  int exponent;
  double rounded;

  if (!isfinite (value))
    return row->saturates && isinf (value) ? copysign (row->largest, value) : value;

  /* The spacing of the format's numbers around the value: that of subnormals below the smallest normal one. */
  exponent = MAX (exponent_of (value), row->min_exponent) - row->mantissa;
  if (exponent > 512)
    return copysign (row->saturates ? row->largest : INFINITY, value);
  rounded = rint (value * power_of_two (-exponent)) * power_of_two (exponent);

  if (fabs (rounded) > row->largest)
    return copysign (row->saturates ? row->largest : INFINITY, value);
  return rounded;
}

static double
round_integer (HeddleDtype dtype, double value)
{
  double limit = rows[dtype].largest;

  if (dtype == HEDDLE_DTYPE_BOOL)
    return value != 0.;
  if (isnan (value))
    return 0.;
  /* 2^63 - 1 is no double, so that the largest i64 reads as 2^63. */
  return CLAMP (trunc (value), -limit, dtype == HEDDLE_DTYPE_I64 ? limit : limit - 1.);
}

double
heddle_dtype_round (HeddleDtype dtype, double value)
{
  g_return_val_if_fail (dtype < HEDDLE_N_DTYPES, value);

  if (!rows[dtype].is_real)
    return round_integer (dtype, value);
  if (rows[dtype].mantissa == 52)
    return value;
  if (dtype == HEDDLE_DTYPE_F32)
    return (float) value;
  return round_real (&rows[dtype], value);
}
