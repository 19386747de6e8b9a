/* SPDX-License-Identifier: MIT */
#include "codegen/base/monoid.h"
#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/forms.h"
#include "codegen/cuda/joins.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/row-printer.h"
#include "codegen/cuda/sum-kernel.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The number of a thread's places whose reads may be under way at once. */
#define UNROLLED 4

/* The places of statements: before and in the loop over places values along the columns are vectors of a
 * thread; after it each thread has one column. */
typedef struct
{
  HeddleCudaKernel *cuda;
  const HeddleSums *sums;
  gboolean after;
  gboolean parts; /* vectors may end among their elements */
} Printer;

static void
use (Printer *self, const char *section)
{
  g_hash_table_add (self->cuda->sections, (gpointer) section);
}

static const HeddleBuffer *
buffer_of (const Printer *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->cuda->program, buffer);
}

static const char *
axis_name (const Printer *self, const char *axis, HeddleAxisName part)
{
  return heddle_names_of_axis (self->cuda->names, axis, part);
}

/* Returns whether the buffer has a vector at the point. */
static gboolean
is_vector (const Printer *self, guint buffer)
{
  return !self->after && heddle_sums_has_columns (self->sums, buffer_of (self, buffer));
}

static gboolean
is_reduction (const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->over != NULL && node->over->len > 0;
}

/* Defines the indices of a thread's step, at @element of a vector; no two threads have the same first
 * step. */
static void
define_indices (Printer *self, gboolean element)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;

  g_hash_table_remove_all (cuda->indices);
  g_hash_table_remove_all (cuda->extents);
  for (guint i = 0; i < cuda->bands->len; i++)
    {
      const char *axis = ((const HeddleNode *) g_ptr_array_index (cuda->bands, i))->axis;

      g_hash_table_insert (
          cuda->indices, (gpointer) axis, g_strdup (axis_name (self, axis, HEDDLE_NAME_BEGIN)));
    }
  for (guint i = 0; i < sums->rows->len; i++)
    {
      const char *axis = heddle_ids_index (sums->rows, i);

      g_hash_table_insert (
          cuda->indices, (gpointer) axis, g_strdup (axis_name (self, axis, HEDDLE_NAME_INDEX)));
    }
  for (guint i = 0; i < sums->inner->len; i++)
    {
      const char *axis = heddle_ids_index (sums->inner, i),
                 *index = axis_name (self, axis, HEDDLE_NAME_INDEX);
      g_autofree char *begin
          = sums->kept ? g_strdup_printf ("%s + ", axis_name (self, axis, HEDDLE_NAME_BEGIN)) : g_strdup ("");

      g_hash_table_insert (cuda->indices, (gpointer) axis,
          i + 1 < sums->inner->len ? g_strdup ("0")
                                   : g_strdup_printf (element ? "%s%s + element" : "%s%s", begin, index));
    }
}

/* Returns the name of a thread's own part of a reduction, before all threads are joined. */
static char *
own_name (const Printer *self, const HeddleNode *node)
{
  return g_strdup_printf ("own_%s", heddle_names_buffer (self->cuda->names, node->buffer));
}

static char *
body_text (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);

  define_indices (self, !self->after);
  g_ptr_array_set_size (cuda->arguments, 0);
  g_ptr_array_set_size (cuda->wholes, 0);
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);

      g_ptr_array_add (cuda->wholes, NULL);
      g_ptr_array_add (cuda->arguments, g_strdup_printf (is_vector (self, source) ? "%s[element]" : "%s",
                                            heddle_names_buffer (cuda->names, source)));
    }
  return heddle_cuda_expr (&context, node->body);
}

/* Prints a statement for each element of a vector, or once. */
static void
print_elements (Printer *self, gboolean vector, const char *line)
{
  if (vector)
    {
      heddle_cuda_line (self->cuda, "#pragma unroll");
      heddle_cuda_line (self->cuda, "for (int element = 0; element < WIDTH; ++element)");
    }
  heddle_cuda_line (self->cuda, "%s%s", vector ? "  " : "", line);
}

