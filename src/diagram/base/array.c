/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/array.h"
#include "diagram/base/error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_BYTES (G_GINT64_CONSTANT (1) << 40)

gint64
heddle_array_count_elements (guint n_dims, const gint64 *shape)
{
  gint64 limit = MAX_BYTES / sizeof (double), n = 1;
  gboolean empty = FALSE;

  for (guint i = 0; i < n_dims; i++)
    {
      if (shape[i] < 0)
        return -1;
      empty = empty || shape[i] == 0;
    }
  for (guint i = 0; i < n_dims && !empty; i++)
    {
      if (n > limit / shape[i])
        return -1;
      n *= shape[i];
    }
  return empty ? 0 : n;
}

HeddleArray *
heddle_array_new (HeddleDtype dtype, guint n_dims, const gint64 *shape, GError **error)
{
  gint64 n = heddle_array_count_elements (n_dims, shape);
  double *data = n < 0 ? NULL : g_try_malloc0_n (MAX (n, 1), sizeof (double));
  HeddleArray *self;

  if (data == NULL)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint i = 0; i < n_dims; i++)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", shape[i]);
      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT,
          _ ("an array of shape [%s] does not fit in memory"), text->str);
      return NULL;
    }

  self = g_new0 (HeddleArray, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->dtype = dtype;
  self->n_dims = n_dims;
  self->shape = g_memdup2 (shape, n_dims * sizeof (gint64));
  self->n_elements = n;
  self->data = data;
  return self;
}

HeddleArray *
heddle_array_ref (HeddleArray *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
heddle_array_unref (HeddleArray *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->shape);
  g_free (self->data);
  g_free (self);
}

void
heddle_array_round (HeddleArray *self, HeddleDtype dtype)
{
  g_return_if_fail (self != NULL);

  self->dtype = dtype;
  if (dtype == HEDDLE_DTYPE_UNSET || dtype == HEDDLE_DTYPE_F64)
    return;
  for (gint64 i = 0; i < self->n_elements; i++)
    self->data[i] = heddle_dtype_round (dtype, self->data[i]);
}

/* --- random values ------------------------------------------------------------------- */

/* Returns the next 64 random bits of splitmix64: Steele, Lea & Flood, "Fast splittable pseudorandom number
 * generators" (OOPSLA 2014). */
static guint64
next_bits (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Returns a number that is uniform in [-1, 1): a multiple of 2^-52. */
static double
next_uniform (guint64 *state)
{
  return (double) (next_bits (state) >> 11) * 0x1p-52 - 1.;
}

/* Draws two independent standard normal values by Marsaglia's polar method. */
static void
next_normals (guint64 *state, double *a, double *b)
{
  double r, scale;

  do
    {
      *a = next_uniform (state);
      *b = next_uniform (state);
      r = *a * *a + *b * *b;
    }
  while (r >= 1. || r == 0.);
  scale = sqrt (-2. * log (r) / r);
  *a *= scale;
  *b *= scale;
}

void
heddle_array_fill_random (HeddleArray *self, guint64 seed)
{
  guint64 state = seed;
  double pair[2];

  g_return_if_fail (self != NULL);

  for (gint64 i = 0; i < self->n_elements; i++)
    {
      if (i % 2 == 0)
        next_normals (&state, &pair[0], &pair[1]);
      self->data[i] = self->dtype == HEDDLE_DTYPE_BOOL ? pair[i % 2] > 0. : pair[i % 2];
    }
  heddle_array_round (self, self->dtype);
}

void
heddle_array_drop_signs (HeddleArray *self)
{
  for (gint64 i = 0; i < self->n_elements; i++)
    self->data[i] = fabs (self->data[i]);
}

/* --- comparison ---------------------------------------------------------------------- */

double
heddle_array_relative_error (const HeddleArray *a, const HeddleArray *b, double *max_abs)
{
  double differences = 0., norm = 0., greatest = 0.;

  g_return_val_if_fail (a != NULL && b != NULL && a->n_elements == b->n_elements, NAN);

  for (gint64 i = 0; i < a->n_elements; i++)
    {
      double difference = a->data[i] == b->data[i] ? 0. : fabs (a->data[i] - b->data[i]);

      differences += difference * difference;
      if (!isinf (b->data[i]))
        norm += b->data[i] * b->data[i];
      /* Once NaN it stays: no comparison with it holds. */
      if (!(difference <= greatest) && !isnan (greatest))
        greatest = difference;
    }
  if (max_abs != NULL)
    *max_abs = greatest;
  if (differences == 0.)
    return 0.;
  return sqrt (differences) / sqrt (norm);
}
