/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/base/kernel-text.h"
#include "codegen/base/names.h"
#include "codegen/base/prelude.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/grid.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/register-count.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/row-kernel.h"
#include "codegen/cuda/rows.h"
#include "codegen/cuda/sum-kernel.h"
#include "codegen/cuda/sums.h"
#include "codegen/cuda/text.h"
#include "codegen/emit/comment.h"
#include "codegen/emit/duplicates.h"
#include "codegen/emit/emit.h"
#include "codegen/tensor/bulk.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tensor/remarks.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "codegen/tile/rank.h"
#include "codegen/tile/text.h"
#include "codegen/tile/tile.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "derive/program/memory-layout.h"
#include "diagram/analysis/sizes.h"

#define THREADS 256

/* --- the interface --- */

static void
add_parameter (HeddleKernelText *text, const char *name, const char *value, const char *axis,
    HeddleDtype dtype, gboolean output)
{
  HeddleKernelParameter *parameter = g_new0 (HeddleKernelParameter, 1);

  *parameter = (HeddleKernelParameter){ g_strdup (name), value, axis, dtype, output, 0 };
  g_ptr_array_add (text->parameters, parameter);
}

static void
add_parameters (HeddleKernelText *text, HeddleCudaKernel *printer)
{
  g_autoptr (GArray) all = heddle_cuda_axes (printer->diagram, printer->program);
  g_autoptr (GArray) axes = heddle_cuda_run_time_axes (printer->diagram, printer->program);
  g_autoptr (GArray) reads = heddle_loop_program_reads (printer->program);
  g_autoptr (GArray) writes = heddle_loop_program_writes (printer->program);
  const GArray *lists[] = { reads, writes };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);

        add_parameter (text, heddle_names_value (printer->names, value), value, NULL,
            heddle_diagram_dtype (printer->diagram, value, printer->dtype), l == 1);
      }
  for (guint i = 0; i < all->len; i++)
    if (heddle_cuda_axis_is_fixed (printer->program, heddle_ids_index (all, i)))
      heddle_ids_append (text->fixed_axes, heddle_ids_index (all, i));
  for (guint i = 0; i < axes->len; i++)
    add_parameter (text, heddle_names_axis (printer->names, heddle_ids_index (axes, i)), NULL,
        heddle_ids_index (axes, i), HEDDLE_DTYPE_I64, FALSE);
}

/* Returns whether a buffer is loaded at indices: its axes are not the array's. */
static gboolean
is_gathered (const HeddleNode *node, guint buffer)
{
  if (node->kind == HEDDLE_NODE_LOAD && node->buffer == buffer && node->at != NULL)
    return TRUE;
  for (guint i = 0; i < node->children->len; i++)
    if (is_gathered (g_ptr_array_index (node->children, i), buffer))
      return TRUE;
  return FALSE;
}

/* Adds the axes that must have equal sizes: an array may be loaded under other names of its axes. */
static void
add_equal_axes (HeddleKernelText *text, const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      const HeddleValue *value = NULL;

      if (buffer->role == HEDDLE_BUFFER_OPERAND && !is_gathered (program->root, i))
        value = heddle_diagram_get_value (diagram, buffer->value);
      for (guint k = 0; value != NULL && k < buffer->axes->len; k++)
        if (heddle_ids_index (buffer->axes, k) != heddle_ids_index (value->axes, k))
          {
            heddle_ids_append (text->equal_axes, heddle_ids_index (value->axes, k));
            heddle_ids_append (text->equal_axes, heddle_ids_index (buffer->axes, k));
          }
    }
}

static void
add_tile (HeddleKernelText *text, const HeddleLoopProgram *program, const HeddleSizes *sizes,
    const HeddleNode *band, int at)
{
  HeddleKernelTile *tile = g_new (HeddleKernelTile, 1);
  gint64 n = heddle_sizes_get (sizes, band->axis);

  *tile = (HeddleKernelTile){ band->axis,
    heddle_loop_program_extent (program, sizes, band->axis, HEDDLE_EXTENT_TILE),
    heddle_cuda_axis_lengthens (program, band->axis) };
  g_ptr_array_insert (text->tiles, at, tile);
  text->blocks *= (n + tile->size - 1) / tile->size;
}

