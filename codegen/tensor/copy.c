/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/copy.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/window.h"
#include "codegen/tile/bulk.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* This file prints copies from global to shared memory, and the ring that streamed tiles go through. */

static guint
stages_of (const HeddleTensorKernel *self)
{
  return self->tiles->stages;
}

/* Returns ", widen_f16" for the other arguments of a template if the tile is wider than its array, with the
 * section that it needs; else "". */
static const char *
use_widening (HeddleTensorKernel *self, const HeddleTensorTile *tile)
{
  if (tile->widened == NULL)
    return "";
  heddle_tensor_use (self, tile->dtype == HEDDLE_DTYPE_BF16 ? "widen to bf16" : "widen to f16");
  return tile->dtype == HEDDLE_DTYPE_BF16 ? ", widen_bf16" : ", widen_f16";
}

static void
print_call (HeddleTensorKernel *self, guint i, const char *function, const char *strides, const char *slot,
    const char *threads)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  g_autofree char *begin = heddle_tensor_begin (self, buffer, FALSE), *to = heddle_tensor_tap (self, i, slot);
  g_autofree char *down = heddle_tensor_length (self, tile->down, tile->n_down);
  g_autofree char *along = heddle_tensor_length (self, tile->along, tile->n_along);
  g_autofree char *rows = heddle_tensor_count_of (self, buffer, tile->down),
                  *columns = heddle_tensor_count_of (self, buffer, tile->along);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *head
      = g_strdup_printf ("%s<%s, %s, %s%s> (", function, down, along, threads, use_widening (self, tile)),
      *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_ptr_array_add (items, g_steal_pointer (&to));
  g_ptr_array_add (
      items, g_strdup_printf ("%s + %s", heddle_names_value (self->cuda.names, buffer->value), begin));
  g_ptr_array_add (items, g_strdup (strides));
  g_ptr_array_add (items, g_steal_pointer (&rows));
  g_ptr_array_add (items, g_steal_pointer (&columns));
  text = heddle_cuda_wrap (head, items, ", ", ");");
  lines = g_strsplit (text, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++)
    heddle_cuda_line (&self->cuda, "%s", lines[k]);
}

static gboolean
has_dealt_rows (const HeddleTensorKernel *self, const HeddleTensorTile *tile)
{
  return self->tiles->dealt != NULL && tile->down == heddle_tile_rows;
}

/* Returns where rows of the array lie: so many elements apart, or, where they are dealt out, a function of the
 * row. */
static char *
rows_of (HeddleTensorKernel *self, const HeddleTensorTile *tile, const HeddleBuffer *buffer)
{
  g_autofree char *place = NULL;

  if (!has_dealt_rows (self, tile))
    return heddle_tensor_stride (self, buffer, tile->down);
  place = heddle_tensor_dealt_place (self, buffer, "at");
  return g_strdup_printf ("[&] (int at) { return %s; }", place);
}

void
heddle_tensor_copy_by_elements (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  g_autofree char *down = NULL, *along = NULL, *strides = NULL;
  const HeddleCopyAtom *atom;

  if (tile->window != NULL)
    {
      heddle_tensor_copy_window (self, i, slot, TRUE);
      return;
    }
  down = rows_of (self, tile, buffer);
  along = heddle_tensor_stride (self, buffer, tile->along);
  strides = g_strdup_printf ("%s, %s", down, along);
  if (has_dealt_rows (self, tile))
    atom = heddle_tensor_use_copy (self, HEDDLE_COPY_DEALT_ELEMENTS);
  else if (tile->widened != NULL)
    atom = heddle_tensor_use_copy (self, HEDDLE_COPY_WIDEN_ELEMENTS);
  else
    /* It goes by eight elements; if rows turn out to be odd when the kernel runs, by little code in a
     * loop. */
    atom = heddle_tensor_use_copy (self, self->tiles->bulk ? HEDDLE_COPY_BRING_ELEMENTS
                                         : heddle_tile_has_odd_rows (self->tiles, i) ? HEDDLE_COPY_ODD_ROWS
                                                                                     : HEDDLE_COPY_ELEMENTS);
  print_call (
      self, i, atom->function, strides, slot, atom->kind == HEDDLE_COPY_BRING_ELEMENTS ? "128" : "THREADS");
}

static void
copy_by_pieces (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  g_autofree char *stride = NULL;

  if (tile->window != NULL)
    {
      heddle_tensor_copy_window (self, i, slot, FALSE);
      return;
    }
  stride = rows_of (self, tile, buffer);
  print_call (self, i,
      heddle_tensor_use_copy (self, has_dealt_rows (self, tile) ? HEDDLE_COPY_DEALT_PIECES
                                    : tile->widened != NULL     ? HEDDLE_COPY_WIDEN_PIECES
                                                                : HEDDLE_COPY_PIECES)
          ->function,
      stride, slot, "THREADS");
}

