/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/choice.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/store.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* This file prints stores from registers to global memory. */

static void
use_two (HeddleTensorKernel *self, const char *type)
{
  g_autofree char *section = g_strdup_printf ("%s %s", heddle_copy_atom (HEDDLE_COPY_TWO)->sections[0], type);

  heddle_tensor_use (self, g_intern_string (section));
}

static void
use_store (HeddleTensorKernel *self, HeddleDtype dtype)
{
  const char *load, *store;

  if (!heddle_cuda_packed (dtype, &load, &store))
    {
      use_two (self, "float");
      return;
    }
  heddle_tensor_use (self, store);
  if (heddle_dtype_bytes (dtype) == 1)
    {
      heddle_tensor_use (self, "store two bytes");
      return;
    }
  heddle_tensor_use (self, dtype == HEDDLE_DTYPE_BF16 ? "pack bf16" : "pack f16");
  use_two (self, dtype == HEDDLE_DTYPE_BF16 ? "bf16" : "f16");
}

/* Returns the statement that stores one element: "float" elements are stored as they are, others by a
 * function of the prelude. */
static char *
one_text (HeddleTensorKernel *self, HeddleDtype dtype, const char *place, const char *value)
{
  const char *load, *store;

  if (!heddle_cuda_packed (dtype, &load, &store))
    return g_strdup_printf ("%s = %s;", place, value);
  heddle_tensor_use (self, store);
  return g_strdup_printf ("store (&%s, %s);", place, value);
}

/* Returns the value that is saved: an array of the diagram, or the parts that groups make of a state. */
static const char *
value_of (const HeddleTileOp *op, const HeddleBuffer *buffer)
{
  return op->node->partial != NULL ? op->node->partial : buffer->value;
}

/* Returns the place at which the current row begins, before columns. */
static char *
row_place (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer)
{
  return heddle_tensor_row_place (self, buffer, op->node->partial != NULL);
}

/* Prints the storing of two neighbours at once, where the array has them side by side. */
static void
store_pairs (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  const char *last = heddle_tensor_last (self, buffer, tile->along);
  g_autofree char *count = heddle_tensor_count (self, tile->along), *place = row_place (self, op, buffer);
  const char *m16 = self->tiles->tiles_down > 1 ? "[m16]" : "", *name = heddle_tensor_name (self, op->tile);
  gboolean split = tile->along == self->tiles->split && self->tiles->warps_along > 1;
  g_autofree char *column = g_strdup_printf ("%scolumn + 8 * n8", split ? "warp_column + " : "");

  use_store (self, dtype);
  heddle_cuda_line (&self->cuda, "%s (&%s[%s + %s],", heddle_copy_atom (HEDDLE_COPY_TWO)->function,
      heddle_names_value (self->cuda.names, value_of (op, buffer)), place, column);
  heddle_cuda_line (&self->cuda, "    %s%s[n8][2 * half], %s%s[n8][2 * half + 1], %s - (%s), %s %% 2 == 0);",
      name, m16, name, m16, count, column, heddle_names_axis (self->cuda.names, last));
}

/* --- eight at once --- */

/* The number of columns of which four lanes have what makes eight side by side for each of them. */
#define EIGHTS_COLUMNS 32

/* Returns whether columns of a tile can be stored by 16 bytes, which the kernel decides by how long rows are
 * and where the array begins. A product of 4,096 x 4,096 x 4,096 takes an H100 199 us so and 216 by pairs
 * (2026-11-26). Where warps multiply alone it was not measured, and costs registers that the loop needs. */
static gboolean
has_eights (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);

  return self->tiles->bulk && (dtype == HEDDLE_DTYPE_F16 || dtype == HEDDLE_DTYPE_BF16) && tile->along != NULL
         && heddle_tensor_last (self, buffer, tile->along) != NULL
         && heddle_tile_columns (self->tiles, tile) % EIGHTS_COLUMNS == 0
         && heddle_tensor_extent (self, tile->along) % 8 == 0;
}

static void
use_eights (HeddleTensorKernel *self, HeddleDtype dtype)
{
  const HeddleCopyAtom *atom = heddle_copy_atom (HEDDLE_COPY_EIGHTS);
  g_autofree char *section
      = g_strdup_printf ("%s %s", atom->sections[0], dtype == HEDDLE_DTYPE_BF16 ? "bf16" : "f16");

  use_store (self, dtype);
  heddle_tensor_use (self, atom->sections[0]);
  heddle_tensor_use (self, g_intern_string (section));
}

/* Prints the storing of 16 bytes at once, which all lanes enter; @inside has the condition that the row is
 * stored. */