/* Adds the tiles in the order of the grid, as heddle_cuda_print_groups () has it. */
static void
add_tiles (HeddleKernelText *text, const HeddleLoopProgram *program, const HeddleSizes *sizes,
    const HeddleCudaSweep *sweep)
{
  const HeddleNode *node = program->root;
  int n_backwards = 0;

  text->blocks = 1;
  while (node->children->len == 1)
    {
      node = g_ptr_array_index (node->children, 0);
      if (node->kind != HEDDLE_NODE_BAND || node->band != HEDDLE_BAND_GROUP)
        break;
      if (node == sweep->side || node == sweep->along)
        continue;
      add_tile (
          text, program, sizes, node, heddle_cuda_axis_lengthens (program, node->axis) ? n_backwards++ : -1);
    }
  if (sweep->along == NULL)
    return;
  add_tile (text, program, sizes, sweep->side, -1);
  add_tile (text, program, sizes, sweep->along, -1);
  text->swept = sweep->count;
}

/* Assembles the text of a kernel. Lines of the comment and the prelude belong to no operation. */
static void
assemble (HeddleKernelText *text, GPtrArray *kernel_lines)
{
  g_autofree char *prelude = heddle_prelude_text (text->sections);
  const char *gap = *prelude ? "\n" : "";

  text->device = g_strconcat (prelude, gap, text->kernel, NULL);
  text->cuda = g_strconcat (text->comment, "\n", prelude, gap, text->kernel, NULL);
  for (const char *p = text->cuda; p < text->cuda + strlen (text->cuda) - strlen (text->kernel); p++)
    if (*p == '\n')
      g_ptr_array_add (text->line_operations, NULL);
  for (guint i = 0; i < kernel_lines->len; i++)
    g_ptr_array_add (text->line_operations, g_ptr_array_index (kernel_lines, i));
}

static void
printer_init (HeddleCudaKernel *printer)
{
  printer->out = heddle_cuda_text_new ();
  printer->arguments = g_ptr_array_new_with_free_func (g_free);
  printer->wholes = g_ptr_array_new_with_free_func (g_free);
  printer->inside = g_string_new (NULL);
  printer->indices = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  printer->extents = g_hash_table_new (NULL, NULL);
  printer->bands = g_ptr_array_new ();
  printer->accesses = heddle_cuda_accesses_new ();
}

static void
printer_clear (HeddleCudaKernel *printer)
{
  heddle_names_free (printer->names);
  heddle_cuda_text_free (printer->out);
  g_ptr_array_unref (printer->arguments);
  g_ptr_array_unref (printer->wholes);
  g_string_free (printer->inside, TRUE);
  g_hash_table_unref (printer->indices);
  g_hash_table_unref (printer->extents);
  g_ptr_array_unref (printer->bands);
  g_array_unref (printer->accesses);
}

/* Returns the name of a kernel: attention_kernel and attention_combine_kernel, or attention_S_kernel for one
 * of several. It is attention_S_2_kernel if one of those @taken has that name, as when what is read at
 * indices and what is made of it belong to one equation. */
static char *
entry_name (const HeddleDiagram *diagram, const HeddleLoopProgram *program, GHashTable *taken)
{
  g_autofree char *second = g_strconcat (diagram->name, "_combine", NULL);
  gboolean all = g_str_equal (program->name, diagram->name) || g_str_equal (program->name, second);
  g_autofree char *name
      = all ? g_strdup (program->name) : g_strdup_printf ("%s_%s", diagram->name, program->name);
  g_autofree char *identifier = heddle_c_identifier (name);
  char *entry = g_strconcat (identifier, "_kernel", NULL);

  for (guint i = 2; taken != NULL && !g_hash_table_add (taken, g_strdup (entry)); i++)
    {
      g_free (entry);
      entry = g_strdup_printf ("%s_%u_kernel", identifier, i);
    }
  return entry;
}

/* --- families --- */

static const char *const family_names[] = { "auto", "general", "sm80", "sm90a", "sm90a-copies", "rows" };

const char *
heddle_family_to_string (HeddleFamily family)
{
  return family_names[family];
}