/* Returns the condition under which rows of an array, and the part of them that is read, begin at whole pieces of
 * @piece elements, as far as arguments decide it; NULL where they do not. Newly allocated. */
static char *
condition_of_pieces (HeddleTensorKernel *self, const HeddleBuffer *buffer, gint64 piece)
{
  const guint last = buffer->axes->len - 1;
  const HeddleExpr *shift = heddle_tile_shift (self->tiles, buffer, last);
  g_autofree char *rows = heddle_tensor_size_at_run_time (self, buffer, last)
                              ? g_strdup_printf ("%s %% %" G_GINT64_FORMAT " == 0",
                                  heddle_tensor_size (self, buffer, last), piece)
                              : NULL;
  g_autofree char *from = NULL;

  if (shift == NULL || !heddle_expr_uses (shift, HEDDLE_EXPR_SIZE, NULL))
    return g_steal_pointer (&rows);
  from = heddle_tensor_shift (self, buffer, last);
  return g_strdup_printf ("%s%s(%s) %% %" G_GINT64_FORMAT " == 0", rows != NULL ? rows : "",
      rows != NULL ? " && " : "", from, piece);
}

/* Prints the copy of one tile by pieces of 16 bytes if all rows are aligned to them, which the size of the
 * last axis decides. */
static void
copy_one (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  const gboolean ends = tile->vectors && heddle_tensor_last (self, buffer, tile->along) != NULL;
  gint64 piece = heddle_copy_atom (HEDDLE_COPY_PIECES)->bytes / heddle_dtype_bytes (tile->dtype);
  g_autofree char *condition = ends ? condition_of_pieces (self, buffer, piece) : NULL;
  const char *last = ends ? heddle_tile_array_axis (self->tiles, buffer, buffer->axes->len - 1) : NULL;

  if (last == NULL
      || (!heddle_tensor_size_at_run_time (self, buffer, buffer->axes->len - 1)
          && heddle_sizes_get (self->tiles->sizes, last) % piece != 0))
    heddle_tensor_copy_by_elements (self, i, slot);
  else if (condition != NULL)
    {
      heddle_cuda_line (&self->cuda, "if (%s)", condition);
      self->cuda.depth++;
      copy_by_pieces (self, i, slot);
      self->cuda.depth--;
      heddle_cuda_line (&self->cuda, "else");
      self->cuda.depth++;
      heddle_tensor_copy_by_elements (self, i, slot);
      self->cuda.depth--;
    }
  else
    copy_by_pieces (self, i, slot);
}

/* Prints the copy of a tile; of an array that has one for each tap, of all of them. */
void
heddle_tensor_copy (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  guint n = heddle_tensor_open_taps (self, tile);

  if (n > 0)
    heddle_tensor_block (self);
  copy_one (self, i, slot);
  if (n > 0)
    heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

/* --- the ring --- */

char *
heddle_tensor_names_at (HeddleTensorKernel *self, int point)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->tiles->tiles->len; i++)
    if (heddle_tile_is_at (self->tiles, i, point))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
          heddle_loop_program_get_buffer (self->tiles->program, i)->name);
  return g_string_free (text, FALSE);
}

/* Prints auto fetch_0 = [&] (long long x_0, int slot), which begins to copy a step's tiles, and closes their
 * group even if it is empty. */
static void
print_fetch (HeddleTensorKernel *self, guint point)
{
  const char *axis = self->tiles->stream->axis;
  const char *begin = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN);
  const char *end = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_END);
  g_autofree char *names = heddle_tensor_names_at (self, (int) point);
  HeddleCudaText *before, *body;

  heddle_cuda_line (&self->cuda,
      stages_of (self) > 1 ? "auto fetch_%u = [&] (long long %s, int slot)  // %s"
                           : "auto fetch_%u = [&] (long long %s)  // %s",
      point, begin, names);
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "if (%s < %s)", begin, end);
  self->cuda.depth++;
  heddle_tensor_block (self);
  before = heddle_cuda_begin (&self->cuda);
  for (guint i = 0; i < self->tiles->tiles->len; i++)
    if (heddle_tile_program_get (self->tiles, i)->point == (int) point)
      heddle_tensor_copy (self, i, "slot");
  body = heddle_cuda_end (&self->cuda, before);
  heddle_cuda_print_count (
      &self->cuda, body, axis, heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  heddle_cuda_append (&self->cuda, body);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "commit_copies ();");
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "};");
}

