/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/sizes.h"
#include "diagram/evaluate/walk.h"

HeddleWalk *
heddle_walk_new (const HeddleSizes *sizes, const GArray *axes)
{
  HeddleWalk *self = g_new0 (HeddleWalk, 1);

  self->axis_sizes = sizes;
  self->axes = axes;
  self->sizes = g_new (gint64, axes->len);
  self->index = g_new0 (gint64, axes->len);
  self->n_points = heddle_axes_points (sizes, axes);
  for (guint i = 0; i < axes->len; i++)
    self->sizes[i] = heddle_sizes_get (sizes, heddle_ids_index (axes, i));
  self->strides = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
heddle_walk_free (HeddleWalk *self)
{
  g_free (self->sizes);
  g_free (self->index);
  g_array_unref (self->strides);
  g_array_unref (self->offsets);
  g_free (self);
}

gint64
heddle_axes_stride (const HeddleSizes *sizes, const GArray *array_axes, const char *axis_id)
{
  int position = heddle_ids_find (array_axes, axis_id);
  gint64 stride = 1;

  if (position < 0)
    return 0;
  for (guint i = position + 1; i < array_axes->len; i++)
    stride *= heddle_sizes_get (sizes, heddle_ids_index (array_axes, i));
  return stride;
}

gint64
heddle_axes_points (const HeddleSizes *sizes, const GArray *axes)
{
  gint64 n = 1;

  for (guint i = 0; i < axes->len; i++)
    if (__builtin_mul_overflow (n, heddle_sizes_get (sizes, heddle_ids_index (axes, i)), &n))
      return G_MAXINT64;
  return n;
}

guint
heddle_walk_add_cursor (HeddleWalk *self, const GArray *array_axes)
{
  const gint64 start = 0;

  for (guint i = 0; i < self->axes->len; i++)
    {
      gint64 stride = heddle_axes_stride (self->axis_sizes, array_axes, heddle_ids_index (self->axes, i));

      g_array_append_val (self->strides, stride);
    }
  g_array_append_val (self->offsets, start);
  return self->n_cursors++;
}

gboolean
heddle_walk_start (HeddleWalk *self, const gint64 *offsets)
{
  for (guint i = 0; i < self->axes->len; i++)
    self->index[i] = 0;
  for (guint i = 0; i < self->n_cursors; i++)
    g_array_index (self->offsets, gint64, i) = offsets != NULL ? offsets[i] : 0;
  return self->n_points > 0;
}

static void
move_cursors (HeddleWalk *self, guint axis, gint64 steps)
{
  const gint64 *strides = (const gint64 *) self->strides->data;
  gint64 *offsets = (gint64 *) self->offsets->data;

  for (guint i = 0; i < self->n_cursors; i++)
    offsets[i] += steps * strides[axis + i * self->axes->len];
}

gboolean
heddle_walk_next (HeddleWalk *self)
{
  for (guint axis = self->axes->len; axis-- > 0;)
    {
      if (++self->index[axis] < self->sizes[axis])
        {
          move_cursors (self, axis, 1);
          return TRUE;
        }
      self->index[axis] = 0;
      move_cursors (self, axis, 1 - self->sizes[axis]);
    }
  return FALSE;
}

void
heddle_walk_seek (HeddleWalk *self, gint64 point)
{
  heddle_walk_start (self, NULL);
  for (guint axis = self->axes->len; axis-- > 0 && point > 0;)
    {
      self->index[axis] = point % self->sizes[axis];
      move_cursors (self, axis, self->index[axis]);
      point /= self->sizes[axis];
    }
}

gint64
heddle_walk_left_in_row (const HeddleWalk *self)
{
  guint n = self->axes->len;

  return n > 0 ? self->sizes[n - 1] - self->index[n - 1] : 1;
}

gboolean
heddle_walk_skip (HeddleWalk *self, gint64 n)
{
  guint last = self->axes->len - 1;

  if (n > 1)
    {
      self->index[last] += n - 1;
      move_cursors (self, last, n - 1);
    }
  return heddle_walk_next (self);
}

gint64
heddle_walk_last_stride (const HeddleWalk *self, guint cursor)
{
  guint n = self->axes->len;

  return n > 0 ? g_array_index (self->strides, gint64, (cursor + 1) * n - 1) : 0;
}
