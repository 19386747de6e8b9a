/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"

#include <math.h>
#include <stdlib.h>

static void
test_names (void)
{
  HeddleDtype dtype = HEDDLE_DTYPE_UNSET;

  for (HeddleDtype i = HEDDLE_DTYPE_F64; i < HEDDLE_N_DTYPES; i++)
    {
      g_assert_true (heddle_dtype_from_string (heddle_dtype_to_string (i), &dtype));
      g_assert_cmpuint (dtype, ==, i);
      g_assert_cmpuint (heddle_dtype_bytes (i), >, 0);
    }
  g_assert_false (heddle_dtype_from_string ("", &dtype));
  g_assert_false (heddle_dtype_from_string ("f8", &dtype));
  g_assert_cmpuint (heddle_dtype_bytes (HEDDLE_DTYPE_UNSET), ==, 0);
  g_assert_cmpuint (heddle_dtype_bytes (HEDDLE_DTYPE_TF32), ==, 4);
  g_assert_cmpuint (heddle_dtype_bytes (HEDDLE_DTYPE_E4M3), ==, 1);
  g_assert_true (heddle_dtype_is_real (HEDDLE_DTYPE_BF16));
  g_assert_false (heddle_dtype_is_real (HEDDLE_DTYPE_BOOL));
}

static void
test_widest (void)
{
  for (HeddleDtype a = 0; a < HEDDLE_N_DTYPES; a++)
    {
      g_assert_cmpuint (heddle_dtype_widest (a, HEDDLE_DTYPE_UNSET), ==, a);
      g_assert_cmpuint (heddle_dtype_widest (HEDDLE_DTYPE_F64, a), ==, HEDDLE_DTYPE_F64);
      for (HeddleDtype b = 0; b < HEDDLE_N_DTYPES; b++)
        g_assert_cmpuint (heddle_dtype_widest (a, b), ==, heddle_dtype_widest (b, a));
    }
  g_assert_cmpuint (heddle_dtype_widest (HEDDLE_DTYPE_F16, HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_F32);
  g_assert_cmpuint (heddle_dtype_widest (HEDDLE_DTYPE_E4M3, HEDDLE_DTYPE_F16), ==, HEDDLE_DTYPE_F16);
  g_assert_cmpuint (heddle_dtype_widest (HEDDLE_DTYPE_I64, HEDDLE_DTYPE_E4M3), ==, HEDDLE_DTYPE_E4M3);
  g_assert_cmpuint (heddle_dtype_widest (HEDDLE_DTYPE_BOOL, HEDDLE_DTYPE_I32), ==, HEDDLE_DTYPE_I32);
}

/* A floating-point format by its bits, from its standard: all finite values that are not negative, in order. */
typedef struct
{
  HeddleDtype dtype;
  int exponent_bits, mantissa_bits, bias;
  gboolean has_infinity;
} Format;

static const Format formats[] = {
  { HEDDLE_DTYPE_F16, 5, 10, 15, TRUE },
  { HEDDLE_DTYPE_BF16, 8, 7, 127, TRUE },
  { HEDDLE_DTYPE_TF32, 8, 10, 127, TRUE },
  { HEDDLE_DTYPE_E5M2, 5, 2, 15, TRUE },
  { HEDDLE_DTYPE_E4M3, 4, 3, 7, FALSE },
};

static double
decode (const Format *format, guint bits)
{
  guint mantissa = bits & ((1u << format->mantissa_bits) - 1);
  int exponent = bits >> format->mantissa_bits;

  if (exponent == 0)
    return ldexp (mantissa, 1 - format->bias - format->mantissa_bits);
  return ldexp (mantissa + (1u << format->mantissa_bits), exponent - format->bias - format->mantissa_bits);
}

static guint
count_finite (const Format *format)
{
  /* With infinities the greatest exponent is theirs and NaN's; e4m3 gives up only the code of all ones, for NaN. */
  return format->has_infinity ? ((1u << format->exponent_bits) - 1) << format->mantissa_bits
                              : (1u << (format->exponent_bits + format->mantissa_bits)) - 1;
}

/* Nearest by search, ties to the even code; beyond the largest, the next code counts as infinity. */
static double
round_by_search (const Format *format, double value)
{
  guint low = 0, high = count_finite (format);
  double magnitude = fabs (value);

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (decode (format, middle) <= magnitude)
        low = middle;
      else
        high = middle;
    }
  if (magnitude - decode (format, low) > decode (format, low + 1) - magnitude
      || (magnitude - decode (format, low) == decode (format, low + 1) - magnitude && low % 2 == 1))
    low++;
  if (low < count_finite (format))
    return copysign (decode (format, low), value);
  return copysign (format->has_infinity ? INFINITY : decode (format, count_finite (format) - 1), value);
}

static void
test_values_stay (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    for (guint bits = 0; bits < count_finite (&formats[i]); bits++)
      {
        double value = decode (&formats[i], bits);

        g_assert_cmpfloat (heddle_dtype_round (formats[i].dtype, value), ==, value);
        g_assert_cmpfloat (heddle_dtype_round (formats[i].dtype, -value), ==, -value);
      }
}

static void
test_round_to_nearest (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const Format *format = &formats[i];

      for (guint j = 0; j < 20000; j++)
        {
          guint bits = g_rand_int_range (random, 0, count_finite (format));
          double low = decode (format, bits), gap = decode (format, bits + 1) - low;
          double value = low + gap * (j % 4 == 0 ? .5 : g_rand_double (random));

          g_assert_cmpfloat (heddle_dtype_round (format->dtype, value), ==, round_by_search (format, value));
          g_assert_cmpfloat (
              heddle_dtype_round (format->dtype, -value), ==, round_by_search (format, -value));
        }
    }
}

static void
test_extremes (void)
{
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F16, 65519.), ==, 65504.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F16, 65520.), ==, INFINITY);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F16, 0x1p-25), ==, 0.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F16, 0x1.8p-25), ==, 0x1p-24);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_E4M3, 1e300), ==, 448.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_E4M3, -INFINITY), ==, -448.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_E5M2, 1e300), ==, INFINITY);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_BF16, 1.00390625), ==, 1.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F32, 1e39), ==, INFINITY);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F32, .1), ==, (double) .1f);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_F64, .1), ==, .1);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_UNSET, .1), ==, .1);
  for (HeddleDtype dtype = HEDDLE_DTYPE_F64; dtype <= HEDDLE_DTYPE_E5M2; dtype++)
    {
      g_assert_true (isnan (heddle_dtype_round (dtype, NAN)));
      g_assert_true (signbit (heddle_dtype_round (dtype, -0.)));
    }
}

static void
test_integers (void)
{
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_I32, -2.9), ==, -2.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_I32, 1e12), ==, 2147483647.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_I32, -1e12), ==, -2147483648.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_I64, 1e12 + .5), ==, 1e12);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_I64, NAN), ==, 0.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_BOOL, -.25), ==, 1.);
  g_assert_cmpfloat (heddle_dtype_round (HEDDLE_DTYPE_BOOL, 0.), ==, 0.);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/dtype/names", test_names);
  g_test_add_func ("/dtype/widest", test_widest);
  g_test_add_func ("/dtype/values-stay", test_values_stay);
  g_test_add_func ("/dtype/round-to-nearest", test_round_to_nearest);
  g_test_add_func ("/dtype/extremes", test_extremes);
  g_test_add_func ("/dtype/integers", test_integers);
  return g_test_run ();
}
