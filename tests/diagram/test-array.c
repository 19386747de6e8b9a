/* SPDX-License-Identifier: MIT */
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"

#include <math.h>
#include <string.h>

static HeddleArray *
array_of (gint64 n, const double *values)
{
  HeddleArray *self = heddle_array_new (HEDDLE_DTYPE_F64, 1, &n, NULL);

  memcpy (self->data, values, n * sizeof (double));
  return self;
}

static void
test_new (void)
{
  const gint64 shape[] = { 2, 3 };
  g_autoptr (HeddleArray) array = heddle_array_new (HEDDLE_DTYPE_F32, 2, shape, NULL);
  g_autoptr (HeddleArray) scalar = heddle_array_new (HEDDLE_DTYPE_F64, 0, NULL, NULL);

  g_assert_cmpint (array->n_elements, ==, 6);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (array->data[i], ==, 0.);
  g_assert_cmpint (scalar->n_elements, ==, 1);
  g_assert_cmpuint (scalar->n_dims, ==, 0);
}

static void
test_limit (void)
{
  static const gint64 shapes[][3]
      = { { G_MAXINT64, 1, 1 }, { 1 << 20, 1 << 20, 1 }, { 1LL << 40, 1LL << 40, 1LL << 40 }, { -1, 1, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (heddle_array_new (HEDDLE_DTYPE_F64, 3, shapes[i], &error));
      g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT);
    }
}

static void
test_round (void)
{
  g_autoptr (HeddleArray) array = array_of (2, (double[]){ .1, 70000. });

  heddle_array_round (array, HEDDLE_DTYPE_F16);
  g_assert_cmpfloat (array->data[0], ==, 0x1.998p-4);
  g_assert_cmpfloat (array->data[1], ==, INFINITY);
  g_assert_cmpuint (array->dtype, ==, HEDDLE_DTYPE_F16);
}

static void
test_random (void)
{
  const gint64 n = 100001;
  g_autoptr (HeddleArray) a = heddle_array_new (HEDDLE_DTYPE_F64, 1, &n, NULL);
  g_autoptr (HeddleArray) b = heddle_array_new (HEDDLE_DTYPE_F64, 1, &n, NULL);
  g_autoptr (HeddleArray) half = heddle_array_new (HEDDLE_DTYPE_F16, 1, &n, NULL);
  double moments[5] = { 0. };

  heddle_array_fill_random (a, 1);
  heddle_array_fill_random (b, 1);
  g_assert_cmpmem (a->data, n * sizeof (double), b->data, n * sizeof (double));
  heddle_array_fill_random (b, 2);
  g_assert_cmpfloat (heddle_array_relative_error (a, b, NULL), >, 1.);
  heddle_array_fill_random (half, 1);
  g_assert_cmpfloat (half->data[7], ==, heddle_dtype_round (HEDDLE_DTYPE_F16, a->data[7]));

  /* The moments of a standard normal distribution, within 5 standard errors. */
  for (gint64 i = 0; i < n; i++)
    for (guint k = 1; k < 5; k++)
      moments[k] += pow (a->data[i], k) / n;
  g_assert_cmpfloat_with_epsilon (moments[1], 0., 5. * sqrt (1. / n));
  g_assert_cmpfloat_with_epsilon (moments[2], 1., 5. * sqrt (2. / n));
  g_assert_cmpfloat_with_epsilon (moments[3], 0., 5. * sqrt (15. / n));
  g_assert_cmpfloat_with_epsilon (moments[4], 3., 5. * sqrt (96. / n));
}

static void
test_random_bool (void)
{
  const gint64 n = 1000;
  g_autoptr (HeddleArray) array = heddle_array_new (HEDDLE_DTYPE_BOOL, 1, &n, NULL);
  double sum = 0.;

  heddle_array_fill_random (array, 3);
  for (gint64 i = 0; i < n; i++)
    sum += array->data[i];
  g_assert_cmpfloat (sum, >, 400.);
  g_assert_cmpfloat (sum, <, 600.);
}

static void
test_relative_error (void)
{
  g_autoptr (HeddleArray) a = array_of (2, (double[]){ 3., 5. });
  g_autoptr (HeddleArray) b = array_of (2, (double[]){ 3., 4. });
  g_autoptr (HeddleArray) zero = array_of (2, (double[]){ 0., 0. });
  g_autoptr (HeddleArray) not_number = array_of (2, (double[]){ NAN, 4. });
  g_autoptr (HeddleArray) infinite = array_of (2, (double[]){ -INFINITY, 4. });
  double greatest;

  g_assert_cmpfloat_with_epsilon (heddle_array_relative_error (a, b, &greatest), .2, 1e-15);
  g_assert_cmpfloat (greatest, ==, 1.);
  g_assert_cmpfloat (heddle_array_relative_error (zero, zero, &greatest), ==, 0.);
  g_assert_cmpfloat (greatest, ==, 0.);
  g_assert_cmpfloat (heddle_array_relative_error (a, zero, NULL), ==, INFINITY);
  g_assert_true (isnan (heddle_array_relative_error (not_number, b, &greatest)));
  g_assert_true (isnan (greatest));
  g_assert_true (isnan (heddle_array_relative_error (b, not_number, NULL)));
  g_assert_true (isnan (heddle_array_relative_error (not_number, not_number, NULL)));
  g_assert_cmpfloat (heddle_array_relative_error (infinite, infinite, NULL), ==, 0.);
  g_assert_cmpfloat (heddle_array_relative_error (b, infinite, &greatest), ==, INFINITY);
  g_assert_cmpfloat (greatest, ==, INFINITY);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/array/new", test_new);
  g_test_add_func ("/array/limit", test_limit);
  g_test_add_func ("/array/round", test_round);
  g_test_add_func ("/array/random", test_random);
  g_test_add_func ("/array/random-bool", test_random_bool);
  g_test_add_func ("/array/relative-error", test_relative_error);
  return g_test_run ();
}