static char *
begin_of (const Printer *self, const char *held, gboolean vector)
{
  return self->after ? g_strdup_printf ("const float %s", held)
                     : g_strdup_printf (vector ? "%s[element]" : "%s", held);
}

static void
print_load_at (Printer *self, const HeddleNode *node, const char *offset, const char *inside)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  const char *value = heddle_names_value (cuda->names, buffer_of (self, node->buffer)->value);
  const char *columns = self->sums->columns;

  if (!is_vector (self, node->buffer))
    {
      heddle_cuda_line (cuda, "const float %s = %s%sload (%s[%s])%s;", held, inside, *inside ? " ? " : "",
          value, offset, *inside ? " : 0.0f" : "");
      return;
    }
  use (self, "piece");
  use (self, "load vector");
  heddle_cuda_line (cuda, "float %s[WIDTH]%s;", held, *inside ? " = {}" : "");
  if (*inside)
    heddle_cuda_line (cuda, "if (%s)", inside);
  if (self->parts)
    {
      use (self, "load part");
      heddle_cuda_line (cuda, "%sload_part (%s, %s + %s, %s - %s, whole);", *inside ? "  " : "", held, value,
          offset, axis_name (self, columns, HEDDLE_NAME_COUNT), axis_name (self, columns, HEDDLE_NAME_INDEX));
    }
  else
    heddle_cuda_line (cuda, "%sload_vector (%s, %s + %s);", *inside ? "  " : "", held, value, offset);
}

static void
print_load (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL;

  define_indices (self, FALSE);
  if (node->at != NULL)
    offset = heddle_cuda_gathered_offset (cuda, node, inside);
  else
    offset = heddle_cuda_global_offset (cuda, buffer_of (self, node->buffer), FALSE);
  print_load_at (self, node, offset, inside->str);
}

static void
print_compute (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  gboolean vector = is_vector (self, node->buffer);
  g_autofree char *body = body_text (self, node), *begin = begin_of (self, held, vector);
  g_autofree char *line = g_strdup_printf ("%s = %s;", begin, body);

  heddle_cuda_statement_comment (cuda, node);
  if (!self->after)
    heddle_cuda_line (cuda, vector ? "float %s[WIDTH];" : "float %s;", held);
  print_elements (self, vector, line);
}

/* Adds what is at the place to what the thread has: each of its columns by itself where they are kept. */
static void
print_reduction (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  g_autofree char *own = own_name (self, node), *body = body_text (self, node), *line = NULL;
  const char *at = self->sums->kept ? "[element]" : "";

  heddle_cuda_statement_comment (cuda, node);
  if (row->sign != NULL)
    line = g_strdup_printf ("%s%s %s= %s;", own, at, row->sign, body);
  else
    {
      use (self, row->instruction);
      line = g_strdup_printf ("%s%s = %s (%s%s, %s);", own, at, row->instruction, own, at, body);
    }
  print_elements (self, TRUE, line);
}

static void
print_save (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  const char *saved = node->partial != NULL ? node->partial : buffer->value;
  HeddleDtype dtype = heddle_diagram_dtype (cuda->diagram, saved, cuda->dtype);
  g_autofree char *offset = NULL, *place = NULL, *statement = NULL;

  define_indices (self, FALSE);
  offset = heddle_cuda_global_offset (cuda, buffer, node->partial != NULL);
  place = g_strdup_printf ("%s[%s]", heddle_names_value (cuda->names, saved), offset);
  statement = heddle_cuda_to_dtype (cuda, dtype, place, heddle_names_buffer (cuda->names, node->buffer));
  heddle_cuda_line (cuda, "%s", statement);
}