gboolean
heddle_family_from_string (const char *text, HeddleFamily *family)
{
  for (guint i = 0; i < G_N_ELEMENTS (family_names); i++)
    if (g_strcmp0 (text, family_names[i]) == 0)
      {
        *family = i;
        return TRUE;
      }
  return FALSE;
}

/* Sets the alignment of arrays: those that are copied by 16 bytes are aligned to them, those stored by pairs
 * to pairs. */
static void
set_alignment (HeddleKernelText *text, const HeddleTileProgram *tiles)
{
  for (guint i = 0; i < tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (tiles, i);
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (tiles->program, i);

      guint alignment = tile->place == HEDDLE_TILE_SHARED && tile->vectors
                            ? heddle_copy_atom (HEDDLE_COPY_PIECES)->alignment
                            : 0;

      if (tile->place == HEDDLE_TILE_FRAGMENT && heddle_ids_contain (tiles->program->outputs, buffer->value))
        alignment = 2;
      for (guint k = 0; k < text->parameters->len; k++)
        {
          HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, k);

          if (parameter->axis == NULL && parameter->value == buffer->value
              && alignment > parameter->alignment)
            parameter->alignment = alignment == 2 ? 2 * heddle_dtype_bytes (parameter->dtype) : alignment;
        }
    }
}

/* Adds the axes that must have equal sizes since tiles read an array along one under the name of the other. */
static void
add_names (HeddleKernelText *text, const HeddleLoopProgram *program, const HeddleTileProgram *tiles)
{
  for (guint i = 0; tiles->shifts != NULL && i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      const HeddleBuffer *seen = heddle_loop_program_get_buffer (tiles->program, i);

      for (guint k = 0; seen != buffer && k < buffer->axes->len; k++)
        if (heddle_tile_array_axis (tiles, seen, k) != heddle_ids_index (buffer->axes, k))
          {
            heddle_ids_append (text->equal_axes, heddle_ids_index (buffer->axes, k));
            heddle_ids_append (text->equal_axes, heddle_tile_array_axis (tiles, seen, k));
          }
    }
}

static gboolean
print_tensor (
    HeddleKernelText *text, HeddleCudaKernel *printer, const HeddleTileProgram *tiles, GError **error)
{
  HeddleTensorKernel tensor = { .tiles = tiles };
  gboolean good;

  text->family = tiles->warpgroups ? HEDDLE_FAMILY_SM90 : HEDDLE_FAMILY_SM80;
  text->threads = printer->threads = heddle_tile_threads (tiles);
  printer->blocks = 1;
  text->shared_bytes = tiles->shared_bytes;
  text->tile_program = heddle_tile_program_to_string (tiles);
  text->family_reason = heddle_tensor_remarks (tiles);
  text->family_choice = g_strdup (tiles->choice);
  if (tiles->dealt != NULL)
    {
      text->dealt_by = heddle_loop_program_get_buffer (tiles->program, tiles->chooser)->value;
      text->matrices = tiles->matrices;
    }
  text->rounded = heddle_tensor_rounds_to (tiles);
  add_names (text, printer->program, tiles);
  if (tiles->bulk)
    {
      g_ptr_array_unref (text->maps);
      text->maps = heddle_tensor_maps (tiles, printer->names, printer->dtype);
      printer->maps = text->maps;
    }
  tensor.cuda = *printer;
  if (tiles->bulk)
    tensor.cuda.sweep = heddle_cuda_find_sweep (printer->program, printer->sizes);
  good = heddle_tensor_kernel_print (&tensor, error);
  *printer = tensor.cuda;
  return good;
}

/* Aligns the arrays of which threads have several elements of a row side by side. */
static void
align_rows (HeddleKernelText *text, const HeddleRows *rows)
{
  for (guint i = 0; i < text->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (text->program, i);

      for (guint k = 0; k < text->parameters->len && heddle_rows_has_columns (rows, buffer); k++)
        {
          HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, k);

          if (parameter->axis == NULL && parameter->value == buffer->value && rows->width > 1)
            parameter->alignment = rows->width * heddle_dtype_bytes (parameter->dtype);
        }
    }
}

