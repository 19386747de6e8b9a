/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/choice.h"
#include "codegen/tensor/place.h"
#include "codegen/tile/choice.h"
#include "codegen/tile/tile.h"
#include "derive/cost/chosen.h"
#include "derive/program/loop-program.h"

/* This file prints passes, one for each matrix that rows of the block choose: a loop around everything that
 * is done for one matrix. Before them the block's rows are dealt out, where it has rows of any places. */

/* Returns the choice of the current row, as choice_of (choices[…], e). */
static char *
own_choice (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const HeddleBuffer *chooser = heddle_loop_program_get_buffer (tiles->program, tiles->chooser);
  g_autofree char *row = heddle_tensor_row (self);
  g_autofree char *stride
      = tiles->dealt != NULL ? g_strdup ("1") : heddle_tensor_stride (self, chooser, heddle_tile_rows);
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

/* Prints whether any row of this warp chose the matrix: else nobody needs its products. Warpgroups multiply in every
 * pass: nothing may stand between their products and the wait for them. */
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

/* Prints the table of the indices along the chooser's axis @k: what is dealt out are places of the chooser. Copies go by
 * whole 16 rows, so that rows behind those of the block have a place as well. */
static void
print_table (HeddleTensorKernel *self, const HeddleBuffer *chooser, guint k, gint64 offset)
{
  HeddleNames *names = self->cuda.names;
  const char *axis = heddle_ids_index (chooser->axes, k),
             *table = heddle_names_of_axis (names, axis, HEDDLE_NAME_DEALT);
  g_autoptr (GString) behind = g_string_new (NULL);
  const gint64 n = self->tiles->n_rows,
               own = heddle_tensor_extent (self, heddle_ids_index (self->tiles->rows, 0));
  g_autofree char *rows = n == own ? heddle_tensor_length (self, heddle_tile_rows, own)
                                   : g_strdup_printf ("%" G_GINT64_FORMAT, n),
                  *tile = heddle_tensor_length (self, heddle_tile_rows, own), *index = NULL;

  for (guint i = k + 1; i < chooser->axes->len; i++)
    g_string_append_printf (behind, " / %s", heddle_names_axis (names, heddle_ids_index (chooser->axes, i)));
  index = k > 0 ? g_strdup_printf ("dealt[at]%s %% %s", behind->str, heddle_names_axis (names, axis))
                : g_strdup_printf ("dealt[at]%s", behind->str);
  heddle_cuda_line (&self->cuda,
      "long long *const %s = reinterpret_cast<long long *> (shared + %" G_GINT64_FORMAT ");", table, offset);
  heddle_cuda_line (&self->cuda, "for (int at = threadIdx.x; at < %s; at += THREADS)", rows);
  if (n == own)
    heddle_cuda_line (&self->cuda, "  %s[at] = %s;", table, index);
  else
    heddle_cuda_line (&self->cuda, "  %s[at] = at < %s ? %s : 0;", table, tile, index);
}

/* Returns the number of the block among those of all rows, as (t_0 / TILE_t * s + s_0). */
static char *
block_of_rows (HeddleTensorKernel *self, const HeddleBuffer *chooser)
{
  HeddleNames *names = self->cuda.names;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < chooser->axes->len; k++)
    {
      const char *axis = heddle_ids_index (chooser->axes, k), *size = heddle_names_axis (names, axis);
      const char *begin = heddle_names_of_axis (names, axis, HEDDLE_NAME_BEGIN),
                 *tile = heddle_names_of_axis (names, axis, HEDDLE_NAME_TILE);

      if (k > 0)
        {
          g_string_prepend_c (text, '(');
          g_string_append_printf (text, ") * ((%s + %s - 1) / %s) + ", size, tile, tile);
        }
      g_string_append_printf (text, "%s / %s", begin, tile);
    }
  return g_strdup (text->str);
}

/* Prints the dealing out of rows: which rows of the arrays the block has, and what they choose. */
static void
print_dealing (HeddleTensorKernel *self, const HeddleBuffer *chooser)
{
  const HeddleTileProgram *tiles = self->tiles;
  const char *tile
      = heddle_names_of_axis (self->cuda.names, heddle_ids_index (tiles->rows, 0), HEDDLE_NAME_TILE);
  g_autofree char *block = block_of_rows (self, chooser);
  g_autoptr (GString) all = g_string_new (NULL);

  heddle_tensor_use (self, "deal rows");
  for (guint k = 0; k < chooser->axes->len; k++)
    g_string_append_printf (all, "%s%s", k > 0 ? " * " : "",
        heddle_names_axis (self->cuda.names, heddle_ids_index (chooser->axes, k)));
  heddle_cuda_line (&self->cuda,
      "// rows are dealt out to blocks sorted by the matrix that they choose: those of this block");
  heddle_cuda_line (&self->cuda,
      "long long *const choices = reinterpret_cast<long long *> (shared + %" G_GINT64_FORMAT "),",
      tiles->tables);
  heddle_cuda_line (&self->cuda, "          *const dealt = choices + %s;", tile);
  heddle_cuda_line (&self->cuda, "const int n_dealt = deal_rows<%s, THREADS, %d> (dealt, choices,", tile,
      HEDDLE_DEALT_MATRICES);
  heddle_cuda_line (&self->cuda, "    reinterpret_cast<int *> (shared), %s, %s, (%s) * %s, %s);",
      heddle_names_value (self->cuda.names, chooser->value), all->str, block, tile,
      heddle_names_axis (self->cuda.names, tiles->matrices));
  for (guint k = 0; k < chooser->axes->len; k++)
    print_table (self, chooser, k, tiles->tables + heddle_tile_dealt_bytes (tiles, k));
  heddle_cuda_line (&self->cuda, "__syncthreads ();");
}

void
heddle_tensor_open_choices (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const HeddleBuffer *chooser = heddle_loop_program_get_buffer (tiles->program, tiles->chooser);
  const char *size = heddle_names_axis (self->cuda.names, tiles->matrices),
             *at = heddle_names_of_axis (self->cuda.names, tiles->matrices, HEDDLE_NAME_BEGIN);
  g_autofree char *begin = heddle_tensor_begin (self, chooser, FALSE),
                  *stride = tiles->dealt != NULL ? g_strdup ("1")
                                                 : heddle_tensor_stride (self, chooser, heddle_tile_rows),
                  *rows = heddle_tensor_count (self, heddle_tile_rows);

  heddle_tensor_use (self, "choices");
  heddle_cuda_line (&self->cuda, "%s", "");
  if (tiles->dealt != NULL)
    print_dealing (self, chooser);
  heddle_cuda_line (&self->cuda,
      "// one pass for each matrix that some row chooses, which saves those rows; the last one, %s = %s,", at,
      size);
  heddle_cuda_line (&self->cuda, "// for rows whose choice is outside of the array, multiplies nothing");
  if (tiles->dealt == NULL)
    heddle_cuda_line (&self->cuda, "const auto *const choices = %s + %s;",
        heddle_names_value (self->cuda.names, chooser->value), begin);
  heddle_cuda_line (&self->cuda, "long long %s = -1;", at);
  heddle_cuda_line (&self->cuda, "#pragma unroll 1");
  heddle_cuda_line (&self->cuda, "while ((%s = next_choice (choices, %s, %s, %s, %s)) <= %s)", at, stride,
      rows, at, size, size);
  self->cuda.depth++;
  heddle_tensor_block (self);
  if (!tiles->warpgroups)
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
