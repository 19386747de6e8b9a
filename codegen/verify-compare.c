/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "codegen/verify.h"

/* The norm of a - b, where equal infinities differ by nothing; of a alone without b. NaN where there is one. */
static double
norm (const double *a, const double *b, gint64 n)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double difference = b == NULL ? a[i] : a[i] - b[i];

      if (b == NULL ? !isinf (a[i]) : a[i] != b[i])
        sum += difference * difference;
    }
  return sqrt (sum);
}

static double
relative (double difference, double size)
{
  if (difference == 0)
    return 0;
  return size > 0 ? difference / size : (isnan (difference) ? NAN : INFINITY);
}

/* One row of the last axis: within 4 tolerances of its own norm, no element farther off than 16 tolerances of the row's root mean square
 * (or of its own size), so that one wrong element in a large array is seen. @least: what counts as nothing. NaN never passes. */
static gboolean
row_is_right (const double *row, const double *reference, gint64 n, double tolerance, double least)
{
  double size = MAX (norm (reference, NULL, n), least);

  for (gint64 i = 0; i < n; i++)
    if (row[i] != reference[i]
        && !(fabs (row[i] - reference[i]) <= 16 * tolerance * MAX (size / sqrt (n), fabs (reference[i]))))
      return FALSE;
  return norm (row, reference, n) <= 4 * tolerance * size;
}

static gboolean
rows_are_right (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *reference, double size, double tolerance)
{
  gint64 n = reference->n_dims > 0 ? reference->shape[reference->n_dims - 1] : 1;
  double mean = size / sqrt (reference->n_elements);

  for (gint64 i = 0; i < reference->n_elements; i += n)
    if (!row_is_right (array->data + i, reference->data + i, n, tolerance, mean * MAX (0.1, 1e-3 * sqrt (n))))
      {
        self->detail = g_strdup_printf (_ ("row %" PRId64 " of %s is wrong"), i / n, name);
        return FALSE;
      }
  return TRUE;
}

/* Compares one output: as a whole, and row by row. The worst of several is reported. */
gboolean
heddle_verify_compare (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *reference, double tolerance)
{
  gint64 n = reference->n_elements;
  double size = norm (reference->data, NULL, n);
  double error = relative (norm (array->data, reference->data, n), size);

  for (gint64 i = 0; i < n; i++)
    if (array->data[i] != reference->data[i])
      self->max_abs_error = MAX (self->max_abs_error, fabs (array->data[i] - reference->data[i]));
  if (self->tolerance == 0 || !(error / tolerance <= self->relative_error / self->tolerance))
    {
      self->relative_error = error;
      self->tolerance = tolerance;
    }
  if (error <= tolerance)
    return rows_are_right (self, name, array, reference, size, tolerance);
  self->detail = g_strdup_printf (_ ("%s is off by %.3g, %.3g is allowed"), name, error, tolerance);
  return FALSE;
}
