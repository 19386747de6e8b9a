/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/axes.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/row-printer.h"
#include "codegen/cuda/text.h"
#include "diagram/graph/diagram.h"

static void
use (HeddleCudaKernel *self, const char *section)
{
  g_hash_table_add (self->sections, (gpointer) section);
}

void
heddle_row_printer_use (HeddleRowPrinter *self, const char *section)
{
  use (self->cuda, section);
}

const HeddleBuffer *
heddle_row_printer_buffer (const HeddleRowPrinter *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->cuda->program, buffer);
}

gboolean
heddle_row_printer_has_columns (const HeddleRowPrinter *self, guint buffer)
{
  return heddle_rows_has_columns (self->rows, heddle_row_printer_buffer (self, buffer));
}

HeddleExtent
heddle_row_printer_extent (const HeddleRowPrinter *self, const char *axis)
{
  if (axis == self->rows->columns && self->rows->streamed)
    return HEDDLE_EXTENT_CHUNK;
  return heddle_loop_program_get_band (self->cuda->program, axis, HEDDLE_BAND_GROUP) != NULL
             ? HEDDLE_EXTENT_TILE
             : HEDDLE_EXTENT_FULL;
}

gint64
heddle_row_printer_length (const HeddleRowPrinter *self, const char *axis)
{
  return heddle_loop_program_extent (
      self->cuda->program, self->cuda->sizes, axis, heddle_row_printer_extent (self, axis));
}

const char *
heddle_row_printer_columns_name (const HeddleRowPrinter *self, HeddleAxisName part)
{
  return heddle_names_of_axis (self->cuda->names, self->rows->columns, part);
}

void
heddle_row_printer_define_indices (HeddleRowPrinter *self, gboolean element)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *index = heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX);
  g_autofree char *begin = self->rows->tiled ? g_strdup_printf (
                               "%s + ", heddle_row_printer_columns_name (self, HEDDLE_NAME_BEGIN))
                                             : g_strdup ("");

  g_hash_table_remove_all (cuda->indices);
  g_hash_table_remove_all (cuda->extents);
  for (guint i = 0; i < self->rows->axes->len; i++)
    heddle_cuda_define_index (cuda, heddle_ids_index (self->rows->axes, i),
        heddle_row_printer_extent (self, heddle_ids_index (self->rows->axes, i)));
  g_hash_table_insert (cuda->indices, (gpointer) self->rows->columns,
      g_strdup_printf (element ? "%s%s + element" : "%s%s", begin, index));
}

void
heddle_row_printer_over_elements (HeddleRowPrinter *self, const char *line)
{
  g_auto (GStrv) lines = NULL;

  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int element = 0; element < WIDTH; ++element)");
  lines = g_strsplit (line, "\n", 2);
  heddle_cuda_line (self->cuda, "  %s", lines[0]);
  if (lines[1] != NULL)
    heddle_cuda_line (self->cuda, "    %s", lines[1]);
}

void
heddle_row_printer_vector (HeddleRowPrinter *self, const char *held, const char *value, const char *offset)
{
  HeddleCudaKernel *cuda = self->cuda;

  heddle_row_printer_use (self, "piece");
  heddle_row_printer_use (self, "load vector");
  if (!self->rows->tiled)
    {
      heddle_cuda_line (cuda, "load_vector (%s, %s + %s);", held, value, offset);
      return;
    }
  heddle_row_printer_use (self, "load part");
  heddle_cuda_line (cuda, "load_part (%s, %s + %s, %s - %s, whole);", held, value, offset,
      heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT),
      heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX));
}

/* --- the kernel --- */

/* Asks for stores of two elements side by side: one instruction makes both halves of a word. */
static void
use_pairs (HeddleCudaKernel *self, HeddleDtype dtype)
{
  use (self, "store pair");
  if (dtype == HEDDLE_DTYPE_F16)
    {
      use (self, "pack f16");
      use (self, "store pair f16");
    }
  if (dtype == HEDDLE_DTYPE_BF16)
    {
      use (self, "pack bf16");
      use (self, "store pair bf16");
    }
}

/* Asks for the loads and stores of the types that the kernel's arrays have. */
static void
use_types (HeddleCudaKernel *self, gboolean in_pairs)
{
  g_autoptr (GArray) reads = heddle_loop_program_reads (self->program);
  g_autoptr (GArray) writes = heddle_loop_program_writes (self->program);
  const GArray *lists[] = { reads, writes };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        HeddleDtype dtype = heddle_diagram_dtype (self->diagram, heddle_ids_index (lists[l], i), self->dtype);
        const char *loads = "load f32", *stores = "store f32";

        heddle_cuda_packed (dtype, &loads, &stores);
        use (self, l == 0 ? loads : stores);
        if (l == 1 && in_pairs)
          use_pairs (self, dtype);
      }
}

gboolean
heddle_row_printer_print (HeddleCudaKernel *self, gboolean in_pairs, const HeddleRowConstant *constants,
    void (*print_body) (gpointer printer), gpointer printer, GError **error)
{
  HeddleCudaText *before, *body;

  if (!heddle_cuda_print_signature (self, error))
    return FALSE;
  use_types (self, in_pairs);
  heddle_cuda_line (self, "{");
  self->depth = 1;
  before = heddle_cuda_begin (self);
  print_body (printer);
  body = heddle_cuda_end (self, before);
  for (; constants->name != NULL; constants++)
    heddle_cuda_print_constant (self, body, constants->name, constants->value);
  heddle_cuda_print_constants (self, body);
  heddle_cuda_append (self, body);
  self->depth = 0;
  heddle_cuda_line (self, "}");
  return TRUE;
}
