/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/text.h"
#include "codegen/tensor/fragment.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/window.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"

/* This file prints factors of products as fragments, 32 bytes of the sum at a time: loaded from shared
 * memory, or recast from accumulators. */

void
heddle_tensor_use_typed (HeddleTensorKernel *self, const char *function)
{
  g_autofree char *section = g_strdup_printf ("%s %s", function, self->mma->name);

  heddle_tensor_use (self, g_intern_string (section));
}

const char *
heddle_tensor_depth_name (const HeddleTensorKernel *self)
{
  return self->mma->depth == 8 ? "k8" : self->mma->depth == 16 ? "k16" : "k32";
}

guint
heddle_tensor_depth_loop (HeddleTensorKernel *self, const char *depth)
{
  g_autofree char *step = g_strdup_printf ("%u", self->mma->depth);

  return heddle_tensor_loop (self, heddle_tensor_depth_name (self), depth, step);
}

static const char *
dimension (const HeddleTensorKernel *self)
{
  return self->tiles->tiles_down > 1 ? "[m16]" : "";
}

/* Prints a load, as load_matrix (left, tile_address<TILE_y> (Q_tile, down, warp_row, k16)); */
static void
print_load (HeddleTensorKernel *self, guint i, const char *function, const char *to, const char *lane,
    const char *row, const char *column)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  g_autofree char *at = heddle_tensor_tap (self, i, "slot");
  g_autofree char *rows = heddle_tensor_length (self, tile->down, tile->n_down);
  guint bytes = self->mma->bytes;
  g_autofree char *width = bytes != 2 ? g_strdup_printf (", %u", bytes) : g_strdup ("");

  heddle_tensor_use (self, "tile address");
  heddle_cuda_line (&self->cuda, "%s (%s, tile_address<%s%s> (%s, %s, %s, %s));", function, to, rows, width,
      at, lane, row, column);
}

static void
print_matrix (HeddleTensorKernel *self, guint i, const char *to, gboolean exchanged, gboolean along,
    const char *row, const char *column)
{
  const HeddleCopyAtom *atom
      = heddle_tensor_use_copy (self, exchanged ? HEDDLE_COPY_MATRIX_EXCHANGED : HEDDLE_COPY_MATRIX);

  print_load (self, i, atom->function, to, along ? "along" : "down", row, column);
}

/* Prints the load of elements of 32 bits, for which there are no exchanged matrices. */
static void
print_words (HeddleTensorKernel *self, guint i, HeddleCopyKind kind, const char *to, const char *row,
    const char *column)
{
  const HeddleCopyAtom *atom = heddle_tensor_use_copy (self, kind);

  print_load (self, i, atom->function, to, atom->lane, row, column);
}

/* Prints the rounding of what is wider in memory than the tensor core takes it. */
static void
print_rounding (HeddleTensorKernel *self, const char *fragment)
{
  if (!self->mma->rounded)
    return;
  heddle_tensor_use_typed (self, "round");
  heddle_cuda_line (&self->cuda, "round_%s (%s);", self->mma->name, fragment);
}

/* --- the left factor, whose rows the warp has --- */

static char *
first_row (const HeddleTensorKernel *self)
{
  return g_strdup_printf ("warp_row%s", self->tiles->tiles_down > 1 ? " + 16 * m16" : "");
}

static void
load_left (HeddleTensorKernel *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  gboolean exchanged = tile->along == heddle_tile_rows;
  g_autofree char *row = first_row (self), *left = g_strdup_printf ("left%s", dimension (self));
  const char *depth = heddle_tensor_depth_name (self);

  if (tile->window != NULL)
    heddle_tensor_load_window (self, i, left, depth);
  else if (exchanged && !self->mma->exchanges)
    print_words (self, i, HEDDLE_COPY_LEFT_WORDS, left, depth, row);
  else
    print_matrix (self, i, left, exchanged, exchanged, exchanged ? depth : row, exchanged ? row : depth);
  print_rounding (self, left);
}

void
heddle_tensor_recast_left (HeddleTensorKernel *self, guint i, const char *to)
{
  const HeddleTensorTile *tile = heddle_tile_root (self->tiles, heddle_tile_program_get (self->tiles, i));
  const char *name = heddle_tensor_name (self, tile->buffer), *m16 = dimension (self);

  heddle_tensor_use_typed (self, self->mma->rounded ? "round" : "pack");
  heddle_tensor_use_typed (self, "recast");
  if (self->mma->depth == 8)
    heddle_cuda_line (&self->cuda, "recast_%s (%s%s, %s%s[k8 / 8]);", self->mma->name, to, m16, name, m16);
  else
    heddle_cuda_line (&self->cuda, "recast_%s (%s%s, %s%s[k16 / 8], %s%s[k16 / 8 + 1]);", self->mma->name, to,
        m16, name, m16, name, m16);
}

