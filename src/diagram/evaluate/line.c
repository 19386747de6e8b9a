/* SPDX-License-Identifier: MIT */

/* This file computes products with few rows or columns along one axis without a pause, for each point of the
 * others. */

#include <gio/gio.h>
#include "diagram/analysis/sizes.h"
#include "diagram/evaluate/line.h"
#include "diagram/evaluate/private.h"
#include "diagram/evaluate/share.h"
#include "diagram/evaluate/walk.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleProduct *product;
  gint64 length;
  gint64 strides[3]; /* along the line, of the factors and the result */
  GArray *across; /* all other axes, the result's before those summed */
  gint64 n_summed; /* points of the latter */
} Plan;

static void
add_line (const Plan *self, const double *a, const double *b, double *out)
{
  gint64 a_stride = self->strides[0], b_stride = self->strides[1], out_stride = self->strides[2];
  double sum = *out;

  if (out_stride == 0)
    {
      for (gint64 i = 0; i < self->length; i++)
        sum += a[i * a_stride] * b[i * b_stride];
      *out = sum;
      return;
    }
  for (gint64 i = 0; i < self->length; i++)
    out[i * out_stride] += a[i * a_stride] * b[i * b_stride];
}

/* Adds up the elements @begin to @end along the line; the items are the points of the result's axes
 * across. */
static gboolean
add_lines (gint64 begin, gint64 end, gpointer data, GError **error)
{
  const Plan *self = data;
  const HeddleProduct *product = self->product;
  g_autoptr (HeddleWalk) walk = heddle_walk_new (product->evaluation->sizes, self->across);
  gint64 work = 0; /* since the cancellable was last looked at */

  for (guint i = 0; i < 2; i++)
    heddle_walk_add_cursor (walk, product->factors[i].axes);
  heddle_walk_add_cursor (walk, product->axes);
  heddle_walk_seek (walk, begin * self->n_summed);
  for (gint64 i = begin * self->n_summed; i < end * self->n_summed; i++, heddle_walk_next (walk))
    {
      add_line (self, product->factors[0].data + heddle_walk_offset (walk, 0),
          product->factors[1].data + heddle_walk_offset (walk, 1),
          product->out + heddle_walk_offset (walk, 2));
      if ((work += self->length) < HEDDLE_POINTS_PER_PIECE)
        continue;
      if (g_cancellable_set_error_if_cancelled (product->evaluation->cancellable, error))
        return FALSE;
      work = 0;
    }
  return TRUE;
}

/* Returns the last axis summed, or the result's last one where the factors lie closer together along it. Each
 * element is summed in the same order either way. Returns NULL if there is no axis. */
static const char *
choose_axis (const HeddleProduct *self)
{
  const GArray *candidates[] = { self->core, self->axes };
  const char *best = NULL;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
    {
      guint n = candidates[i]->len;
      const char *axis = n > 0 ? heddle_ids_index (candidates[i], n - 1) : NULL;
      gint64 distance = 0;

      for (guint j = 0; axis != NULL && j < 2; j++)
        distance += heddle_axes_stride (self->evaluation->sizes, self->factors[j].axes, axis);
      if (axis != NULL && distance < least)
        {
          least = distance;
          best = axis;
        }
    }
  return best;
}

static void
append_others (GArray *across, const GArray *axes, const char *line_axis)
{
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_index (axes, i) != line_axis)
      heddle_ids_append (across, heddle_ids_index (axes, i));
}

gboolean
heddle_product_run_lines (HeddleProduct *self, GError **error)
{
  const HeddleSizes *sizes = self->evaluation->sizes;
  g_autoptr (GArray) across = heddle_ids_new ();
  const char *axis = choose_axis (self);
  Plan plan = { self, axis != NULL ? heddle_sizes_get (sizes, axis) : 1, { 0 }, across, 1 };
  gint64 n, n_all;

  for (guint i = 0; i < 2 && axis != NULL; i++)
    plan.strides[i] = heddle_axes_stride (sizes, self->factors[i].axes, axis);
  plan.strides[2] = axis != NULL ? heddle_axes_stride (sizes, self->axes, axis) : 0;
  append_others (across, self->axes, axis);
  n = heddle_axes_points (sizes, across);
  append_others (across, self->core, axis);
  n_all = heddle_axes_points (sizes, across);
  plan.n_summed = n_all / n;
  return heddle_evaluation_share (self->evaluation, n,
      HEDDLE_POINTS_PER_PIECE / MAX (plan.length, 1) / plan.n_summed, add_lines, &plan, error);
}