void
heddle_tensor_print_fetches (HeddleTensorKernel *self)
{
  for (guint p = 0; p < self->tiles->points; p++)
    print_fetch (self, p);
}

/* Prints the call that fetches the tiles of point @point in the step @ahead of the one at @begin. */
static void
call_fetch (HeddleTensorKernel *self, guint point, const char *begin, guint ahead, const char *slot)
{
  const char *chunk = heddle_names_of_axis (self->cuda.names, self->tiles->stream->axis, HEDDLE_NAME_CHUNK);
  g_autofree char *at = ahead == 0   ? g_strdup (begin)
                        : ahead == 1 ? g_strdup_printf ("%s + %s", begin, chunk)
                                     : g_strdup_printf ("%s + %u * %s", begin, ahead, chunk);

  if (stages_of (self) > 1)
    heddle_cuda_line (&self->cuda, "fetch_%u (%s, %s);", point, at, slot);
  else
    heddle_cuda_line (&self->cuda, "fetch_%u (%s);", point, at);
}

/* Prints the first fetches. They fill all of the ring but the slot that the first point refills, and the one
 * whose products are still under way then. */
void
heddle_tensor_print_first_fetches (HeddleTensorKernel *self)
{
  const char *first = heddle_names_of_axis (self->cuda.names, self->tiles->stream->axis, HEDDLE_NAME_FIRST);

  guint left = self->tiles->under_way > 0 ? 2 : 1;

  for (guint f = 0; f + left < self->tiles->stages * self->tiles->points; f++)
    {
      guint step = f / self->tiles->points;
      g_autofree char *slot = g_strdup_printf ("%u", step);

      call_fetch (self, f % self->tiles->points, first, step, slot);
    }
}

/* Prints the publishing of writes: products of warpgroups read shared memory in another way than threads
 * write it. */
static void
publish (HeddleTensorKernel *self)
{
  if (!self->tiles->warpgroups)
    return;
  heddle_tensor_use (self, "publish writes");
  heddle_cuda_line (&self->cuda, "publish_writes ();");
}

/* Prints the acquisition of a slot. The products of the step before are under way and read its slot, so the
 * free one is that of the step before that. */
static void
acquire_behind_products (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const char *begin = heddle_names_of_axis (self->cuda.names, tiles->stream->axis, HEDDLE_NAME_BEGIN);
  g_autofree char *here = heddle_tensor_names_at (self, 0);

  heddle_cuda_line (&self->cuda, "// %s is here; the slot that was read two steps before is free", here);
  heddle_cuda_line (&self->cuda, "wait_for_copies<%u> ();", tiles->stages - 3);
  publish (self);
  heddle_cuda_line (&self->cuda, "__syncthreads ();");
  call_fetch (self, 0, begin, tiles->stages - 2, "behind");
}

static void
acquire_point (HeddleTensorKernel *self, guint point)
{
  const HeddleTileProgram *tiles = self->tiles;
  const char *begin = heddle_names_of_axis (self->cuda.names, tiles->stream->axis, HEDDLE_NAME_BEGIN);
  guint freed = (point + tiles->points - 1) % tiles->points;
  g_autofree char *here = heddle_tensor_names_at (self, (int) point),
                  *gone = heddle_tensor_names_at (self, (int) freed);

  heddle_cuda_line (&self->cuda, "// %s is here; the slot of %s that was read before is free", here, gone);
  heddle_cuda_line (&self->cuda, "wait_for_copies<%u> ();", tiles->stages * tiles->points - 2);
  publish (self);
  heddle_cuda_line (&self->cuda, "__syncthreads ();");
  if (point > 0)
    call_fetch (self, freed, begin, tiles->stages, "slot");
  else
    call_fetch (self, freed, begin, tiles->stages - 1, "behind");
}

/* Waits for the copies that what follows reads, and meets the other warps. */
void
heddle_tensor_acquire (HeddleTensorKernel *self, guint point)
{
  heddle_tensor_use (self, "copies");
  if (point != G_MAXUINT && self->tiles->under_way > 0)
    {
      acquire_behind_products (self);
      return;
    }
  if (point != G_MAXUINT)
    {
      acquire_point (self, point);
      return;
    }
  heddle_cuda_line (&self->cuda, "commit_copies ();");
  heddle_cuda_line (&self->cuda, "wait_for_copies<0> ();");
  publish (self);
  heddle_cuda_line (&self->cuda, "__syncthreads ();");
}