void
heddle_tensor_load_left (HeddleTensorKernel *self, guint i)
{
  gboolean fragment = heddle_tile_program_get (self->tiles, i)->place == HEDDLE_TILE_FRAGMENT;
  guint n = heddle_tensor_rows_loop (self);
  gboolean several = n > 0 && !fragment && self->mma->rounded;

  if (several)
    heddle_tensor_block (self);
  if (fragment)
    heddle_tensor_recast_left (self, i, "left");
  else
    load_left (self, i);
  if (several)
    heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

/* --- the right factor: of 16 columns of the result --- */

/* Prints the load of a right factor of 32-bit elements: its rows come in the order in which the left one has
 * them. */
static void
load_right_words (HeddleTensorKernel *self, guint i, gboolean exchanged, gboolean paired, const char *column)
{
  const char *depth = heddle_tensor_depth_name (self);

  if (exchanged && paired)
    print_words (self, i, HEDDLE_COPY_ROWS_OF_PAIRS, "right", depth, column);
  else if (exchanged)
    print_words (self, i, HEDDLE_COPY_RIGHT_WORDS, "right", depth, column);
  else if (paired)
    print_words (self, i, HEDDLE_COPY_COLUMNS_OF_PAIRS, "right", column, depth);
  else
    print_matrix (self, i, "right", FALSE, TRUE, column, depth);
}

static void
load_right (HeddleTensorKernel *self, guint tile, gboolean exchanged, gboolean recast, const char *column)
{
  const char *depth = heddle_tensor_depth_name (self);

  if (!self->mma->exchanges)
    load_right_words (self, tile, exchanged, recast, column);
  else
    print_matrix (
        self, tile, "right", exchanged, !exchanged, exchanged ? depth : column, exchanged ? column : depth);
  print_rounding (self, "right");
}

void
heddle_tensor_load_columns (HeddleTensorKernel *self, guint tile, gboolean exchanged, const char *column)
{
  load_right (self, tile, exchanged, FALSE, column);
}

void
heddle_tensor_load_right (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->right);
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  gboolean split = result->along == self->tiles->split && self->tiles->warps_along > 1;
  gboolean recast = heddle_tile_program_get (self->tiles, op->left)->place == HEDDLE_TILE_FRAGMENT;

  load_right (self, op->right, tile->along == result->along, recast, split ? "warp_column + n16" : "n16");
}

/* --- tiles of shared memory as accumulators --- */

static void
unpack_words (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const char *name = heddle_tensor_name (self, op->tile), *m16 = dimension (self);
  g_autofree char *row = first_row (self), *left = g_strdup_printf ("left%s", m16);

  print_words (self, op->tile, HEDDLE_COPY_COLUMNS_OF_PAIRS, left, row, "k8");
  heddle_cuda_line (&self->cuda, "unpack_%s (%s_values%s[k8 / 8], left%s);", self->mma->name, name, m16, m16);
}

/* Prints the unpacking of a tile of shared memory as f32, with each lane's elements as accumulators have
 * them. */
void
heddle_tensor_unpack (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  const char *name = heddle_tensor_name (self, op->tile), *m16 = dimension (self);
  g_autofree char *columns = heddle_tensor_length (self, tile->along, tile->n_along), *size = NULL;
  guint n = heddle_tensor_rows_loop (self);

  heddle_tensor_use_typed (self, "unpack");
  n += heddle_tensor_depth_loop (self, columns);
  heddle_tensor_block (self);
  size = self->tiles->tiles_down > 1 ? g_strdup_printf ("[%u]", self->tiles->tiles_down) : g_strdup ("");
  heddle_cuda_line (&self->cuda, "unsigned left%s[4];", size);
  if (!self->mma->exchanges)
    unpack_words (self, op);
  else
    {
      load_left (self, op->tile);
      heddle_cuda_line (&self->cuda, "unpack_%s (%s_values%s[k16 / 8], %s_values%s[k16 / 8 + 1], left%s);",
          self->mma->name, name, m16, name, m16, m16);
    }
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}
