/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "codegen/verify/compare.h"
#include "diagram/base/dtype.h"

/* Returns the norm of a - b, where equal infinities differ by nothing; of a alone without b. It is NaN if an
 * element is. */
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

/* The factor by which f32 arithmetic may be farther off than perturbed values: its functions are within 4
 * units in the last place (powf is the worst; CUDA C++ Programming Guide, "Mathematical Functions"), and
 * perturbed values half a unit off. */
#define TIMES_PERTURBED 8

typedef struct
{
  const double *made, *reference;
  const double *perturbed; /* the reference of values off as those of f32 may be; NULL: not looked at */
} Row;

/* Returns the greatest error of an element of the row that lacking digits on the way can explain. */
static double
most_unsure (const Row *row, gint64 n)
{
  double most = 0;

  for (gint64 i = 0; row->perturbed != NULL && i < n; i++)
    most = fmax (most, fabs (row->perturbed[i] - row->reference[i]));
  return isfinite (most) ? TIMES_PERTURBED * most : 0;
}

/* Returns the norm of the errors of all elements that lacking digits can explain. */
static double
norm_unsure (const Row *row, gint64 n)
{
  double moved = row->perturbed != NULL ? norm (row->perturbed, row->reference, n) : 0;

  return isfinite (moved) ? TIMES_PERTURBED * moved : 0;
}

/* Returns whether one row is right: within 4 tolerances of its own norm, and with no element
 * farther off than 16 tolerances of the row's root mean square (or of its own size), so that one wrong
 * element in a large array is seen. @least is the size that counts as nothing. NaN never passes. */
static gboolean
row_is_right (const Row *row, gint64 n, double tolerance, double least)
{
  double size = MAX (norm (row->reference, NULL, n), least), unsure = most_unsure (row, n);

  for (gint64 i = 0; i < n; i++)
    {
      double reference = row->reference[i];
      double allowed = 16 * tolerance * MAX (size / sqrt (n), fabs (reference));

      if (row->made[i] != reference && !(fabs (row->made[i] - reference) <= MAX (allowed, unsure)))
        return FALSE;
    }
  return norm (row->made, row->reference, n) <= MAX (4 * tolerance * size, norm_unsure (row, n));
}

/* The least number of elements that are held to their own size: a few may cancel by chance, and what they are
 * off by does not. */
#define LEAST_ROW 16

/* Returns the number of elements of a row: those of the last axis, and of the axes before it while they are
 * few. */
static gint64
row_length (const HeddleArray *array)
{
  gint64 n = 1;

  for (guint i = array->n_dims; i-- > 0 && n < LEAST_ROW;)
    n *= array->shape[i];
  return n;
}

static gboolean
rows_are_right (HeddleVerification *self, const char *name, const Row *whole, const HeddleArray *reference,
    double size, double tolerance)
{
  gint64 n = row_length (reference);
  double mean = size / sqrt (reference->n_elements);

  for (gint64 i = 0; i < reference->n_elements; i += n)
    {
      Row row
          = { whole->made + i, whole->reference + i, whole->perturbed != NULL ? whole->perturbed + i : NULL };

      if (row_is_right (&row, n, tolerance, mean * MAX (0.1, 1e-3 * sqrt (n))))
        continue;
      self->detail = g_strdup_printf (_ ("row %" PRId64 " of %s is wrong"), i / n, name);
      return FALSE;
    }
  return TRUE;
}

/* Returns the smallest number above 0 of a type: below it, what is stored is off by as much. Returns 0 if
 * nothing is stored. */
static double
smallest_of (HeddleDtype stored)
{
  switch (stored)
    {
    case HEDDLE_DTYPE_F32:
    case HEDDLE_DTYPE_TF32:
      return 0x1p-149;
    case HEDDLE_DTYPE_F16:
      return 0x1p-24;
    case HEDDLE_DTYPE_BF16:
      return 0x1p-133;
    case HEDDLE_DTYPE_E4M3:
      return 0x1p-9;
    case HEDDLE_DTYPE_E5M2:
      return 0x1p-16;
    default:
      return 0;
    }
}

