/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/columns.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/program.h"
#include "codegen/tile/roles.h"
#include "codegen/tile/shifts.h"
#include "codegen/tile/types.h"
#include "codegen/tile/windows.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

/* This file finds which axes are the rows of a block, and where each buffer lives. */

/* --- contractions --- */

typedef struct
{
  gboolean second;
  gboolean found;
} RowSearch;

static GArray *
without (GArray *axes, const GArray *out)
{
  g_autoptr (GArray) all = axes;
  GArray *left = heddle_ids_new ();

  for (guint i = 0; i < all->len; i++)
    if (!heddle_ids_contain (out, heddle_ids_index (all, i)))
      heddle_ids_append (left, heddle_ids_index (all, i));
  return left;
}

/* Returns whether the statement reads at indices of its own, as a product of windows does. */
static gboolean
reads_at_indices (const HeddleNode *node)
{
  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    if (g_ptr_array_index (node->source_indices, i) != NULL)
      return TRUE;
  return FALSE;
}

/* Takes the rows: what a product keeps of one factor and the other does not have. */
static gboolean
take_rows (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  RowSearch *search = data;
  g_autoptr (GArray) rest = NULL;
  guint left, right, own, other;

  if (search->found || !heddle_tile_is_contraction (node, &left, &right))
    return TRUE;
  own = search->second ? right : left;
  other = search->second ? left : right;
  if (reads_at_indices (node))
    own = node->buffer;
  rest = heddle_tile_axes (self->made, heddle_loop_program_get_buffer (self->made->program, other));
  g_clear_pointer (&self->made->rows, g_array_unref);
  self->made->rows = without (
      without (heddle_tile_axes (self->made, heddle_loop_program_get_buffer (self->made->program, own)),
          node->over),
      rest);
  search->found = self->made->rows->len > 0;
  return TRUE;
}

/* Returns whether all axes of a factor are summed over, so that it is a vector. */
static gboolean
is_vector (HeddleTileMaker *self, const HeddleNode *node, guint i)
{
  g_autoptr (GArray) axes = without (
      heddle_tile_axes (self->made, heddle_loop_program_get_buffer (self->made->program, i)), node->over);

  return axes->len == 0;
}

static gboolean
count_vectors (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  guint *n = data, left, right;

  if (!heddle_tile_is_contraction (node, &left, &right) || reads_at_indices (node))
    return TRUE;
  ++*n;
  return is_vector (self, node, left) != is_vector (self, node, right);
}

/* Finds a single row, as of one query against many keys: every product is one of a vector and a matrix, and
 * there are several, since of what is between them a vector is left. They read as much as they multiply, so
 * that rows of zeros cost nothing. */
static gboolean
find_one_row (HeddleTileMaker *self)
{
  guint n = 0;

  if (self->warpgroups)
    return heddle_tile_refuse (self, _ ("it has one row, and a warpgroup multiplies 64"));
  if (!heddle_tile_walk (self, count_vectors, &n) || n < 2)
    return heddle_tile_refuse (self, _ ("it has no product of two tiles"));
  g_clear_pointer (&self->made->rows, g_array_unref);
  self->made->rows = heddle_ids_new ();
  return TRUE;
}

gboolean
heddle_tile_find_rows (HeddleTileMaker *self, HeddleTileRowRule rule)
{
  RowSearch search = { rule == HEDDLE_TILE_ROWS_OF_SECOND, FALSE };

  if (rule == HEDDLE_TILE_ONE_ROW)
    return find_one_row (self);
  heddle_tile_walk (self, take_rows, &search);
  if (!search.found)
    return heddle_tile_refuse (self, _ ("it has no product of two tiles"));
  return TRUE;
}

/* --- arrays in global memory --- */

gboolean
heddle_tile_check_spacing (HeddleTileMaker *self, const HeddleBuffer *buffer)
{
  const GArray *rows = self->made->rows;
  int first = rows->len > 0 ? heddle_ids_find (buffer->axes, heddle_ids_index (rows, 0)) : 0;

  for (guint i = 0; !self->made->boxed && i < rows->len; i++)
    {
      const char *axis = heddle_ids_index (rows, i);
      int at = heddle_ids_find (buffer->axes, axis);
      gint64 n = at >= 0 ? heddle_tile_extent (self->made, buffer, (guint) at) : 0;

      if (at != first + (int) i || (i > 0 && n != heddle_sizes_get (self->made->sizes, axis))
          || (at >= 0 && rows->len > 1 && heddle_tile_array_axis (self->made, buffer, (guint) at) != axis))
        return heddle_tile_refuse (
            self, _ ("rows over several axes are not evenly spaced in %s"), buffer->name);
    }
  return TRUE;
}

