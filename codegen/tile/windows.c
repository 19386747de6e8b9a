/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/program.h"
#include "codegen/tile/types.h"
#include "codegen/tile/windows.h"
#include "derive/index/extent.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* This file binds products of windows, as convolutions have them: Y[y,f] = X[2 y + w - 1, c] W[w,c,f]. A
 * block holds the box of X that its rows reach into, zeros where that is outside, and a matrix of W for each
 * point of the windows, a tap. For each tap a row of X is another one of the box: the sum over c is a product
 * of tiles, the sum over taps one such product after the other. */

static const GPtrArray *
indices_of (const HeddleNode *node, guint buffer)
{
  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer)
      return g_ptr_array_index (node->source_indices, i);
  return NULL;
}

static gboolean
note_windows (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  guint left, right;

  if (!heddle_tile_is_contraction (node, &left, &right)
      || (indices_of (node, left) == NULL && indices_of (node, right) == NULL))
    return TRUE;
  if (self->windowed != NULL || (indices_of (node, left) != NULL && indices_of (node, right) != NULL))
    return heddle_tile_refuse (
        self, _ ("%s is not the only factor that is read at indices"), heddle_tile_name (self->made, left));
  self->windowed = node;
  self->window = indices_of (node, left) != NULL ? left : right;
  self->matrices = indices_of (node, left) != NULL ? right : left;
  return TRUE;
}

/* Returns whether the array is read along its axis @k at that axis' own index. */
static gboolean
is_plain (const HeddleBuffer *buffer, const GPtrArray *indices, guint k)
{
  const HeddleExpr *index = g_ptr_array_index (indices, k);

  return heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX
         && heddle_expr_get_symbol (index) == heddle_ids_index (buffer->axes, k);
}

/* Finds the depth: the one summed axis that both factors have as it is, the longest if there are several; the
 * others are taps. */
static gboolean
find_depth (HeddleTileMaker *self)
{
  const HeddleBuffer *window = heddle_loop_program_get_buffer (self->made->program, self->window);
  const HeddleBuffer *matrices = heddle_loop_program_get_buffer (self->made->program, self->matrices);
  const GPtrArray *indices = indices_of (self->windowed, self->window);

  self->made->taps = heddle_ids_new ();
  for (guint k = 0; k < window->axes->len; k++)
    if (is_plain (window, indices, k)
        && heddle_ids_contain (self->windowed->over, heddle_ids_index (window->axes, k)))
      {
        if (self->made->depth != NULL)
          return heddle_tile_refuse (
              self, _ ("%s has several axes that are summed over as they are"), window->name);
        self->made->depth = heddle_ids_index (window->axes, k);
      }
  if (self->made->depth == NULL)
    return heddle_tile_refuse (
        self, _ ("no axis of %s is summed over as it is, only windows are"), window->name);
  for (guint i = 0; i < self->windowed->over->len; i++)
    {
      const char *axis = heddle_ids_index (self->windowed->over, i);

      if (!heddle_ids_contain (matrices->axes, axis))
        return heddle_tile_refuse (self, _ ("%s is the same all over a window"), matrices->name);
      if (axis == self->made->depth)
        continue;
      if (self->made->stream != NULL && self->made->stream->axis == axis)
        return heddle_tile_refuse (self, _ ("windows of %s are streamed"), window->name);
      heddle_ids_append (self->made->taps, axis);
    }
  return TRUE;
}

gboolean
heddle_tile_find_windows (HeddleTileMaker *self)
{
  if (!heddle_tile_walk (self, note_windows, NULL))
    return FALSE;
  if (self->windowed == NULL)
    return TRUE;
  if (self->warpgroups)
    return heddle_tile_refuse (self,
        _ ("windows are read row by row, which products by warps allow and products by warpgroups do not"));
  if (heddle_loop_program_get_buffer (self->made->program, self->window)->role != HEDDLE_BUFFER_OPERAND)
    return heddle_tile_refuse (self, _ ("%s, from which windows are read, is made in the kernel"),
        heddle_tile_name (self->made, self->window));
  self->made->boxed = self->made->rows->len > 1;
  return find_depth (self);
}

/* --- the array that windows are of --- */

/* Returns how many indices of @axis a block goes through for its rows and their windows. */
static gint64
count_of (const HeddleTileMaker *self, const char *axis)
{
  const HeddleLoopProgram *program = self->made->program;
  gboolean grouped = heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) != NULL;

  return heddle_loop_program_extent (
      program, self->made->sizes, axis, grouped ? HEDDLE_EXTENT_TILE : HEDDLE_EXTENT_FULL);
}

/* Returns whether the leaf is known: sizes that are arguments of the kernel cannot say where windows are. */
static gboolean
is_known (const HeddleExpr *expr, gpointer data)
{
  const HeddleLoopProgram *program = data;

  return heddle_expr_get_kind (expr) != HEDDLE_EXPR_SIZE
         || (heddle_loop_program_get_band (program, heddle_expr_get_symbol (expr), HEDDLE_BAND_GROUP) == NULL
             && heddle_loop_program_get_band (program, heddle_expr_get_symbol (expr), HEDDLE_BAND_STREAM)
                    == NULL);
}

