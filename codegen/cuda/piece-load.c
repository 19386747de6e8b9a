/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/piece-load.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

#define PIECE_BYTES 16

static const HeddleBuffer *
buffer_of (const HeddleCudaKernel *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->program, buffer);
}

/* Returns the number of elements in a piece. */
static gint64
piece_of (const HeddleBuffer *buffer)
{
  return PIECE_BYTES / heddle_dtype_bytes (buffer->dtype);
}

static gboolean
has_pieces (HeddleDtype dtype)
{
  return dtype == HEDDLE_DTYPE_F32 || dtype == HEDDLE_DTYPE_TF32 || dtype == HEDDLE_DTYPE_F16
         || dtype == HEDDLE_DTYPE_BF16;
}

gboolean
heddle_cuda_loads_pieces (const HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer;
  guint last;

  if (node->kind != HEDDLE_NODE_LOAD || node->upper != HEDDLE_GLOBAL || node->at != NULL
      || !heddle_register_tiles_read (self->tiles, node->buffer))
    return FALSE;
  buffer = buffer_of (self, node->buffer);
  last = buffer->axes->len - 1;
  return has_pieces (buffer->dtype) && buffer->axes->len > 1
         && heddle_buffer_extent (buffer, last) != HEDDLE_EXTENT_WINDOW
         && heddle_register_tiles_extent (self->tiles, node->buffer, last) % piece_of (buffer) == 0
         && heddle_register_tiles_pitch (self->tiles, node->buffer, last) % piece_of (buffer) == 0
         && (heddle_cuda_axis_at_run_time (self->program, heddle_ids_index (buffer->axes, last))
             || heddle_sizes_get (self->sizes, heddle_ids_index (buffer->axes, last)) % piece_of (buffer)
                    == 0);
}

/* Returns the only axis before the last that has more than one index; -1 if there are several, or if it is a
 * window. */
static int
row_axis (const HeddleCudaKernel *self, guint number)
{
  const HeddleBuffer *buffer = buffer_of (self, number);
  int found = -1;

  for (guint i = 0; i + 1 < buffer->axes->len; i++)
    {
      if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW
          || (found >= 0 && heddle_register_tiles_extent (self->tiles, number, i) > 1))
        return -1;
      if (heddle_register_tiles_extent (self->tiles, number, i) > 1)
        found = (int) i;
    }
  return found;
}

/* Returns the text of the place in the array where the buffer's part begins. */
static char *
begin_text (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_hash_table_remove_all (self->indices);
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      const char *begin = heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_FULL
                              ? "0"
                              : heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN);

      g_hash_table_insert (self->indices, (gpointer) axis, g_strdup (begin));
    }
  return heddle_cuda_global_offset (self, buffer, FALSE);
}

/* Returns the distance of rows in the array. */
static char *
stride_text (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = row + 1; i < buffer->axes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " * " : "",
        heddle_names_axis (self->names, heddle_ids_index (buffer->axes, i)));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_rows (HeddleCudaKernel *self, guint number, guint row)
{
  const HeddleBuffer *buffer = buffer_of (self, number);
  const guint last = buffer->axes->len - 1;
  g_autofree char *begin = begin_text (self, buffer), *stride = stride_text (self, buffer, row);

  g_hash_table_add (self->sections, (gpointer) "copy rows");
  heddle_cuda_line (self,
      "copy_rows<%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
      ", THREADS> (%s, %s + %s, %s, %s, %s);",
      heddle_register_tiles_extent (self->tiles, number, row),
      heddle_register_tiles_extent (self->tiles, number, last),
      heddle_register_tiles_pitch (self->tiles, number, last), heddle_names_buffer (self->names, number),
      heddle_names_value (self->names, buffer->value), begin, stride,
      heddle_cuda_count (self, heddle_ids_index (buffer->axes, row), heddle_buffer_extent (buffer, row)),
      heddle_cuda_count (self, heddle_ids_index (buffer->axes, last), heddle_buffer_extent (buffer, last)));
}

/* Defines the index along each axis at piece "at", and finds the conditions under which it is in the tile,
 * and in the array. */