/* Prints the kernel with its rows in registers. */
static gboolean
print_rows (HeddleKernelText *text, HeddleCudaKernel *printer, const HeddleRows *rows, GError **error)
{
  text->family = HEDDLE_FAMILY_ROWS;
  g_clear_pointer (&text->family_reason, g_free);
  text->threads = printer->threads = heddle_rows_threads (rows);
  text->shared_bytes = 0;
  printer->blocks = 0;
  return heddle_row_kernel_print (printer, rows, error);
}

/* Aligns the arrays whose columns are processed by vectors. */
static void
align_sums (HeddleKernelText *text, const HeddleSums *sums)
{
  for (guint i = 0; i < text->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (text->program, i);

      for (guint k = 0; k < text->parameters->len && heddle_sums_has_columns (sums, buffer); k++)
        {
          HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, k);

          if (parameter->axis == NULL && parameter->value == buffer->value && sums->width > 1)
            parameter->alignment = sums->width * heddle_dtype_bytes (parameter->dtype);
        }
    }
}

/* Prints the kernel with sums of columns in registers. */
static gboolean
print_sums (HeddleKernelText *text, HeddleCudaKernel *printer, const HeddleSums *sums, GError **error)
{
  text->family = HEDDLE_FAMILY_ROWS;
  g_clear_pointer (&text->family_reason, g_free);
  text->threads = printer->threads = heddle_sums_threads (sums);
  text->shared_bytes = 0;
  printer->blocks = heddle_sums_threads (sums) == THREADS ? 4 : 0;
  return heddle_sum_kernel_print (printer, sums, error);
}

/* A multiprocessor's, and as many as a thread is to have rather than that another block has room. */
#define REGISTERS 65536
#define LEAST_REGISTERS 64

/* Returns how many blocks a multiprocessor has shared memory for, to be told to the compiler: NVRTC's
 * assembler saves registers for as many as have room by their threads alone, and spills. Returns 0 if it need
 * not be told, since threads limit the blocks and registers are few. */
static guint
count_blocks (const HeddleKernelText *text, const HeddleMachine *machine, guint registers)
{
  int level = heddle_machine_find_level (machine, "smem");
  const HeddleLevel *shared = level >= 0 ? g_ptr_array_index (machine->levels, level) : NULL;
  gint64 reserved = machine->reserved_shared_bytes, blocks;

  if (shared == NULL || text->shared_bytes + reserved <= 0)
    return 0;
  blocks = MAX ((shared->capacity_bytes + reserved) / (text->shared_bytes + reserved), 1);
  if (blocks >= machine->max_threads_per_sm / text->threads && registers <= LEAST_REGISTERS)
    return 0;
  return (guint) MIN (blocks, MAX (REGISTERS / (registers * text->threads), 1));
}

/* Returns whether register tiles read or write a factor by pieces of the array. */
static gboolean
is_of_pieces (const HeddleRegisterTiles *tiles, guint buffer)
{
  return heddle_register_tiles_read (tiles, buffer) || heddle_register_tiles_is_unheld (tiles, buffer);
}

/* Aligns the arrays that are read and written by pieces of 16 bytes. */
static void
align_pieces (HeddleKernelText *text, const HeddleRegisterTiles *tiles)
{
  for (guint i = 0; i < text->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (text->program, i);

      for (guint k = 0; k < text->parameters->len && is_of_pieces (tiles, i); k++)
        {
          HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, k);

          if (parameter->axis == NULL && parameter->value == buffer->value
              && heddle_dtype_bytes (parameter->dtype) == 4)
            parameter->alignment = 16;
        }
    }
}

/* Prints the kernel with what contractions it can in registers. */
static gboolean
print_general (HeddleKernelText *text, HeddleCudaKernel *printer, const HeddleMachine *machine,
    HeddleRegisterTiles **tiles, GError **error)
{
  int level = heddle_machine_find_level (machine, "smem");
  gint64 capacity
      = level >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, level))->capacity_bytes : 0;

  *tiles = heddle_register_tiles_new (printer->program, printer->sizes, printer->threads, capacity);
  if (*tiles != NULL)
    {
      text->shared_bytes = heddle_register_tiles_shared_bytes (*tiles);
      printer->tiles = *tiles;
      printer->blocks = count_blocks (text, machine, heddle_register_count (*tiles));
    }
  return heddle_cuda_kernel_print (printer, error);
}

