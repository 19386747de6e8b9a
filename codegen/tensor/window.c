/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/base/names.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/window.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"
#include "derive/index/window.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

/* This file prints products of windows: the box that they are in is copied once, and rows are read out of it
 * once for each tap. */

static const char *
begin_of (HeddleTensorKernel *self, const char *axis)
{
  return heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN);
}

/* Returns the distance in the box, in positions, of neighbours along axis @i of the windows. */
static gint64
behind (const HeddleTileWindow *window, guint i)
{
  return i + 1 < window->n ? window->length[1] : 1;
}

/* Appends "p_0 * 10", or "p_0" if the factor is 1, with a plus if there is text before. */
static void
add_times (GString *text, const char *what, gint64 factor)
{
  g_string_append (text, text->len > 0 ? " + " : "");
  g_string_append (text, what);
  if (factor != 1)
    g_string_append_printf (text, " * %" G_GINT64_FORMAT, factor);
}

/* --- taps --- */

guint
heddle_tensor_open_taps (HeddleTensorKernel *self, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, tile->buffer);
  guint n = 0;

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k), *at = begin_of (self, axis);

      if (self->tiles->taps == NULL || !heddle_ids_contain (self->tiles->taps, axis))
        continue;
      heddle_cuda_line (&self->cuda, "#pragma unroll 1");
      heddle_cuda_line (&self->cuda, "for (int %s = 0; %s < %s; ++%s)", at, at,
          heddle_names_axis (self->cuda.names, axis), at);
      self->cuda.depth++;
      n++;
    }
  return n;
}

/* Returns the address of a tap's tile, as W_tile + slot * 36864 + (p_0 * q + q_0) * 4096. */
char *
heddle_tensor_tap (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  g_autofree char *base = heddle_tensor_slot (self, i, slot);
  g_autoptr (GString) number = g_string_new (NULL);

  for (guint k = 0; self->tiles->taps != NULL && tile->taps > 1 && k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);

      if (!heddle_ids_contain (self->tiles->taps, axis))
        continue;
      if (number->len > 0)
        {
          if (strchr (number->str, '+') != NULL)
            {
              g_string_prepend_c (number, '(');
              g_string_append_c (number, ')');
            }
          g_string_append_printf (number, " * %s + ", heddle_names_axis (self->cuda.names, axis));
        }
      g_string_append (number, begin_of (self, axis));
    }
  if (number->len == 0)
    return g_steal_pointer (&base);
  return g_strdup_printf ("%s + (%s) * %" G_GINT64_FORMAT, base, number->str, tile->slot_bytes / tile->taps);
}

/* --- the box --- */

/* Returns the first index that a block reads along axis @i of the windows, such as "2 * y_0 - 3", even if it
 * is before the array. */
static char *
first_index (HeddleTensorKernel *self, const HeddleTileWindow *window, guint i)
{
  const HeddleWindowSum *sum = window->sum[i];
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < sum->axes->len; k++)
    {
      const char *axis = heddle_ids_index (sum->axes, k);
      gint64 factor = g_array_index (sum->factors, gint64, k);

      if (heddle_loop_program_get_band (self->tiles->program, axis, HEDDLE_BAND_GROUP) == NULL)
        continue;
      g_string_append (text, text->len > 0 ? " + " : "");
      if (factor != 1)
        g_string_append_printf (text, "%" G_GINT64_FORMAT " * ", factor);
      g_string_append (text, begin_of (self, axis));
    }
  if (sum->offset != 0 || text->len == 0)
    g_string_append_printf (text, text->len == 0 ? "%s%" G_GINT64_FORMAT : " %s %" G_GINT64_FORMAT,
        sum->offset < 0  ? "-"
        : text->len == 0 ? ""
                         : "+",
        ABS (sum->offset));
  return g_strdup (text->str);
}

/* Returns the stride of axis @k, which is the product of the sizes behind it. */
static char *
stride_behind (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = k + 1; i < buffer->axes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " * " : "",
        heddle_names_axis (self->cuda.names, heddle_ids_index (buffer->axes, i)));
  return g_strdup (text->len > 0 ? text->str : "1");
}

static void
print_call (HeddleTensorKernel *self, guint i, const char *slot, const HeddleCopyAtom *atom)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleTileWindow *window = tile->window;
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  guint depth = (guint) heddle_ids_find (buffer->axes, tile->along);
  g_autofree char *begin = heddle_tensor_begin (self, buffer, FALSE),
                  *to = heddle_tensor_slot (self, i, slot);
  g_autofree char *along = heddle_tensor_length (self, tile->along, tile->n_along);
  g_autofree char *columns = heddle_tensor_count (self, tile->along);
  g_autofree char *head = g_strdup_printf ("%s<%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %s, THREADS> (",
      atom->function, window->length[0], window->n > 1 ? window->length[1] : 1, along);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_ptr_array_add (items, g_steal_pointer (&to));
  g_ptr_array_add (
      items, g_strdup_printf ("%s + %s", heddle_names_value (self->cuda.names, buffer->value), begin));
  for (guint k = 0; k < HEDDLE_TILE_WINDOW_AXES; k++)
    {
      gboolean there = k < window->n;

      g_ptr_array_add (items, there ? first_index (self, window, k) : g_strdup ("0"));
      g_ptr_array_add (items, g_strdup (there ? heddle_names_axis (
                                            self->cuda.names, heddle_ids_index (buffer->axes, window->at[k]))
                                              : "1"));
      g_ptr_array_add (items, there ? stride_behind (self, buffer, window->at[k]) : g_strdup ("0"));
    }
  if (atom->kind == HEDDLE_COPY_WINDOW_ELEMENTS)
    g_ptr_array_add (items, stride_behind (self, buffer, depth));
  g_ptr_array_add (items, g_steal_pointer (&columns));
  text = heddle_cuda_wrap (head, items, ", ", ");");
  lines = g_strsplit (text, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++)
    heddle_cuda_line (&self->cuda, "%s", lines[k]);
}

