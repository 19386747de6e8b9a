/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/tensor/remarks.h"
#include "codegen/tile/program.h"
#include "derive/program/loop-program.h"

/* This file makes remarks on a kernel for the tensor core. */

/* Appends the arrays that are held wider than they are, each with the reason. */
static void
name_widened (GString *text, const HeddleTileProgram *tiles)
{
  for (guint i = 0; i < tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (tiles, i);

      if (tile->widened != NULL)
        g_string_append_printf (text,
            "%s%s becomes %s on its way to shared memory (exactly, by threads), since %s",
            text->len > 0 ? "; " : "", heddle_loop_program_get_buffer (tiles->program, i)->name,
            heddle_dtype_to_string (tile->dtype), tile->widened);
    }
}

/* Appends what is copied element by element, since none of its tile's axes is the array's last. */
static void
name_slow_copies (GString *text, const HeddleTileProgram *tiles)
{
  guint n = 0;

  for (guint i = 0; i < tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (tiles, i);

      if (tile->place != HEDDLE_TILE_SHARED || tile->vectors)
        continue;
      if (n == 0)
        g_string_append_printf (text,
            "%scopied element by element, since the last axis of the array is cut within 16 bytes or none of "
            "the "
            "tile's: ",
            text->len > 0 ? "; " : "");
      g_string_append_printf (
          text, "%s%s", n++ > 0 ? ", " : "", heddle_loop_program_get_buffer (tiles->program, i)->name);
    }
}

char *
heddle_tensor_remarks (const HeddleTileProgram *tiles)
{
  g_autoptr (GString) text = g_string_new (NULL);

  name_widened (text, tiles);
  if (tiles->bulk_fault != NULL)
    g_string_append_printf (text,
        "%stiles are copied by threads (cp.async), not by the copy hardware (TMA): %s",
        text->len > 0 ? "; " : "", tiles->bulk_fault);
  else
    name_slow_copies (text, tiles);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Returns the error with which a third is rounded: no binary format holds it. */
static double
error_of (HeddleDtype dtype)
{
  return fabs (heddle_dtype_round (dtype, 1. / 3) - 1. / 3);
}

static HeddleDtype
coarser (HeddleDtype a, HeddleDtype b)
{
  return a == HEDDLE_DTYPE_UNSET || error_of (b) > error_of (a) ? b : a;
}

/* Returns whether the left factors of a product are rounded: results of the kernel, and vectors of a finer
 * type than the tile that they are multiplied with. */
static gboolean
rounds_left (const HeddleTileProgram *tiles, const HeddleTileOp *op)
{
  const HeddleTensorTile *left;

  if (op->kind != HEDDLE_TILE_CONTRACT && op->kind != HEDDLE_TILE_COLUMNS)
    return FALSE;
  left = heddle_tile_program_get (tiles, op->left);
  return left->place == HEDDLE_TILE_FRAGMENT
         || (op->kind == HEDDLE_TILE_COLUMNS && heddle_tensor_rounds_vectors (tiles, op));
}

gboolean
heddle_tensor_rounds_vectors (const HeddleTileProgram *tiles, const HeddleTileOp *op)
{
  return error_of (heddle_tile_factor_type (tiles, op))
         > error_of (heddle_tile_program_get (tiles, op->left)->dtype);
}

HeddleDtype
heddle_tensor_rounds_to (const HeddleTileProgram *tiles)
{
  const GPtrArray *lists[] = { tiles->prologue, tiles->body, tiles->epilogue };
  HeddleDtype rounded = HEDDLE_DTYPE_UNSET;

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const HeddleTileOp *op = g_ptr_array_index (lists[l], i);

        if (rounds_left (tiles, op))
          rounded = coarser (rounded, heddle_tile_factor_type (tiles, op));
      }
  return rounded;
}