/* Returns the reduction that makes a buffer, which begins with the unit in each thread; NULL if none does. */
static const HeddleNode *
reduction_of (const Printer *self, guint buffer)
{
  for (guint i = 0; i < self->sums->band->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (self->sums->band->children, i);

      if (is_reduction (node) && node->buffer == buffer)
        return node;
    }
  return NULL;
}

static void
print_statement (Printer *self, const HeddleNode *node)
{
  self->cuda->node = node;
  self->cuda->operation = node->operation;
  if (node->kind == HEDDLE_NODE_LOAD)
    print_load (self, node);
  else if (node->kind == HEDDLE_NODE_SAVE)
    print_save (self, node);
  else if (is_reduction (node))
    print_reduction (self, node);
  else
    print_compute (self, node);
  self->cuda->operation = NULL;
}

/* Prints the statements before the stream whose results @body uses: with @places those whose results differ
 * from one step of a thread to the next, otherwise the others. */
static void
print_before (Printer *self, const HeddleNode *block, const HeddleCudaText *body, gboolean places)
{
  for (guint i = 0; i < block->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);

      if (node->kind == HEDDLE_NODE_BAND)
        return;
      if (reduction_of (self, node->buffer) == NULL
          && heddle_sums_has_places (self->sums, buffer_of (self, node->buffer)) == places
          && heddle_cuda_text_uses (body, heddle_names_buffer (self->cuda->names, node->buffer)))
        print_statement (self, node);
    }
}

/* --- the loop --- */

static gint64
length_of (const Printer *self, const char *axis)
{
  return heddle_loop_program_extent (self->cuda->program, self->cuda->sizes, axis, HEDDLE_EXTENT_FULL);
}

/* Prints which place and which vector a thread is at, computed from the number of its step. */
static void
print_place (Printer *self, const HeddleCudaText *body)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;
  gint64 inner = sums->pieces;

  if (!sums->kept)
    heddle_cuda_line (
        cuda, "const int %s = step %% PIECES * WIDTH;", axis_name (self, sums->columns, HEDDLE_NAME_INDEX));
  for (guint i = sums->rows->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (sums->rows, i), *index = axis_name (self, axis, HEDDLE_NAME_INDEX);
      g_autofree char *number
          = inner > 1 ? g_strdup_printf ("step / %" G_GINT64_FORMAT, inner) : g_strdup ("step");

      if (i == 0)
        heddle_cuda_line (cuda, "const long long %s = begin + %s;", index, number);
      else if (heddle_cuda_text_uses (body, index))
        heddle_cuda_line (
            cuda, "const int %s = %s %% %" G_GINT64_FORMAT ";", index, number, length_of (self, axis));
      inner *= i > 0 ? length_of (self, axis) : 1;
    }
}

/* Returns the statements of one step of a thread, with the loads before the stream that differ from step to
 * step. */
static HeddleCudaText *
step_text (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaText *before = heddle_cuda_begin (cuda), *body;

  for (guint i = 0; i < self->sums->band->children->len; i++)
    print_statement (self, g_ptr_array_index (self->sums->band->children, i));
  body = heddle_cuda_end (cuda, before);
  before = heddle_cuda_begin (cuda);
  print_before (self, block, body, TRUE);
  heddle_cuda_append (cuda, body);
  return heddle_cuda_end (cuda, before);
}

/* Prints the steps of a thread; each is as many places further as are processed at once. No branch stands
 * between the reads of whole vectors, so that those of several steps are under way at once. */
static void
print_steps (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaText *body;

  heddle_cuda_line (cuda, "#pragma unroll %d", UNROLLED);
  heddle_cuda_line (cuda, "for (int step = threadIdx.x / LANES; step < steps; step += THREADS / LANES)");
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  body = step_text (self, block);
  print_place (self, body);
  heddle_cuda_append (cuda, body);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
}