void
heddle_tensor_copy_window (HeddleTensorKernel *self, guint i, const char *slot, gboolean elements)
{
  const HeddleCopyAtom *atom
      = heddle_tensor_use_copy (self, elements ? HEDDLE_COPY_WINDOW_ELEMENTS : HEDDLE_COPY_WINDOW_PIECES);

  print_call (self, i, slot, atom);
}

/* --- rows --- */

/* Returns the position in the box at which the windows of row @r begin: a row over several axes counts them
 * with the last one fastest. */
static char *
place_of_row (HeddleTensorKernel *self, const HeddleTileWindow *window)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GArray *rows = self->tiles->rows;
  gint64 fast = 1;

  for (guint i = rows->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (rows, i);
      gint64 n = heddle_tensor_extent (self, axis), positions = 0;
      g_autofree char *index = NULL;

      for (guint k = 0; k < window->n; k++)
        {
          int at = heddle_ids_find (window->sum[k]->axes, axis);

          if (at >= 0)
            positions += g_array_index (window->sum[k]->factors, gint64, at) * behind (window, k);
        }
      if (rows->len == 1)
        index = g_strdup ("r");
      else if (i == 0)
        index = g_strdup_printf ("r / %" G_GINT64_FORMAT, fast);
      else if (fast == 1)
        index = g_strdup_printf ("r %% %" G_GINT64_FORMAT, n);
      else
        index = g_strdup_printf ("r / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT, fast, n);
      if (positions > 0)
        add_times (text, index, positions);
      fast *= n;
    }
  return g_strdup (text->len > 0 ? text->str : "0");
}

/* Returns the offset of the current tap, in positions. */
static char *
place_of_tap (HeddleTensorKernel *self, const HeddleTileWindow *window)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->tiles->taps->len; i++)
    {
      const char *axis = heddle_ids_index (self->tiles->taps, i);
      gint64 positions = 0;

      for (guint k = 0; k < window->n; k++)
        {
          int at = heddle_ids_find (window->sum[k]->axes, axis);

          if (at >= 0)
            positions += g_array_index (window->sum[k]->factors, gint64, at) * behind (window, k);
        }
      if (positions > 0)
        add_times (text, begin_of (self, axis), positions);
    }
  return g_strdup (text->str);
}

/* Returns the number of rows of the block, without those that fill up what its warps hold. */
static gint64
rows_of (HeddleTensorKernel *self)
{
  gint64 n = 1;

  for (guint i = 0; i < self->tiles->rows->len; i++)
    n *= heddle_tensor_extent (self, heddle_ids_index (self->tiles->rows, i));
  return n;
}

static void
print_places (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTileWindow *window = heddle_tile_program_get (self->tiles, op->left)->window;
  g_autofree char *place = place_of_row (self, window);
  guint down = self->tiles->tiles_down;
  gint64 rows = rows_of (self);

  heddle_cuda_line (&self->cuda, "// where in %s the windows of the row begin that the lane names",
      heddle_loop_program_get_buffer (self->tiles->program, op->left)->name);
  heddle_cuda_line (&self->cuda, "int place[%u];", down);
  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int m16 = 0; m16 < %u; ++m16)", down);
  self->cuda.depth++;
  heddle_tensor_block (self);
  if (rows == self->tiles->n_rows)
    heddle_cuda_line (&self->cuda, "const int r = warp_row + 16 * m16 + lane %% 16;");
  else
    heddle_cuda_line (
        &self->cuda, "const int r = min (warp_row + 16 * m16 + lane %% 16, %" G_GINT64_FORMAT ");", rows - 1);
  heddle_cuda_line (&self->cuda, "place[m16] = %s;", place);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}

void
heddle_tensor_begin_windows (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *left = heddle_tile_program_get (self->tiles, op->left);
  g_autofree char *tap = NULL, *at = NULL;
  guint down = self->tiles->tiles_down;

  if (left->window == NULL)
    return;
  tap = place_of_tap (self, left->window);
  at = heddle_tensor_slot (self, op->left, "slot");
  heddle_tensor_use (self, "window address");
  heddle_cuda_line (&self->cuda, "unsigned window[%u];", down);
  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int m16 = 0; m16 < %u; ++m16)", down);
  heddle_cuda_line (
      &self->cuda, "  window[m16] = window_address (%s, lane, place[m16]%s%s);", at, *tap ? " + " : "", tap);
}

/* Opens the loops over taps, with what they need; the number of them. */
guint
heddle_tensor_open_windows (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  if (heddle_tile_program_get (self->tiles, op->left)->window == NULL)
    return 0;
  print_places (self, op);
  return heddle_tensor_open_taps (self, heddle_tile_program_get (self->tiles, op->right));
}

void
heddle_tensor_load_window (HeddleTensorKernel *self, guint i, const char *to, const char *depth)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  guint bytes = heddle_dtype_bytes (tile->dtype), panel = 128 / bytes;
  const char *m16 = self->tiles->tiles_down > 1 ? "m16" : "0";

  heddle_tensor_use_copy (self, HEDDLE_COPY_MATRIX);
  if (tile->n_along <= panel)
    heddle_cuda_line (&self->cuda, "load_matrix (%s, window[%s] ^ %s * %u);", to, m16, depth, bytes);
  else
    heddle_cuda_line (&self->cuda,
        "load_matrix (%s, (window[%s] ^ %s %% %u * %u) + %s / %u * %" G_GINT64_FORMAT ");", to, m16, depth,
        panel, bytes, depth, panel, tile->n_down * 128);
}
