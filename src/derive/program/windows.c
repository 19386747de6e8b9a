/* SPDX-License-Identifier: MIT */
#include "derive/index/extent.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "derive/machine/machine.h"
#include "derive/program/windows.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include <math.h>

/* Returns the innermost loop over @axis, whose parts move a window; NULL if there is none. */
static const HeddleNode *
loop_of (const HeddleLoopProgram *program, const char *axis, guint depth)
{
  const HeddleNode *stream = heddle_loop_program_get_band_at (program, axis, HEDDLE_BAND_STREAM, depth);

  return stream != NULL ? stream : heddle_loop_program_get_band_at (program, axis, HEDDLE_BAND_GROUP, depth);
}

typedef struct
{
  const HeddleLoopProgram *program;
  guint depth;
} Place;

static gint64
part_of_loop (const char *axis, gpointer data)
{
  const Place *self = data;
  const HeddleNode *loop = loop_of (self->program, axis, self->depth);

  return loop != NULL ? loop->size : G_MAXINT64;
}

gint64
heddle_buffer_most (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);
  HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, i);
  Place place = { program, buffer->depth };

  if (extent != HEDDLE_EXTENT_WINDOW)
    return heddle_loop_program_extent (program, sizes, axis, extent);
  return heddle_window_most (
      g_ptr_array_index (buffer->windows, i), sizes, heddle_sizes_get (sizes, axis), part_of_loop, &place);
}

static gboolean
is_settled (const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleBuffer *buffer, guint i)
{
  const GPtrArray *exprs = g_ptr_array_index (buffer->windows, i);
  g_autoptr (GArray) axes = heddle_window_axes (exprs);
  gint64 n = heddle_sizes_get (sizes, heddle_ids_index (buffer->axes, i));
  HeddleSpan span = heddle_window_span (exprs, sizes, n, heddle_window_whole_axis, (gpointer) sizes);

  for (guint k = 0; k < axes->len; k++)
    if (loop_of (program, heddle_ids_index (axes, k), HEDDLE_MAX_LEVELS) != NULL)
      return FALSE;
  return span.from == 0 && span.to == n;
}

static gboolean
is_no_size (const HeddleExpr *node, gpointer data)
{
  return heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE;
}

/* Returns whether the window is as long however long the axes are: it moves with the parts of loops, by as
 * much everywhere, and is no longer than the array. */
static gboolean
is_open (const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleBuffer *buffer, guint i)
{
  const GPtrArray *exprs = g_ptr_array_index (buffer->windows, i);
  g_autoptr (HeddleWindowSum) sum = heddle_window_sum_new (exprs, sizes);
  Place place = { program, buffer->depth };

  for (guint k = 0; k < exprs->len; k++)
    if (!heddle_expr_walk (g_ptr_array_index (exprs, k), is_no_size, NULL))
      return FALSE;
  return sum != NULL
         && heddle_window_most (exprs, sizes, G_MAXINT64, part_of_loop, &place)
                == heddle_buffer_most (program, sizes, buffer, i);
}

void
heddle_loop_program_settle_windows (HeddleLoopProgram *self, const HeddleSizes *sizes)
{
  for (guint k = 0; k < self->buffers->len; k++)
    {
      HeddleBuffer *buffer = g_ptr_array_index (self->buffers, k);

      for (guint i = 0; i < buffer->extents->len; i++)
        if (g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW
            && is_settled (self, sizes, buffer, i))
          g_array_index (buffer->extents, HeddleExtent, i) = HEDDLE_EXTENT_FULL;
      for (guint i = 0; i < MIN (buffer->extents->len, 32); i++)
        if (g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW
            && is_open (self, sizes, buffer, i))
          buffer->open_windows |= 1u << i;
    }
}
