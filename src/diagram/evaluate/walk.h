/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* A walk over all points of some axes, the last one fastest, with cursors: places in row-major arrays that
 * follow the walk. */
typedef struct
{
  const HeddleSizes *axis_sizes;
  const GArray *axes; /* ids */
  gint64 *sizes;
  gint64 *index; /* the point */
  gint64 n_points;
  guint n_cursors;
  GArray *strides; /* gint64: axes->len for each cursor */
  GArray *offsets; /* gint64: one for each cursor, in elements */
} HeddleWalk;

/* Makes a walk over the points of @axes, which must outlive it. */
HeddleWalk *heddle_walk_new (const HeddleSizes *sizes, const GArray *axes);
/* Frees the walk and its cursors, not the axes. */
void heddle_walk_free (HeddleWalk *self);
/* Adds a cursor into an array with @array_axes; it stays where it is along axes that the array has not.
 * Returns its number. */
guint heddle_walk_add_cursor (HeddleWalk *self, const GArray *array_axes);
/* Goes to the first point, with the cursors at @offsets (NULL: 0). Returns FALSE if there is no point. */
gboolean heddle_walk_start (HeddleWalk *self, const gint64 *offsets);
gboolean heddle_walk_next (HeddleWalk *self); /* FALSE: that was the last point */
/* Goes to the point of that number, counted from 0, with the cursors where they are then when all began at 0. */
void heddle_walk_seek (HeddleWalk *self, gint64 point);
/* Returns how many points are left along the last axis, this one included. */
gint64 heddle_walk_left_in_row (const HeddleWalk *self);
/* Goes on by @n points, of which there must be at least so many left. Returns FALSE if that was the last
 * point. */
gboolean heddle_walk_skip (HeddleWalk *self, gint64 n);
static inline gint64
heddle_walk_offset (const HeddleWalk *self, guint cursor)
{
  return g_array_index (self->offsets, gint64, cursor);
}
/* Returns how far the cursor moves from point to point along the last axis. */
gint64 heddle_walk_last_stride (const HeddleWalk *self, guint cursor);
/* Returns how far apart in a row-major array with @array_axes neighbours along @axis_id are; 0 if it has not
 * that axis. */
gint64 heddle_axes_stride (const HeddleSizes *sizes, const GArray *array_axes, const char *axis_id);
/* Returns how many points the axes have; saturating at G_MAXINT64. */
gint64 heddle_axes_points (const HeddleSizes *sizes, const GArray *axes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleWalk, heddle_walk_free)