gboolean
heddle_tile_has_rows (HeddleTileMaker *self, const HeddleBuffer *buffer)
{
  g_autoptr (GArray) axes = heddle_tile_axes (self->made, buffer);

  for (guint i = 0; i < self->made->rows->len; i++)
    if (!heddle_ids_contain (axes, heddle_ids_index (self->made->rows, i)))
      return heddle_tile_refuse (self, _ ("%s does not have one element for each row"), buffer->name);
  if (axes->len == 0 || axes->len != self->made->rows->len)
    return heddle_tile_refuse (self, _ ("%s does not have one element for each row"), buffer->name);
  return heddle_tile_check_spacing (self, buffer);
}

static const char *
last_axis (const HeddleTileProgram *self, const HeddleBuffer *buffer)
{
  for (guint k = buffer->axes->len; k-- > 0;)
    if (heddle_tile_extent (self, buffer, k) > 1)
      return heddle_ids_index (buffer->axes, k);
  return NULL;
}

/* --- places --- */

/* Returns the side of a tile on which the axis lies: that of the rows, or its own. */
static const char *
side_of (const HeddleTileProgram *self, const char *axis)
{
  return axis != NULL && heddle_ids_contain (self->rows, axis) ? heddle_tile_rows : axis;
}

static gint64
length_of (const HeddleTileProgram *self, const HeddleBuffer *buffer, const char *side)
{
  gint64 n = 1;

  if (side == NULL)
    return 1;
  for (guint k = 0; k < buffer->axes->len; k++)
    if (side_of (self, heddle_ids_index (buffer->axes, k)) == side)
      n *= heddle_tile_extent (self, buffer, k);
  return n;
}

/* Returns the columns of a tile of rows: its one axis that is no row; NULL with *@good %FALSE if there are
 * several. */
static const char *
column_of (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint *n_rows, gboolean *good)
{
  g_autoptr (GArray) axes = heddle_tile_axes (self, buffer);
  const char *column = NULL;

  *n_rows = 0;
  *good = TRUE;
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_contain (self->rows, heddle_ids_index (axes, i)))
      ++*n_rows;
    else
      {
        *good = *good && column == NULL;
        column = heddle_ids_index (axes, i);
      }
  return column;
}

static gboolean
place_computed (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  guint n_rows;
  gboolean good;
  const char *column = column_of (self->made, buffer, &n_rows, &good);

  if (good && n_rows == 0 && heddle_tile_is_column (self, buffer, tile->buffer))
    {
      tile->along = column;
      tile->place = HEDDLE_TILE_COLUMN;
      tile->n_along = heddle_tile_round (length_of (self->made, buffer, column), HEDDLE_TILE_STEP);
      return TRUE;
    }
  if (!good || n_rows != self->made->rows->len)
    return heddle_tile_refuse (
        self, _ ("%s, made in the kernel, is not a tile of rows and one other axis"), buffer->name);
  tile->down = heddle_tile_rows;
  tile->along = column;
  tile->place = column != NULL ? HEDDLE_TILE_FRAGMENT : HEDDLE_TILE_ROW;
  tile->n_along = heddle_tile_round (length_of (self->made, buffer, column), HEDDLE_TILE_STEP);
  return TRUE;
}

/* Places a factor of a product, which has two sides and whose last axis is that of the array. */
static gboolean
place_shared (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  g_autoptr (GArray) axes = heddle_tile_axes (self->made, buffer);
  const char *last = last_axis (self->made, buffer);
  gboolean ends = buffer->axes->len > 0 && heddle_ids_index (buffer->axes, buffer->axes->len - 1) == last;

  tile->along = side_of (self->made, last);
  for (guint i = 0; i < axes->len; i++)
    if (side_of (self->made, heddle_ids_index (axes, i)) != tile->along)
      {
        const char *side = side_of (self->made, heddle_ids_index (axes, i));

        if (tile->down != NULL && tile->down != side)
          return heddle_tile_refuse (self, _ ("%s has more than two axes in a tile"), buffer->name);
        tile->down = side;
      }
  if (tile->down == NULL && self->made->rows->len == 0)
    tile->down = heddle_tile_rows;
  if (tile->down == NULL)
    return heddle_tile_refuse (self, _ ("%s, a factor of a product, has one axis"), buffer->name);
  if ((tile->down == heddle_tile_rows || tile->along == heddle_tile_rows)
      && !heddle_tile_check_spacing (self, buffer))
    return FALSE;
  if (tile->along == heddle_tile_rows && self->made->rows->len > 1)
    return heddle_tile_refuse (self, _ ("the rows of %s, over several axes, are contiguous"), buffer->name);
  tile->place = HEDDLE_TILE_SHARED;
  tile->vectors = ends && heddle_tile_has_whole_pieces (self, tile, last)
                  && heddle_tile_shifts_by (
                      self->made, buffer, buffer->axes->len - 1, 16 / heddle_dtype_bytes (tile->dtype));
  tile->n_down = heddle_tile_round (length_of (self->made, buffer, tile->down), HEDDLE_TILE_STEP);
  tile->n_along = heddle_tile_round (length_of (self->made, buffer, tile->along),
      MAX (HEDDLE_TILE_STEP, heddle_mma_get (tile->dtype)->depth));
  return TRUE;
}

