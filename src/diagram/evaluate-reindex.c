/* SPDX-License-Identifier: MIT */
#include "diagram/evaluate-private.h"

#include <math.h>

struct _HeddleReader
{
  const HeddleValue *operand;
  const HeddleSizes *sizes;
  HeddleWalk *walk;
  guint n;
  HeddleBound **indices;
  gint64 *limits; /* sizes of the operand's axes */
};

HeddleReader *
heddle_reader_new (HeddleRun *run, const GArray *axes, GError **error)
{
  g_autoptr (HeddleReader) self = g_new0 (HeddleReader, 1);
  HeddleBinding binding = { run->evaluation };

  self->operand = g_ptr_array_index (run->operand_values, 0);
  self->sizes = run->evaluation->sizes;
  self->walk = heddle_walk_new (self->sizes, axes);
  self->n = MIN (run->operation->indices->len, self->operand->axes->len);
  self->indices = g_new0 (HeddleBound *, self->n);
  self->limits = g_new (gint64, self->n);
  binding.walks[0] = self->walk;
  binding.operands = self->walk;
  binding.data = run->data;
  for (guint i = 0; i < run->operand_values->len; i++)
    heddle_walk_add_cursor (self->walk, ((HeddleValue *) g_ptr_array_index (run->operand_values, i))->axes);
  for (guint i = 0; i < self->n; i++)
    {
      self->limits[i] = heddle_sizes_get (self->sizes, heddle_ids_index (self->operand->axes, i));
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
  heddle_walk_free (self->walk);
  g_free (self);
}

HeddleWalk *
heddle_reader_get_walk (HeddleReader *self)
{
  return self->walk;
}

gint64 *
heddle_reader_strides (HeddleReader *self, const GArray *axes)
{
  gint64 *strides = g_new (gint64, self->n);

  for (guint i = 0; i < self->n; i++)
    strides[i] = heddle_axes_stride (self->sizes, axes, heddle_ids_index (self->operand->axes, i));
  return strides;
}

gboolean
heddle_reader_locate (HeddleReader *self, const gint64 *strides, gint64 *offset)
{
  *offset = 0;
  for (guint i = 0; i < self->n; i++)
    {
      double index = floor (heddle_bound_run (self->indices[i]));

      /* Written so that NaN is outside. */
      if (!(index >= 0. && index < (double) self->limits[i]))
        return FALSE;
      *offset += (gint64) index * strides[i];
    }
  return TRUE;
}

gboolean
heddle_run_reindex (HeddleRun *self, GError **error)
{
  g_autoptr (HeddleReader) reader = heddle_reader_new (self, self->value->axes, error);
  g_autofree gint64 *strides = NULL;
  double *out = self->result->data;
  HeddleWalk *walk;

  if (reader == NULL)
    return FALSE;
  strides = heddle_reader_strides (reader, reader->operand->axes);
  walk = reader->walk;
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    {
      gint64 offset;

      *out++ = heddle_reader_locate (reader, strides, &offset) ? self->data[0][offset] : 0.;
      if (!heddle_evaluation_work (self->evaluation, 1, error))
        return FALSE;
    }
  return TRUE;
}