static void
print_piece_indices (HeddleCudaKernel *self, guint number, GString *tile, GString *array)
{
  const HeddleBuffer *buffer = buffer_of (self, number);
  const guint n = buffer->axes->len;
  const gint64 piece = piece_of (buffer);
  gint64 inner = 1;

  for (guint i = n; i-- > 0;)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      const char *index = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_INDEX);
      gboolean window = heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW;
      gint64 extent = heddle_register_tiles_extent (self->tiles, number, i) / (i + 1 == n ? piece : 1);
      const char *count = window ? heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_COUNT)
                                 : heddle_cuda_count (self, axis, heddle_buffer_extent (buffer, i));

      heddle_cuda_line (self, "const int %s = at / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT "%s;", index,
          inner, extent,
          i + 1 < n    ? ""
          : piece == 4 ? " * 4"
                       : " * 8");
      inner *= extent;
      g_string_append_printf (tile, "%s%s < %s", tile->len > 0 ? " && " : "", index, count);
      if (window)
        {
          const char *begin = heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN);

          g_string_append_printf (array, "%s%s + %s >= 0 && %s + %s < %s", array->len > 0 ? " && " : "",
              begin, index, begin, index, heddle_names_axis (self->names, axis));
        }
    }
}

static gint64
pieces_of (const HeddleCudaKernel *self, guint number)
{
  gint64 n = 1;

  for (guint i = 0; i < buffer_of (self, number)->axes->len; i++)
    n *= heddle_register_tiles_extent (self->tiles, number, i);
  return n / piece_of (buffer_of (self, number));
}

static char *
place_text (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autoptr (GPtrArray) indices = g_ptr_array_new ();

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (indices,
        (gpointer) heddle_names_of_axis (self->names, heddle_ids_index (buffer->axes, i), HEDDLE_NAME_INDEX));
  return heddle_cuda_offset (self, buffer, indices);
}

/* Prints copies of buffers with more than two axes, and of windows, which hold zeros outside of the array. */
static void
print_points (HeddleCudaKernel *self, guint number)
{
  const HeddleBuffer *buffer = buffer_of (self, number);
  g_autoptr (GString) tile = g_string_new (NULL), array = g_string_new (NULL);
  g_autofree char *offset = NULL, *place = place_text (self, buffer);
  const char *value = heddle_names_value (self->names, buffer->value);

  heddle_cuda_define_points (self, buffer);
  offset = heddle_cuda_global_offset (self, buffer, FALSE);
  heddle_cuda_line (self, "#pragma unroll 1");
  heddle_cuda_line (
      self, "for (int at = threadIdx.x; at < %" G_GINT64_FORMAT "; at += THREADS)", pieces_of (self, number));
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  print_piece_indices (self, number, tile, array);
  heddle_cuda_line (self, "if (%s)", tile->str);
  if (array->len > 0)
    heddle_cuda_line (self, "  copy_16 (shared_address (%s + %s), %s ? %s + %s : %s, %s);",
        heddle_names_buffer (self->names, number), place, array->str, value, offset, value, array->str);
  else
    heddle_cuda_line (self, "  copy_16 (shared_address (%s + %s), %s + %s, true);",
        heddle_names_buffer (self->names, number), place, value, offset);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

void
heddle_cuda_print_pieces (HeddleCudaKernel *self, const HeddleNode *node,
    void (*elements) (HeddleCudaKernel *self, const HeddleNode *node))
{
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  const char *last = heddle_ids_index (buffer->axes, buffer->axes->len - 1);
  gboolean asks = heddle_cuda_axis_at_run_time (self->program, last);
  int row = row_axis (self, node->buffer);

  g_hash_table_add (self->sections, (gpointer) "shared address");
  g_hash_table_add (self->sections, (gpointer) "copy 16");
  g_hash_table_add (self->sections, (gpointer) "copies");
  if (asks)
    {
      heddle_cuda_line (
          self, "if (%s %% %d == 0)", heddle_names_axis (self->names, last), (int) piece_of (buffer));
      self->depth++;
      heddle_cuda_line (self, "{");
      self->depth++;
    }
  if (row >= 0)
    print_rows (self, node->buffer, (guint) row);
  else
    print_points (self, node->buffer);
  self->copying = TRUE;
  if (!asks)
    return;
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
  heddle_cuda_line (self, "else");
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  heddle_cuda_line (self, "#pragma unroll 1");
  elements (self, node);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}