static void
store_eights (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype,
    const char *inside)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  const char *last = heddle_names_axis (self->cuda.names, heddle_tensor_last (self, buffer, tile->along));
  const char *array = heddle_names_value (self->cuda.names, value_of (op, buffer));
  g_autofree char *count = heddle_tensor_count (self, tile->along), *place = row_place (self, op, buffer);
  g_autofree char *columns
      = heddle_tensor_length (self, tile->along, heddle_tile_columns (self->tiles, tile));
  gboolean split = tile->along == self->tiles->split && self->tiles->warps_along > 1;
  const char *first = split ? "warp_column + n32" : "n32";
  guint n = heddle_tensor_loop (self, "n32", columns, "32");

  use_eights (self, dtype);
  heddle_cuda_line (&self->cuda, "%s (&%s[%s + %s], %s%s + n32 / 8, half, lane,",
      heddle_copy_atom (HEDDLE_COPY_EIGHTS)->function, array, place, first,
      heddle_tensor_name (self, op->tile), self->tiles->tiles_down > 1 ? "[m16]" : "");
  heddle_cuda_line (&self->cuda, "    %s - (%s), %s, %s %% 2 == 0, %s %% 8 == 0 && begins_at_16_bytes (%s));",
      count, first, inside, last, last, array);
  heddle_tensor_close (self, n);
}

/* --- two or one at once --- */

static void
store_elements (
    HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *inside = heddle_tensor_inside (self, tile->along, "<"),
                  *place = row_place (self, op, buffer);
  g_autofree char *stride = heddle_tensor_stride (self, buffer, tile->along), *at = NULL, *statement = NULL;
  g_autofree char *column = heddle_tensor_column (self, tile->along),
                  *value = heddle_tensor_element (self, op->tile);

  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int e4 = 2 * half; e4 < 2 * half + 2; ++e4)");
  at = g_strdup_printf ("%s[%s + (%s) * %s]", heddle_names_value (self->cuda.names, value_of (op, buffer)),
      place, column, stride);
  statement = one_text (self, dtype, at, value);
  heddle_cuda_line (&self->cuda, "  if (%s)", inside);
  heddle_cuda_line (&self->cuda, "    %s", statement);
}

static void
store_columns (
    HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *columns
      = heddle_tensor_length (self, tile->along, heddle_tile_columns (self->tiles, tile));
  g_autofree char *tiles = g_strdup_printf ("%s / 8", columns);
  guint n = heddle_tensor_loop (self, "n8", tiles, "1");

  if (heddle_tensor_last (self, buffer, tile->along) != NULL)
    store_pairs (self, op, buffer, dtype);
  else
    store_elements (self, op, buffer, dtype);
  heddle_tensor_close (self, n);
}

/* Returns the condition that the current row is stored. */
static char *
inside_of (HeddleTensorKernel *self)
{
  g_autofree char *inside = heddle_tensor_row_inside (self);
  g_autofree char *chosen = self->tiles->pass != NULL ? heddle_tensor_chosen (self) : NULL;

  return chosen != NULL ? g_strdup_printf ("%s && %s", inside, chosen) : g_steal_pointer (&inside);
}

static void
store_row (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleBuffer *buffer, HeddleDtype dtype)
{
  g_autofree char *place = row_place (self, op, buffer), *value = heddle_tensor_element (self, op->tile);
  g_autofree char *at
      = g_strdup_printf ("%s[%s]", heddle_names_value (self->cuda.names, value_of (op, buffer)), place);
  g_autofree char *statement = one_text (self, dtype, at, value);

  heddle_cuda_line (&self->cuda, "%s", statement);
}

void
heddle_tensor_store (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, op->tile);
  HeddleDtype dtype = heddle_diagram_dtype (self->cuda.diagram, value_of (op, buffer), self->cuda.dtype);
  g_autofree char *inside = NULL;
  guint n = heddle_tensor_rows_loop (self) + heddle_tensor_loop (self, "half", "2", "1");

  self->half = HEDDLE_TENSOR_BY_ROW;
  inside = inside_of (self);
  if (has_eights (self, op, buffer, dtype))
    store_eights (self, op, buffer, dtype, inside);
  else
    {
      heddle_cuda_line (&self->cuda, "if (%s%s)", tile->along == NULL ? "column == 0 && " : "", inside);
      self->cuda.depth++;
      if (tile->along != NULL)
        store_columns (self, op, buffer, dtype);
      else
        store_row (self, op, buffer, dtype);
      self->cuda.depth--;
    }
  heddle_tensor_close (self, n);
}