/* Prints the kernel of the family that is asked for, or of the best that has it. */
static gboolean
print_family (HeddleKernelText *text, HeddleCudaKernel *printer, const HeddleMachine *machine,
    HeddleFamily family, GError **error)
{
  const HeddleTileWish wish = heddle_family_wish (family);
  g_autoptr (HeddleTileProgram) tiles = NULL;
  g_autoptr (HeddleRegisterTiles) contractions = NULL;
  g_auto (HeddleRows) rows = { 0 };
  g_auto (HeddleSums) sums = { 0 };
  gboolean may_be_rows = family == HEDDLE_FAMILY_AUTO || family == HEDDLE_FAMILY_ROWS, by_rows, by_sums, good;

  if (family != HEDDLE_FAMILY_GENERAL && family != HEDDLE_FAMILY_ROWS)
    tiles = heddle_tile_program_best (printer->diagram, printer->program, printer->sizes, printer->dtype,
        machine, &wish, &text->family_reason);
  by_rows = tiles == NULL && may_be_rows
            && heddle_rows_find (&rows, printer->program, printer->sizes, printer->dtype);
  by_sums = tiles == NULL && may_be_rows && !by_rows
            && heddle_sums_find (&sums, printer->program, printer->sizes, printer->dtype);
  if (family == HEDDLE_FAMILY_ROWS && !by_rows && !by_sums)
    text->family_reason = g_strdup (
        _ ("its statements do not all run along one contiguous axis that is short enough for registers"));
  if (tiles == NULL && !by_rows && !by_sums && family != HEDDLE_FAMILY_AUTO
      && family != HEDDLE_FAMILY_GENERAL)
    {
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("kernel “%s” cannot be made in the %s family: %s"), text->name, family_names[family],
          text->family_reason);
      return FALSE;
    }
  text->family = HEDDLE_FAMILY_GENERAL;
  if (tiles != NULL)
    good = print_tensor (text, printer, tiles, error);
  else if (by_rows)
    good = print_rows (text, printer, &rows, error);
  else if (by_sums)
    good = print_sums (text, printer, &sums, error);
  else
    good = print_general (text, printer, machine, &contractions, error);
  if (!good)
    return FALSE;
  text->kernel = g_strdup (printer->out->text->str);
  add_parameters (text, printer);
  if (tiles != NULL)
    set_alignment (text, tiles);
  if (by_rows)
    align_rows (text, &rows);
  if (by_sums)
    align_sums (text, &sums);
  if (contractions != NULL)
    align_pieces (text, contractions);
  printer->tiles = NULL;
  return TRUE;
}

static HeddleKernelText *
text_new (const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine,
    GHashTable *taken)
{
  HeddleKernelText *text = g_new0 (HeddleKernelText, 1);

  text->program = heddle_loop_program_ref ((HeddleLoopProgram *) program);
  text->name = g_strdup (program->name);
  text->arch = g_strdup (machine->arch ? machine->arch : "sm_80");
  text->entry = entry_name (program->diagram, program, taken);
  text->sections = g_hash_table_new (g_str_hash, g_str_equal);
  text->line_operations = g_ptr_array_new ();
  text->parameters = g_ptr_array_new_with_free_func (heddle_kernel_parameter_free);
  text->maps = g_ptr_array_new_with_free_func (heddle_kernel_map_free);
  text->tiles = g_ptr_array_new_with_free_func (g_free);
  text->fixed_axes = heddle_ids_new ();
  text->equal_axes = heddle_ids_new ();
  text->threads = THREADS;
  text->shared_bytes = heddle_loop_program_shared_bytes (program, sizes);
  return text;
}

/* Returns whether all that the kernel stores is floats of 16 bits or fewer. */
static gboolean
stores_coarse (const HeddleCudaKernel *printer)
{
  g_autoptr (GArray) writes = heddle_loop_program_writes (printer->program);

  for (guint i = 0; i < writes->len; i++)
    {
      HeddleDtype dtype
          = heddle_diagram_dtype (printer->diagram, heddle_ids_index (writes, i), printer->dtype);

      if (!heddle_dtype_is_real (dtype) || heddle_dtype_bytes (dtype) > 2)
        return FALSE;
    }
  return writes->len > 0;
}