/* Returns how much of one axis is in the box, if it is read at an increasing sum of rows and taps. */
static gboolean
measure (HeddleTileMaker *self, HeddleTileWindow *window, guint i, const HeddleBuffer *buffer)
{
  const HeddleWindowSum *sum = window->sum[i];

  if (sum == NULL || sum->spread != 0)
    return heddle_tile_refuse (self, _ ("windows of %s are not sums of indices"), buffer->name);
  window->length[i] = 1;
  for (guint k = 0; k < sum->axes->len; k++)
    {
      const char *axis = heddle_ids_index (sum->axes, k);
      gint64 factor = g_array_index (sum->factors, gint64, k), n = count_of (self, axis);

      if (factor < 0)
        return heddle_tile_refuse (self, _ ("windows of %s are flipped"), buffer->name);
      if (n > 1 && !heddle_ids_contain (self->made->rows, axis)
          && !heddle_ids_contain (self->made->taps, axis))
        return heddle_tile_refuse (
            self, _ ("windows of %s lie along axes other than rows and taps"), buffer->name);
      window->length[i] += factor * (n - 1);
    }
  return TRUE;
}

static gboolean
add_window (HeddleTileMaker *self, HeddleTileWindow *window, const HeddleBuffer *buffer, guint k)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  HeddleExpr *index = g_ptr_array_index (indices_of (self->windowed, self->window), k);

  if (window->n == HEDDLE_TILE_WINDOW_AXES)
    return heddle_tile_refuse (self, _ ("windows of %s have more than two axes"), buffer->name);
  if (!heddle_expr_walk (index, is_known, (gpointer) self->made->program))
    return heddle_tile_refuse (self, _ ("windows of %s depend on sizes that are arguments"), buffer->name);
  g_ptr_array_add (one, index);
  window->at[window->n] = k;
  window->sum[window->n] = heddle_window_sum_new (one, self->made->sizes);
  return measure (self, window, window->n++, buffer);
}

static gboolean
ends_with (const HeddleBuffer *buffer, const char *axis)
{
  return buffer->axes->len > 0 && heddle_ids_index (buffer->axes, buffer->axes->len - 1) == axis;
}

gboolean
heddle_tile_place_window (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  const GPtrArray *indices = indices_of (self->windowed, self->window);

  tile->window = g_new0 (HeddleTileWindow, 1);
  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);

      if (!is_plain (buffer, indices, k))
        {
          if (!add_window (self, tile->window, buffer, k))
            return FALSE;
        }
      else if (axis != self->made->depth && heddle_tile_extent (self->made, buffer, k) > 1)
        return heddle_tile_refuse (
            self, _ ("a block has several of an axis of %s beside its windows"), buffer->name);
    }
  tile->place = HEDDLE_TILE_SHARED;
  tile->down = heddle_tile_rows;
  tile->along = self->made->depth;
  tile->vectors = ends_with (buffer, tile->along) && heddle_tile_has_whole_pieces (self, tile, tile->along);
  tile->n_down = tile->window->length[0] * (tile->window->n > 1 ? tile->window->length[1] : 1);
  tile->n_along = heddle_tile_round (
      heddle_tile_extent (self->made, buffer, (guint) heddle_ids_find (buffer->axes, tile->along)),
      HEDDLE_TILE_STEP);
  return heddle_tile_hold (self, tile);
}

/* --- the matrices --- */

gboolean
heddle_tile_place_matrices (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  const char *depth = self->made->depth, *column = NULL;
  gint64 n_depth = 1, n_column = 1;

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      gint64 n = heddle_tile_extent (self->made, buffer, k);

      if (axis == depth)
        n_depth = n;
      else if (heddle_ids_contain (self->made->taps, axis))
        tile->taps *= n;
      else if (n > 1 && column != NULL)
        return heddle_tile_refuse (self, _ ("%s has more than two axes in a tile"), buffer->name);
      else if (n > 1)
        {
          column = axis;
          n_column = n;
        }
    }
  if (column == NULL)
    return heddle_tile_refuse (self, _ ("%s, a factor of a product, has one axis"), buffer->name);
  tile->place = HEDDLE_TILE_SHARED;
  tile->along = ends_with (buffer, depth) ? depth : column;
  tile->down = tile->along == column ? depth : column;
  tile->vectors = ends_with (buffer, tile->along) && heddle_tile_has_whole_pieces (self, tile, tile->along);
  tile->n_down = heddle_tile_round (tile->along == column ? n_depth : n_column, HEDDLE_TILE_STEP);
  tile->n_along = heddle_tile_round (tile->along == column ? n_column : n_depth, HEDDLE_TILE_STEP);
  return heddle_tile_hold (self, tile);
}