/* Prints the number of steps of the block; vectors that are not whole have a loop of their own. */
static void
print_all_steps (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;
  const char *axis = sums->band->axis;
  gboolean split = heddle_cuda_axis_is_split (cuda->program, axis);
  gint64 inner = sums->pieces;

  for (guint i = 1; i < sums->rows->len; i++)
    inner *= length_of (self, heddle_ids_index (sums->rows, i));
  heddle_cuda_line (
      cuda, "const long long begin = %s;", split ? axis_name (self, axis, HEDDLE_NAME_FIRST) : "0");
  heddle_cuda_line (cuda, "const int steps = int (%s - begin) * %" G_GINT64_FORMAT ";",
      split ? axis_name (self, axis, HEDDLE_NAME_END) : heddle_names_axis (cuda->names, axis), inner);
  if (!sums->kept)
    {
      print_steps (self, block);
      return;
    }
  heddle_cuda_line (cuda, "if (whole && %s + WIDTH <= %s)",
      axis_name (self, sums->columns, HEDDLE_NAME_INDEX), axis_name (self, sums->columns, HEDDLE_NAME_COUNT));
  cuda->depth++;
  print_steps (self, block);
  cuda->depth--;
  heddle_cuda_line (cuda, "else");
  self->parts = TRUE;
  cuda->depth++;
  print_steps (self, block);
  cuda->depth--;
  self->parts = FALSE;
}

static void
print_own (Printer *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *own = own_name (self, node), *unit = heddle_cuda_unit (&context, node->monoid),
                  *line = NULL;

  heddle_cuda_line (self->cuda, self->sums->kept ? "float %s[WIDTH];" : "float %s;", own);
  line = g_strdup_printf (self->sums->kept ? "%s[element] = %s;" : "%s = %s;", own, unit);
  print_elements (self, self->sums->kept, line);
}

/* Prints the loop over all places of the block, of which each thread has some. */
static void
print_loop (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;
  const char *columns = axis_name (self, sums->columns, HEDDLE_NAME_INDEX);
  HeddleCudaText *before, *body;

  for (guint i = 0; i < sums->band->children->len; i++)
    if (is_reduction (g_ptr_array_index (sums->band->children, i)))
      print_own (self, g_ptr_array_index (sums->band->children, i));
  if (sums->kept)
    {
      heddle_cuda_line (cuda, "const int own_%s = threadIdx.x %% LANES * WIDTH;", columns);
      heddle_cuda_line (
          cuda, "if (own_%s < %s)", columns, axis_name (self, sums->columns, HEDDLE_NAME_COUNT));
    }
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  if (sums->kept)
    heddle_cuda_line (cuda, "const int %s = own_%s;", columns, columns);
  before = heddle_cuda_begin (cuda);
  print_all_steps (self, block);
  body = heddle_cuda_end (cuda, before);
  self->parts = sums->kept;
  print_before (self, block, body, FALSE);
  self->parts = FALSE;
  heddle_cuda_append (cuda, body);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
}

/* --- joining --- */

/* Prints the storing of each warp's part of the columns, before a barrier, where columns are kept. */
static void
print_parts (Printer *self)
{
  const HeddleSums *sums = self->sums;
  guint n = 0;

  for (guint i = 0; i < sums->band->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (sums->band->children, i);
      g_autofree char *own = NULL;

      if (!is_reduction (node))
        continue;
      own = own_name (self, node);
      use (self, "join columns");
      heddle_cuda_join_use (self->cuda, node->monoid);
      heddle_cuda_line (self->cuda, "join_columns<%s, LANES> (%s, parts[%u]);",
          heddle_cuda_join_name (node->monoid), own, n++);
    }
  heddle_cuda_line (self->cuda, "__syncthreads ();");
}

