/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/sizes.h"
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/reindex.h"
#include "diagram/evaluate/walk.h"

#include <math.h>

struct _HeddleReader
{
  const HeddleBatch *batch;
  guint n;
  HeddleBound **indices;
  double *limits; /* sizes of the operand's axes */
  gint64 *strides;
  gint64 offsets[HEDDLE_BATCH];
};

HeddleReader *
heddle_reader_new (HeddleRun *run, const HeddleBatch *batch, const gint64 *strides, GError **error)
{
  g_autoptr (HeddleReader) self = g_new0 (HeddleReader, 1);
  const GArray *axes = heddle_run_operand_axes (run, 0);
  HeddleBinding binding = { batch, run->operand_values->len, run->data, NULL, NULL };

  self->batch = batch;
  self->n = MIN (run->operation->indices->len, axes->len);
  self->indices = g_new0 (HeddleBound *, self->n);
  self->limits = g_new (double, self->n);
  self->strides = g_memdup2 (strides, self->n * sizeof (gint64));
  for (guint i = 0; i < self->n; i++)
    {
      self->limits[i] = (double) heddle_sizes_get (run->evaluation->sizes, heddle_ids_index (axes, i));
      self->indices[i] = heddle_bound_new (g_ptr_array_index (run->operation->indices, i), &binding, error);
      if (self->indices[i] == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
heddle_reader_free (HeddleReader *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->indices[i], heddle_bound_free);
  g_free (self->indices);
  g_free (self->limits);
  g_free (self->strides);
  g_free (self);
}

gint64 *
heddle_run_operand_strides (const HeddleRun *self, const GArray *axes)
{
  const GArray *operand_axes = heddle_run_operand_axes (self, 0);
  gint64 *strides = g_new (gint64, operand_axes->len);

  for (guint i = 0; i < operand_axes->len; i++)
    strides[i] = heddle_axes_stride (self->evaluation->sizes, axes, heddle_ids_index (operand_axes, i));
  return strides;
}

static void
add_index (HeddleReader *self, guint axis)
{
  guint n = self->batch->n_points;
  const double *index = heddle_bound_run (self->indices[axis], n);

  for (guint i = 0; i < n; i++)
    {
      double whole = floor (index[i]);

      /* Written so that NaN is outside. */
      if (!(whole >= 0. && whole < self->limits[axis]))
        self->offsets[i] = -1;
      else if (self->offsets[i] >= 0)
        self->offsets[i] += (gint64) whole * self->strides[axis];
    }
}

const gint64 *
heddle_reader_locate (HeddleReader *self)
{
  for (guint i = 0; i < self->batch->n_points; i++)
    self->offsets[i] = 0;
  for (guint i = 0; i < self->n; i++)
    add_index (self, i);
  return self->offsets;
}
