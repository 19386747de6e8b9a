/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/choice.h"
#include "codegen/tensor/place.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* This file prints passes, one for each matrix that rows of the block choose: a loop around everything that
 * is done for one matrix. */

/* Returns the choice of the current row, as choice_of (choices[…], e). */
static char *
own_choice (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const HeddleBuffer *chooser = heddle_loop_program_get_buffer (tiles->program, tiles->chooser);
  g_autofree char *row = heddle_tensor_row (self);
  g_autofree char *stride = heddle_tensor_stride (self, chooser, heddle_tile_rows);
  gboolean near = g_str_equal (stride, "1");

  return g_strdup_printf ("choice_of (choices[%s%s%s%s], %s)", near ? "" : "(", row, near ? "" : ") * ",
      near ? "" : stride, heddle_names_axis (self->cuda.names, tiles->matrices));
}

char *
heddle_tensor_chosen (HeddleTensorKernel *self)
{
  g_autofree char *choice = own_choice (self);

  return g_strdup_printf (
      "%s == %s", choice, heddle_names_of_axis (self->cuda.names, self->tiles->matrices, HEDDLE_NAME_BEGIN));
}

/* Prints whether any row of this warp chose the matrix: else nobody needs its products. */
static void
print_chosen (HeddleTensorKernel *self)
{
  g_autofree char *inside = NULL, *chosen = NULL;
  guint n;

  heddle_cuda_line (&self->cuda, "bool chosen = false;  // by a row of this warp");
  n = heddle_tensor_rows_loop (self) + heddle_tensor_loop (self, "half", "2", "1");
  self->half = HEDDLE_TENSOR_BY_ROW;
  inside = heddle_tensor_row_inside (self);
  chosen = heddle_tensor_chosen (self);
  heddle_cuda_line (&self->cuda, "if (%s)", inside);
  heddle_cuda_line (&self->cuda, "  chosen |= %s;", chosen);
  heddle_tensor_close (self, n);
  heddle_cuda_line (&self->cuda, "chosen = __any_sync (0xffffffff, chosen);");
}

void
heddle_tensor_open_choices (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const HeddleBuffer *chooser = heddle_loop_program_get_buffer (tiles->program, tiles->chooser);
  const char *size = heddle_names_axis (self->cuda.names, tiles->matrices),
             *at = heddle_names_of_axis (self->cuda.names, tiles->matrices, HEDDLE_NAME_BEGIN);
  g_autofree char *begin = heddle_tensor_begin (self, chooser, FALSE),
                  *stride = heddle_tensor_stride (self, chooser, heddle_tile_rows),
                  *rows = heddle_tensor_count (self, heddle_tile_rows);

  heddle_tensor_use (self, "choices");
  heddle_cuda_line (&self->cuda, "%s", "");
  heddle_cuda_line (&self->cuda,
      "// one pass for each matrix that some row chooses, which saves those rows; the last one, %s = %s,", at,
      size);
  heddle_cuda_line (&self->cuda, "// for rows whose choice is outside of the array, multiplies nothing");
  heddle_cuda_line (&self->cuda, "const auto *const choices = %s + %s;",
      heddle_names_value (self->cuda.names, chooser->value), begin);
  heddle_cuda_line (&self->cuda, "long long %s = -1;", at);
  heddle_cuda_line (&self->cuda, "#pragma unroll 1");
  heddle_cuda_line (&self->cuda, "while ((%s = next_choice (choices, %s, %s, %s, %s)) <= %s)", at, stride,
      rows, at, size, size);
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_chosen (self);
}

void
heddle_tensor_close_choices (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "%s", "");
  heddle_cuda_line (&self->cuda, "__syncthreads ();  // all slots are read: the next pass fills them again");
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}