/* Prints the joining of a reduction over the whole block. */
static void
print_joined (Printer *self, const HeddleNode *node, guint n, gboolean used)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *own = own_name (self, node), *unit = heddle_cuda_unit (&context, node->monoid);
  const char *held = heddle_names_buffer (self->cuda->names, node->buffer);
  const char *monoid = heddle_cuda_join_name (node->monoid);

  if (self->sums->kept && used)
    {
      use (self, "joined column");
      heddle_cuda_line (self->cuda, "const float %s = joined_column<%s> (parts[%u], %s);", held, monoid, n,
          axis_name (self, self->sums->columns, HEDDLE_NAME_INDEX));
    }
  else if (!self->sums->kept)
    {
      heddle_cuda_join_use (self->cuda, node->monoid);
      use (self, "join lanes");
      use (self, "join block");
      heddle_cuda_line (self->cuda, "const float %s = join_block<%s, THREADS / 32> (%s, parts[%u], %s);",
          held, monoid, own, n, unit);
    }
}

static void
print_results (Printer *self, const HeddleCudaText *body)
{
  guint n = 0;

  for (guint i = 0; i < self->sums->band->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (self->sums->band->children, i);

      if (is_reduction (node))
        print_joined (self, node, n++,
            heddle_cuda_text_uses (body, heddle_names_buffer (self->cuda->names, node->buffer)));
    }
}

/* Prints the end, after the stream: what results are made of, and where they are stored. */
static void
print_after (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;
  HeddleCudaText *before, *body;
  const char *columns = axis_name (self, sums->columns, HEDDLE_NAME_INDEX);
  gboolean behind = FALSE;

  self->after = TRUE;
  cuda->depth += 2;
  before = heddle_cuda_begin (cuda);
  for (guint i = 0; i < block->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);

      if (behind)
        print_statement (self, node);
      behind |= node->kind == HEDDLE_NODE_BAND;
    }
  body = heddle_cuda_end (cuda, before);
  cuda->depth -= 2;
  if (sums->kept)
    print_parts (self);
  else
    print_results (self, body);
  if (sums->kept)
    heddle_cuda_line (cuda, "for (int %s = threadIdx.x; %s < %s; %s += THREADS)", columns, columns,
        axis_name (self, sums->columns, HEDDLE_NAME_COUNT), columns);
  else
    heddle_cuda_line (cuda, "if (threadIdx.x == 0)");
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  if (sums->kept)
    print_results (self, body);
  print_before (self, block, body, FALSE);
  heddle_cuda_append (cuda, body);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
}

/* --- the kernel --- */

static void
print_body (gpointer printer)
{
  Printer *self = printer;
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleSums *sums = self->sums;
  const HeddleNode *block = heddle_cuda_collect_groups (cuda);
  HeddleCudaText *before = heddle_cuda_begin (cuda), *body;

  print_loop (self, block);
  print_after (self, block);
  body = heddle_cuda_end (cuda, before);
  if (sums->kept)
    heddle_cuda_line (cuda,
        "__shared__ float parts[%u][THREADS / 32][LANES * WIDTH];  // of each reduction and warp",
        sums->reductions);
  else
    heddle_cuda_line (
        cuda, "__shared__ float parts[%u][32];  // of each reduction, one of each warp", sums->reductions);
  heddle_cuda_print_groups (cuda, body);
  if (heddle_cuda_text_uses (body, "whole"))
    heddle_cuda_line (cuda, "const bool whole = %s %% WIDTH == 0;  // rows begin at multiples of a vector",
        heddle_names_axis (cuda->names, sums->columns));
  heddle_cuda_append (cuda, body);
}

gboolean
heddle_sum_kernel_print (HeddleCudaKernel *self, const HeddleSums *sums, GError **error)
{
  const HeddleRowConstant constants[]
      = { { "LANES", sums->lanes }, { "WIDTH", sums->width }, { "PIECES", sums->pieces }, { NULL } };
  Printer printer = { .cuda = self, .sums = sums };

  return heddle_row_printer_print (self, FALSE, constants, print_body, &printer, error);
}