/* Returns one kernel, with a name that is not in @taken (nullable), to which its name is added. */
static HeddleKernelText *
emit_program (const HeddleLoopProgram *program, const HeddleKernel *kernel, const HeddleSizes *sizes,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, const char *verification,
    GHashTable *taken, GError **error)
{
  const HeddleDiagram *diagram = program->diagram;
  g_autoptr (HeddleSizes) own = heddle_loop_program_own_sizes (program, sizes);
  g_autoptr (HeddleKernelText) text = text_new (program, own, machine, taken);
  HeddleCudaKernel printer
      = { .diagram = diagram, .program = program, .sizes = own, .dtype = dtype, .threads = THREADS };
  gboolean good;

  if (program->levels->len > 1)
    {
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("kernel “%s” has labels at %s: generated kernels divide their blocks' work among threads by "
             "rules "
             "of their own; remove those labels to print it"),
          text->name, heddle_ids_index (program->levels, 1));
      return NULL;
    }

  printer.names = heddle_names_new (diagram, program);
  printer.entry = text->entry;
  printer.blocks = count_blocks (text, machine, LEAST_REGISTERS);
  printer.sections = text->sections;
  printer_init (&printer);
  printer.coarse = stores_coarse (&printer);
  good = print_family (text, &printer, machine, family, error);
  if (good)
    {
      add_tiles (text, program, own, &printer.sweep);
      add_equal_axes (text, diagram, program);
      text->comment = program == kernel->program
                          ? heddle_cuda_derivation (diagram, kernel, own, machine, text, verification)
                          : g_strdup_printf ("// %s, after the kernel above\n", text->entry);
      assemble (text, printer.out->operations);
    }
  printer_clear (&printer);
  return good ? g_steal_pointer (&text) : NULL;
}

/* Returns the kernel, or the first of two if there is a combine step. */
static HeddleKernelText *
emit_kernel (const HeddleKernel *kernel, const HeddleSizes *sizes, const HeddleMachine *machine,
    HeddleDtype dtype, HeddleFamily family, const char *verification, GHashTable *taken, GError **error)
{
  if (kernel->program == NULL)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          kernel->opaque_reason != NULL ? kernel->opaque_reason : _ ("a label of this kernel is not legal"));
      return NULL;
    }
  if (machine->comparison_only)
    {
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("%s is listed for comparison only: kernels cannot be made for it. Choose an NVIDIA GPU, such as "
             "h100-sxm"),
          machine->title);
      return NULL;
    }
  return emit_program (kernel->program, kernel, sizes, machine, dtype, family, verification, taken, error);
}

/* The greatest number of kernels in one module. */
#define MOST_KERNELS 2048

static gboolean
check_count (guint kernels, GError **error)
{
  if (kernels <= MOST_KERNELS)
    return TRUE;
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
      _ ("these would be %u kernels, and at most %u are made at a time: fuse more, or cut the diagram into "
         "several files"),
      kernels, MOST_KERNELS);
  return FALSE;
}

GPtrArray *
heddle_codegen_emit_all (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family,
    const char *verification, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_kernel_text_free);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!check_count (derivation->kernels->len, error))
    return NULL;
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      HeddleKernelText *text
          = emit_kernel (kernel, sizes, machine, dtype, family, verification, taken, error);

      if (text == NULL)
        return NULL;
      g_ptr_array_add (texts, text);
      if (kernel->program->combine == NULL)
        continue;
      /* merging has no product: of sums of columns it is one of them */
      text = emit_program (kernel->program->combine, kernel, sizes, machine, dtype,
          text->family == HEDDLE_FAMILY_ROWS ? HEDDLE_FAMILY_AUTO : HEDDLE_FAMILY_GENERAL, verification,
          taken, error);
      if (text == NULL)
        return NULL;
      g_ptr_array_add (texts, text);
    }
  heddle_kernel_texts_find_duplicates (texts);
  return g_steal_pointer (&texts);
}
