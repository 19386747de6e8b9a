/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/bulk.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/private.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

/* This file decides what the copy hardware of sm_90 (TMA) can bring: boxes of up to five axes, whose rows of
 * 128 bytes it puts where a panel of a tile has them, and zeros for what lies outside the array. */

#define BARRIER_BYTES 8

static const HeddleBuffer *
buffer_of (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  return heddle_loop_program_get_buffer (self->program, tile->buffer);
}

static gboolean
is_in (const HeddleTileProgram *self, const char *axis, const char *side)
{
  return side == heddle_tile_rows ? heddle_ids_contain (self->rows, axis) : axis == side;
}

/* Returns how many columns a row of a panel has. */
static gint64
panel_of (const HeddleTensorTile *tile)
{
  return HEDDLE_TILE_PANEL_BYTES / heddle_dtype_bytes (tile->dtype);
}

guint
heddle_tile_parts (const HeddleTensorTile *tile)
{
  guint parts = 1;

  while (tile->down != heddle_tile_rows && parts < tile->n_down
         && (tile->n_down / parts > HEDDLE_COPY_BOX_LENGTH || tile->n_down % (8 * parts) != 0))
    parts++;
  return parts;
}

gint64
heddle_tile_box (const HeddleTileProgram *self, const HeddleTensorTile *tile, guint k)
{
  const HeddleBuffer *buffer = buffer_of (self, tile);

  if (k + 1 == buffer->axes->len)
    return panel_of (tile);
  if (tile->down != heddle_tile_rows && heddle_ids_index (buffer->axes, k) == tile->down)
    return tile->n_down / heddle_tile_parts (tile);
  return heddle_tile_extent (self, buffer, k);
}

guint
heddle_tile_panels (const HeddleTensorTile *tile)
{
  return (guint) (heddle_tile_round (tile->n_along, panel_of (tile)) / panel_of (tile));
}

gint64
heddle_tile_bulk_bytes (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  gint64 bytes
      = (gint64) heddle_tile_panels (tile) * heddle_tile_parts (tile) * heddle_dtype_bytes (tile->dtype);

  for (guint k = 0; k < buffer_of (self, tile)->axes->len; k++)
    bytes *= heddle_tile_box (self, tile, k);
  return bytes;
}

gboolean
heddle_tile_is_at (const HeddleTileProgram *self, guint i, int point)
{
  const HeddleTensorTile *tile = heddle_tile_at (self, i);

  return tile->place == HEDDLE_TILE_SHARED && (point < 0 ? tile->point < 0 : tile->point == point);
}

/* Returns the bytes of the barriers: one for the tiles that are brought once, and two for each slot of each
 * point. */
gint64
heddle_tile_barrier_bytes (const HeddleTileProgram *self)
{
  return self->bulk ? BARRIER_BYTES * (1 + 2 * (gint64) self->points * self->stages) : 0;
}

/* --- what it cannot bring --- */

static char *
fault_of_box (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = buffer_of (self, tile);
  gint64 rows = 1;

  for (guint k = 0; k + 1 < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      gint64 n = heddle_tile_box (self, tile, k);

      if (n > HEDDLE_COPY_BOX_LENGTH || (n > 1 && !is_in (self, axis, tile->down)))
        return g_strdup_printf (
            _ ("the tile of %s is not a box of at most %d rows"), buffer->name, HEDDLE_COPY_BOX_LENGTH);
      rows *= n;
    }
  return rows <= (tile->down == heddle_tile_rows ? self->n_rows : tile->n_down)
             ? NULL
             : g_strdup_printf (_ ("the tile of %s is not a box of its array"), buffer->name);
}

/* Returns whether the part of the array's axis @k that is read at a shift is boxes alone: a box knows where the
 * array ends, not where the part does. */
static gboolean
has_whole_boxes (const HeddleTileProgram *self, const HeddleTensorTile *tile, guint k)
{
  const HeddleBuffer *buffer = buffer_of (self, tile);
  const char *axis = heddle_ids_index (buffer->axes, k);

  if (heddle_tile_array_axis (self, buffer, k) == axis)
    return TRUE;
  return heddle_tile_extent (self, buffer, k) % heddle_tile_box (self, tile, k) == 0
         && heddle_sizes_get (self->sizes, axis) % heddle_tile_box (self, tile, k) == 0;
}

static char *
fault_of_tile (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = buffer_of (self, tile);
  guint n = buffer->axes->len;
  gint64 last = n > 0 ? heddle_sizes_get (self->sizes, heddle_tile_array_axis (self, buffer, n - 1)) : 0;

  if (tile->widened != NULL)
    return g_strdup_printf (_ ("%s is made wider on its way"), buffer->name);
  if (tile->window != NULL || tile->taps > 1)
    return g_strdup_printf (_ ("%s is read in windows"), buffer->name);
  if (!tile->vectors || n < 2)
    return g_strdup_printf (_ ("the last axis of %s is not an axis of its tile"), buffer->name);
  if (n > HEDDLE_COPY_BOX_AXES)
    return g_strdup_printf (_ ("%s has %u axes, more than %d"), buffer->name, n, HEDDLE_COPY_BOX_AXES);
  for (guint k = 0; k < n; k++)
    {
      if (heddle_sizes_get (self->sizes, heddle_tile_array_axis (self, buffer, k)) > G_MAXINT32)
        return g_strdup_printf (_ ("%s has an axis longer than %d"), buffer->name, G_MAXINT32);
      if (!has_whole_boxes (self, tile, k))
        return g_strdup_printf (_ ("the part of %s that is read is not whole boxes"), buffer->name);
    }
  if (last * heddle_dtype_bytes (tile->dtype) % heddle_copy_atom (HEDDLE_COPY_BOX)->alignment != 0)
    return g_strdup_printf (_ ("rows of %d elements of %s are not a multiple of %d bytes"),
        (int) MIN (last, G_MAXINT), buffer->name, (int) heddle_copy_atom (HEDDLE_COPY_BOX)->alignment);
  return fault_of_box (self, tile);
}

/* Returns why the copy hardware cannot bring what streams, or NULL. A box knows where the array ends, but not
 * where a chunk does, so a step must be a whole number of products, and a group's part of what streams a
 * whole number of chunks. */
static char *
fault_of_stream (const HeddleTileProgram *self)
{
  const HeddleNode *stream = self->stream;
  gint64 step = HEDDLE_TILE_STEP;
  gint64 chunk = stream != NULL ? heddle_loop_program_extent (
                     self->program, self->sizes, stream->axis, HEDDLE_EXTENT_CHUNK)
                                : HEDDLE_TILE_STEP;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (self, i);

      if (tile->place == HEDDLE_TILE_SHARED && stream != NULL && tile->along == stream->axis)
        step = MAX (step, heddle_mma_get (tile->dtype)->depth);
    }
  if (chunk % step != 0)
    return g_strdup_printf (
        _ ("a step takes %d, which is not a multiple of %d"), (int) MIN (chunk, G_MAXINT), (int) step);
  return NULL;
}

char *
heddle_tile_bulk_fault (const HeddleTileProgram *self)
{
  char *fault = self->pass != NULL
                    ? g_strdup (_ ("rows choose matrices, of which threads copy those of a pass"))
                    : fault_of_stream (self);

  for (guint i = 0; i < self->tiles->len && fault == NULL; i++)
    if (heddle_tile_at (self, i)->place == HEDDLE_TILE_SHARED)
      fault = fault_of_tile (self, heddle_tile_at (self, i));
  return fault;
}