/* The size from which on f32 arithmetic has everything: the reciprocal of an exponential that overflows loses
 * what is smaller, as sigmoids and all that is made of them do. */
#define LEAST_F32 0x1p-120

/* Returns whether @made is what storing the reference gives if the type has no number near it: below its
 * smallest, or beyond its largest. */
static gboolean
is_out_of_range (double made, double reference, HeddleDtype stored, double tolerance)
{
  double beyond = heddle_dtype_round (stored, reference * (1 + tolerance));

  if (smallest_of (stored) == 0 || isnan (made) || !isfinite (reference))
    return FALSE;
  return fabs (made - reference) <= MAX (smallest_of (stored), LEAST_F32)
         || (made == beyond && beyond == heddle_dtype_round (stored, 2 * reference));
}

/* Returns the reference, with the computed element in place of each one that is out of the stored type's
 * range. */
static HeddleArray *
store (const HeddleArray *reference, const HeddleArray *made, HeddleDtype stored, double tolerance)
{
  HeddleArray *expected = heddle_array_new (HEDDLE_DTYPE_F64, reference->n_dims, reference->shape, NULL);

  for (gint64 i = 0; i < reference->n_elements; i++)
    expected->data[i] = is_out_of_range (made->data[i], reference->data[i], stored, tolerance)
                            ? made->data[i]
                            : reference->data[i];
  return expected;
}

/* Returns the elements of @made, and puts 0 into it and into @reference where both are NaN: where a program has
 * no value, as 0 / 0 has none, the kernel has none either. Returns NULL if there is no other element. */
static HeddleArray *
take_nan_out (const HeddleArray *made, HeddleArray *reference)
{
  HeddleArray *own = heddle_array_new (HEDDLE_DTYPE_F64, made->n_dims, made->shape, NULL);
  gint64 n = 0;

  for (gint64 i = 0; i < reference->n_elements; i++)
    {
      gboolean none = isnan (made->data[i]) && isnan (reference->data[i]);

      n += none;
      own->data[i] = none ? 0 : made->data[i];
      reference->data[i] = none ? 0 : reference->data[i];
    }
  if (n > 0 && n == reference->n_elements)
    g_clear_pointer (&own, heddle_array_unref);
  return own;
}

/* Compares one output that has values: as a whole, and row by row. The worst of several is reported. */
static gboolean
compare_values (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *reference, const HeddleArray *perturbed, double tolerance)
{
  Row whole = { array->data, reference->data, perturbed != NULL ? perturbed->data : NULL };
  gint64 n = reference->n_elements;
  double size = norm (reference->data, NULL, n);
  double error = relative (norm (array->data, reference->data, n), size);
  double allowed = MAX (tolerance, size > 0 ? norm_unsure (&whole, n) / size : 0);

  for (gint64 i = 0; i < n; i++)
    if (array->data[i] != reference->data[i])
      self->max_abs_error = MAX (self->max_abs_error, fabs (array->data[i] - reference->data[i]));
  if (self->tolerance == 0 || !(error / allowed <= self->relative_error / self->tolerance))
    {
      self->relative_error = error;
      self->tolerance = allowed;
    }
  if (error <= allowed)
    return rows_are_right (self, name, &whole, reference, size, tolerance);
  self->detail = g_strdup_printf (_ ("%s is off by %.3g, %.3g is allowed"), name, error, allowed);
  return FALSE;
}

gboolean
heddle_verify_compare (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *exact, const HeddleArray *perturbed, HeddleDtype stored, double tolerance)
{
  g_autoptr (HeddleArray) reference = store (exact, array, stored, tolerance);
  g_autoptr (HeddleArray) values = take_nan_out (array, reference);

  if (values != NULL)
    return compare_values (self, name, values, reference, perturbed, tolerance);
  self->relative_error = NAN;
  self->detail = g_strdup_printf (
      _ ("all of %s is NaN, in the kernel as in the program: nothing can be compared"), name);
  return FALSE;
}