/* --- what an operand is for --- */

typedef struct
{
  guint buffer;
  gboolean factor, mapped;
} Use;

/* Returns whether the statement's sums are one for each row: threads make them of the rows that they hold,
 * and no product does. */
static gboolean
sums_rows (const HeddleTileProgram *self, const HeddleNode *node)
{
  g_autoptr (GArray) axes
      = heddle_tile_axes (self, heddle_loop_program_get_buffer (self->program, node->buffer));

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (self->rows, heddle_ids_index (axes, i)))
      return FALSE;
  return axes->len > 0 && axes->len == self->rows->len;
}

static gboolean
note_use (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Use *use = data;
  guint left, right;
  gboolean contraction = heddle_tile_is_contraction (node, &left, &right) && !sums_rows (self->made, node);

  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == use->buffer)
      {
        use->factor |= contraction;
        use->mapped |= !contraction;
      }
  return TRUE;
}

static gboolean
place_operand (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  Use use = { .buffer = tile->buffer };
  guint n_rows;
  gboolean good;
  const char *column = column_of (self->made, buffer, &n_rows, &good);
  gboolean streamed
      = heddle_tile_is_streamed (buffer) && good && column != NULL && n_rows == self->made->rows->len;

  heddle_tile_walk (self, note_use, &use);
  if (self->windowed != NULL && (tile->buffer == self->window || tile->buffer == self->matrices))
    {
      if (use.mapped)
        return heddle_tile_refuse (self, _ ("%s is read by a map and by a product of windows"), buffer->name);
      return tile->buffer == self->window ? heddle_tile_place_window (self, tile, buffer)
                                          : heddle_tile_place_matrices (self, tile, buffer);
    }
  tile->unpacked = use.mapped && streamed && heddle_mma_get (buffer->dtype) != NULL;
  tile->place = HEDDLE_TILE_GLOBAL;
  if ((!use.factor || heddle_tile_is_vector (self->made, buffer)) && !tile->unpacked)
    return n_rows == 0 || (good && heddle_tile_check_spacing (self, buffer))
           || heddle_tile_refuse (self, _ ("%s has other axes than rows and one column"), buffer->name);
  if (!heddle_tile_hold (self, tile))
    return FALSE;
  return place_shared (self, tile, buffer);
}

static gboolean
is_chooser (const HeddleTileMaker *self, guint i)
{
  return self->made->pass != NULL && i == self->made->chooser;
}

gboolean
heddle_tile_place (HeddleTileMaker *self)
{
  for (guint i = 0; i < self->made->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->made->program, i);
      HeddleTensorTile *tile = g_new0 (HeddleTensorTile, 1);

      *tile = (HeddleTensorTile){ .buffer = i,
        .dtype = buffer->dtype,
        .n_down = 1,
        .n_along = 1,
        .slots = 1,
        .taps = 1,
        .point = -1,
        .alias = -1,
        .pad_row = -1 };
      g_ptr_array_add (self->made->tiles, tile);
      if (buffer->again)
        return heddle_tile_refuse (self, _ ("%s is read again"), buffer->name);
      if (buffer->dtype == HEDDLE_DTYPE_F64 || (buffer->dtype == HEDDLE_DTYPE_I64 && !is_chooser (self, i)))
        return heddle_tile_refuse (self, _ ("%s needs double precision"), buffer->name);
      if (!(buffer->role == HEDDLE_BUFFER_OPERAND ? place_operand (self, tile, buffer)
                                                  : place_computed (self, tile, buffer)))
        return FALSE;
    }
  return TRUE;
}
