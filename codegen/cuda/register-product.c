/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-product.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

#define WARP 32
/* The number of elements that one instruction reads. */
#define VECTOR 4
/* The number of a thread's results up to which two steps of the innermost loop are written out: fewer
 * multiplications carry its counter. */
#define FEW_RESULTS 32

typedef struct
{
  HeddleCudaKernel *cuda;
  const HeddleRegisterTiles *tiles;
  const HeddleRegisterTile *tile;
  const HeddleNode *node;
  const HeddleBuffer *result;
  char *sum; /* the registers' name */
} Product;

static void
product_init (Product *self, HeddleCudaKernel *cuda, const HeddleRegisterTile *tile)
{
  *self = (Product){ cuda, cuda->tiles, tile, tile->node,
    heddle_loop_program_get_buffer (cuda->program, tile->node->buffer),
    g_strdup_printf ("sum_of_%s", heddle_names_buffer (cuda->names, tile->node->buffer)) };
}

static void
open_brace (HeddleCudaKernel *self)
{
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
}

static void
close_brace (HeddleCudaKernel *self)
{
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

/* Opens a block of its own without a head. */
static void
open_block (HeddleCudaKernel *self)
{
  heddle_cuda_line (self, "{");
  self->depth++;
}

static void
close_block (HeddleCudaKernel *self)
{
  self->depth--;
  heddle_cuda_line (self, "}");
}

static const char *
index_name (const Product *self, const char *axis)
{
  return heddle_names_of_axis (self->cuda->names, axis, HEDDLE_NAME_INDEX);
}

static gint64
extent_of (const Product *self, const char *axis)
{
  int i = heddle_ids_find (self->result->axes, axis);

  return heddle_register_tiles_extent (self->tiles, self->node->buffer, (guint) i);
}

/* --- which rows and columns a thread has --- */

static void
print_thread (const Product *self)
{
  const HeddleTileFactor *rows = &self->tile->rows, *columns = &self->tile->columns;
  guint warps = columns->threads / columns->lanes;

  heddle_cuda_line (self->cuda, "const int row = threadIdx.x / %u * %u + threadIdx.x %% %d / %u;",
      WARP * warps, rows->lanes, WARP, columns->lanes);
  heddle_cuda_line (self->cuda, "const int column = threadIdx.x / %d %% %u * %u + threadIdx.x %% %u;", WARP,
      warps, columns->lanes, columns->lanes);
}

/* Returns the number of a thread's row or column @index among those of the block. */
static char *
number_text (const HeddleTileFactor *factor, const char *thread, const char *index)
{
  if (factor->reading == HEDDLE_READ_ACROSS)
    return g_strdup_printf ("(%s + %s / 4 * %u) * 4 + %s %% 4", thread, index, factor->threads, index);
  return g_strdup_printf ("%s + %s * %u", thread, index, factor->threads);
}

/* Returns whether threads have more rows than there are in the block. */
static gboolean
is_over (const HeddleTileFactor *factor)
{
  return (gint64) factor->each * factor->threads > factor->extent;
}

/* Returns the index along axis @i of several, by division. */
static char *
divided_text (const Product *self, const HeddleTileFactor *factor, guint i, const char *number)
{
  gint64 inner = 1;

  for (guint k = i + 1; k < factor->axes->len; k++)
    inner *= extent_of (self, heddle_ids_index (factor->axes, k));
  if (i == 0)
    return g_strdup_printf ("(%s) / %" G_GINT64_FORMAT, number, inner);
  return g_strdup_printf ("(%s) / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT, number, inner,
      extent_of (self, heddle_ids_index (factor->axes, i)));
}

/* Returns the index if the threads go along an axis by steps that divide it, or that it divides: all but the
 * thread's own part is then a constant. @extent and @inner count what threads have side by side, of which
 * @step is the number. Returns NULL if they do not. */
static char *
stepping_text (const HeddleTileFactor *factor, gboolean first, gint64 extent, gint64 inner,
    const char *thread, const char *step)
{
  gint64 threads = factor->threads;

  if (threads % (inner * extent) == 0)
    return g_strdup_printf ("%s / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT, thread, inner, extent);
  if (inner % threads == 0)
    return first ? g_strdup_printf ("%s / %" G_GINT64_FORMAT, step, inner / threads)
                 : g_strdup_printf (
                     "%s / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT, step, inner / threads, extent);
  if (threads % inner != 0 || (inner * extent) % threads != 0)
    return NULL;
  if (first)
    return g_strdup_printf (
        "%s / %" G_GINT64_FORMAT " + %s * %" G_GINT64_FORMAT, thread, inner, step, threads / inner);
  return g_strdup_printf ("%s / %" G_GINT64_FORMAT " + %s %% %" G_GINT64_FORMAT " * %" G_GINT64_FORMAT,
      thread, inner, step, inner * extent / threads, threads / inner);
}

/* Returns the index along axis @i of a factor's own, for a thread's number @index. @number is the text of the
 * number among those of the block. */
static char *
axis_text (const Product *self, const HeddleTileFactor *factor, guint i, const char *number,
    const char *thread, const char *index)
{
  gboolean across = factor->reading == HEDDLE_READ_ACROSS, last = i + 1 == factor->axes->len;
  gint64 inner = 1, unit = across ? VECTOR : 1, extent = extent_of (self, heddle_ids_index (factor->axes, i));
  g_autofree char *step = across ? g_strdup_printf ("%s / 4", index) : g_strdup (index), *text = NULL;

  if (factor->axes->len == 1)
    return g_strdup (number);
  if (is_over (factor))
    return divided_text (self, factor, i, number);
  for (guint k = i + 1; k < factor->axes->len; k++)
    inner *= extent_of (self, heddle_ids_index (factor->axes, k));
  text = stepping_text (
      factor, i == 0, last ? extent / unit : extent, last ? inner : inner / unit, thread, step);
  if (text == NULL)
    return divided_text (self, factor, i, number);
  return last && across ? g_strdup_printf ("(%s) * 4 + %s %% 4", text, index) : g_steal_pointer (&text);
}

/* Returns the number, limited to the last one that exists. */
static char *
clamped_number (const HeddleTileFactor *factor, const char *thread, const char *index)
{
  g_autofree char *number = number_text (factor, thread, index);
  gint64 last = factor->extent - 1;

  if (!is_over (factor))
    return g_steal_pointer (&number);
  if (factor->reading == HEDDLE_READ_ACROSS)
    return g_strdup_printf ("min ((%s + %s / 4 * %u) * 4, %" G_GINT64_FORMAT ") + %s %% 4", thread, index,
        factor->threads, last / VECTOR * VECTOR, index);
  return g_strdup_printf ("min (%s, %" G_GINT64_FORMAT ")", number, last);
}

/* Prints int left_at[8]: the places in shared memory at which a thread's rows of a factor begin. */
static void
print_places (const Product *self, const HeddleTileFactor *factor, const char *name, const char *thread,
    const char *index)
{
  g_autofree char *number = clamped_number (factor, thread, index);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < factor->axes->len; i++)
    {
      g_autofree char *at = axis_text (self, factor, i, number, thread, index);
      gint64 step = heddle_register_tiles_step (
          self->tiles, self->node, factor->source, heddle_ids_index (factor->axes, i));

      g_string_append_printf (text, "%s(%s) * %" G_GINT64_FORMAT, text->len > 0 ? " + " : "", at, step);
    }
  heddle_cuda_line (self->cuda, "int %s_at[%u];", name, factor->each);
  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int %s = 0; %s < %u; ++%s)", index, index, factor->each, index);
  heddle_cuda_line (self->cuda, "  %s_at[%s] = %s;", name, index, text->len > 0 ? text->str : "0");
}

/* --- the sum --- */

/* Returns the place of the current term relative to the beginning of its row; @ahead is added to the
 * innermost index, or is NULL. */
static char *
term_text (const Product *self, const HeddleTileFactor *factor, const char *ahead)
{
  const GArray *lists[] = { self->tile->batch, self->tile->terms };
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 first = heddle_register_tiles_first (self->tiles, self->node, factor->source);

  if (first != 0)
    g_string_append_printf (text, " + %" G_GINT64_FORMAT, first);
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *axis = heddle_ids_index (lists[l], i);
        gboolean inner = l == 1 && i + 1 == lists[l]->len && ahead != NULL;
        gint64 step = heddle_register_tiles_step (self->tiles, self->node, factor->source, axis);

        if (step == 0 || (l == 0 && extent_of (self, axis) == 1))
          continue;
        g_string_append (text, " + ");
        g_string_append_printf (text, inner ? "(%s + %s)" : "%s", index_name (self, axis), ahead);
        if (step != 1)
          g_string_append_printf (text, " * %" G_GINT64_FORMAT, step);
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static HeddleDtype
dtype_of (const Product *self, const HeddleTileFactor *factor)
{
  return heddle_loop_program_get_buffer (self->cuda->program, factor->buffer)->dtype;
}

/* Notes the sections of the prelude that read four elements of a factor. */
static void
use_load_four (const Product *self, const HeddleTileFactor *factor)
{
  const char *load, *store;

  if (factor->reading == HEDDLE_READ_SINGLE)
    return;
  if (!heddle_cuda_packed (dtype_of (self, factor), &load, &store))
    {
      g_hash_table_add (self->cuda->sections, (gpointer) "load four");
      return;
    }
  g_hash_table_add (self->cuda->sections, (gpointer) load);
  g_hash_table_add (self->cuda->sections,
      (gpointer) (dtype_of (self, factor) == HEDDLE_DTYPE_F16 ? "load four f16" : "load four bf16"));
}

static const char *
buffer_name (const Product *self, const HeddleTileFactor *factor)
{
  return heddle_names_buffer (self->cuda->names, factor->buffer);
}

/* Reads the terms of one step of a factor, by whole vectors across rows where they lie so. */
static void
print_read (const Product *self, const HeddleTileFactor *factor, const char *name, const char *index,
    const char *ahead)
{
  gboolean across = factor->reading == HEDDLE_READ_ACROSS;
  g_autofree char *term = term_text (self, factor, ahead);

  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda,
      across ? "for (int %s = 0; %s < %u; %s += 4)" : "for (int %s = 0; %s < %u; ++%s)", index, index,
      factor->each, index);
  if (across)
    heddle_cuda_line (self->cuda, "  load_four (%s + %s, %s + %s_at[%s]%s);", name, index,
        buffer_name (self, factor), name, index, term);
  else
    {
      g_autofree char *place
          = g_strdup_printf ("%s[%s_at[%s]%s]", buffer_name (self, factor), name, index, term);
      g_autofree char *element = heddle_cuda_from_dtype (self->cuda, dtype_of (self, factor), place);

      heddle_cuda_line (self->cuda, "  %s[%s] = %s;", name, index, element);
    }
}

/* Reads four terms of each row. */
static void
print_read_along (const Product *self, const HeddleTileFactor *factor, const char *name, const char *index)
{
  g_autofree char *term = term_text (self, factor, NULL);

  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int %s = 0; %s < %u; ++%s)", index, index, factor->each, index);
  heddle_cuda_line (self->cuda, "  load_four (%s[%s], %s + %s_at[%s]%s);", name, index,
      buffer_name (self, factor), name, index, term);
}

static void
print_multiplications (const Product *self, gboolean left_along, gboolean right_along)
{
  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int down = 0; down < %u; ++down)", self->tile->rows.each);
  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "  for (int along = 0; along < %u; ++along)", self->tile->columns.each);
  heddle_cuda_line (self->cuda, "    %s[down][along] += left[down]%s * right[along]%s;", self->sum,
      left_along ? "[step]" : "", right_along ? "[step]" : "");
}

/* Prints one term of the sum, element by element of a factor that is contiguous along it. */
static void
print_term (const Product *self)
{
  open_brace (self->cuda);
  heddle_cuda_line (
      self->cuda, "float left[%u], right[%u];", self->tile->rows.each, self->tile->columns.each);
  print_read (self, &self->tile->rows, "left", "down", NULL);
  print_read (self, &self->tile->columns, "right", "along", NULL);
  print_multiplications (self, FALSE, FALSE);
  close_brace (self->cuda);
}

/* Prints four terms at once. */
static void
print_terms (const Product *self)
{
  gboolean left = self->tile->rows.reading == HEDDLE_READ_ALONG;
  gboolean right = self->tile->columns.reading == HEDDLE_READ_ALONG;

  open_brace (self->cuda);
  heddle_cuda_line (self->cuda, "float left[%u]%s, right[%u]%s;", self->tile->rows.each, left ? "[4]" : "",
      self->tile->columns.each, right ? "[4]" : "");
  if (left)
    print_read_along (self, &self->tile->rows, "left", "down");
  if (right)
    print_read_along (self, &self->tile->columns, "right", "along");
  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int step = 0; step < 4; ++step)");
  open_brace (self->cuda);
  if (!left)
    print_read (self, &self->tile->rows, "left", "down", "step");
  if (!right)
    print_read (self, &self->tile->columns, "right", "along", "step");
  print_multiplications (self, left, right);
  close_brace (self->cuda);
  close_brace (self->cuda);
}

static void
print_inner (const Product *self, const char *axis)
{
  HeddleExtent extent = heddle_cuda_reduced_extent (self->cuda, axis);
  const char *count = heddle_cuda_count (self->cuda, axis, extent), *index = index_name (self, axis);
  guint unrolled = self->tile->rows.each * self->tile->columns.each > FEW_RESULTS ? 1 : 2;
  gboolean whole = extent == HEDDLE_EXTENT_FULL && !heddle_cuda_axis_at_run_time (self->cuda->program, axis)
                   && heddle_sizes_get (self->cuda->sizes, axis) % VECTOR == 0;

  if (self->tile->rows.reading != HEDDLE_READ_ALONG && self->tile->columns.reading != HEDDLE_READ_ALONG)
    {
      heddle_cuda_line (self->cuda, "#pragma unroll %u", 2 * unrolled);
      heddle_cuda_line (self->cuda, "for (int %s = 0; %s < %s; ++%s)", index, index, count, index);
      print_term (self);
      return;
    }
  heddle_cuda_line (self->cuda, "int %s = 0;", index);
  heddle_cuda_line (self->cuda, "#pragma unroll %u", unrolled);
  heddle_cuda_line (self->cuda, "for (; %s < %s - 3; %s += 4)", index, count, index);
  print_terms (self);
  if (whole)
    return;
  heddle_cuda_line (self->cuda, "#pragma unroll 1");
  heddle_cuda_line (self->cuda, "for (; %s < %s; ++%s)", index, count, index);
  print_term (self);
}

static void
print_sum (const Product *self)
{
  const GArray *terms = self->tile->terms;

  print_places (self, &self->tile->rows, "left", "row", "down");
  print_places (self, &self->tile->columns, "right", "column", "along");
  for (guint i = 0; i + 1 < terms->len; i++)
    {
      const char *axis = heddle_ids_index (terms, i), *index = index_name (self, axis);

      heddle_cuda_line (self->cuda, "#pragma unroll 1");
      heddle_cuda_line (self->cuda, "for (int %s = 0; %s < %s; ++%s)", index, index,
          heddle_cuda_count (self->cuda, axis, heddle_cuda_reduced_extent (self->cuda, axis)), index);
      open_brace (self->cuda);
    }
  print_inner (self, heddle_ids_index (terms, terms->len - 1));
  for (guint i = 0; i + 1 < terms->len; i++)
    close_brace (self->cuda);
  use_load_four (self, &self->tile->rows);
  use_load_four (self, &self->tile->columns);
}

/* --- element by element of the result --- */

/* Appends the conditions on the indices that put the element inside the tile. */
static void
append_guards (const Product *self, const HeddleTileFactor *factor, GString *text)
{
  for (guint i = 0; i < factor->axes->len; i++)
    {
      const char *axis = heddle_ids_index (factor->axes, i);
      HeddleExtent extent
          = heddle_buffer_extent (self->result, (guint) heddle_ids_find (self->result->axes, axis));

      if (extent == HEDDLE_EXTENT_FULL && (i > 0 || !is_over (factor)))
        continue;
      g_string_append_printf (text, "%s%s < %s", text->len > 0 ? " && " : "", index_name (self, axis),
          heddle_cuda_count (self->cuda, axis, extent));
    }
}

static void
print_own_indices (const Product *self, const HeddleTileFactor *factor, const char *thread, const char *index,
    const HeddleCudaText *body)
{
  g_autofree char *number = number_text (factor, thread, index);

  for (guint i = 0; i < factor->axes->len; i++)
    {
      const char *axis = heddle_ids_index (factor->axes, i);
      g_autofree char *text = axis_text (self, factor, i, number, thread, index);

      if (heddle_cuda_text_uses (body, index_name (self, axis)))
        heddle_cuda_line (self->cuda, "const int %s = %s;", index_name (self, axis), text);
    }
}

/* Begins the loops over a thread's elements. Lines up to end_elements() are for each of them, or each @width
 * side by side. */
static HeddleCudaText *
begin_elements (const Product *self, gboolean guarded)
{
  HeddleCudaText *before;
  g_autoptr (GString) guards = g_string_new (NULL);

  heddle_cuda_define_points (self->cuda, self->result);
  for (guint i = 0; i < self->node->over->len; i++)
    heddle_cuda_define_index (self->cuda, heddle_ids_index (self->node->over, i),
        heddle_cuda_reduced_extent (self->cuda, heddle_ids_index (self->node->over, i)));
  self->cuda->depth += 3;
  before = heddle_cuda_begin (self->cuda);
  if (guarded)
    {
      append_guards (self, &self->tile->rows, guards);
      append_guards (self, &self->tile->columns, guards);
    }
  if (guards->len > 0)
    heddle_cuda_line (self->cuda, "if (%s)", guards->str);
  open_brace (self->cuda);
  return before;
}

static void
end_elements (const Product *self, HeddleCudaText *before, guint width)
{
  HeddleCudaText *body;

  close_brace (self->cuda);
  body = heddle_cuda_end (self->cuda, before);
  self->cuda->depth -= 3;
  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int down = 0; down < %u; ++down)", self->tile->rows.each);
  heddle_cuda_line (self->cuda, "#pragma unroll");
  self->cuda->depth++;
  heddle_cuda_line (
      self->cuda, "for (int along = 0; along < %u; along += %u)", self->tile->columns.each, width);
  open_brace (self->cuda);
  for (guint i = 0; i < self->tile->batch->len; i++)
    {
      const char *axis = heddle_ids_index (self->tile->batch, i);

      if (extent_of (self, axis) == 1 && heddle_cuda_text_uses (body, index_name (self, axis)))
        heddle_cuda_line (self->cuda, "const int %s = 0;", index_name (self, axis));
    }
  print_own_indices (self, &self->tile->rows, "row", "down", body);
  print_own_indices (self, &self->tile->columns, "column", "along", body);
  heddle_cuda_append (self->cuda, body);
  close_brace (self->cuda);
  self->cuda->depth--;
}

/* Returns the buffer that a result is written to: its own, or that of the last statement that follows. */
static guint
target_of (const Product *self)
{
  const GPtrArray *followers = self->tile->followers;

  return followers->len > 0 ? ((const HeddleNode *) g_ptr_array_index (followers, followers->len - 1))->buffer
                            : self->node->buffer;
}

/* Prints what the statements that follow make of an element, in its place. */
static void
print_followers (const Product *self)
{
  g_autofree char *element = g_strdup_printf ("%s[down][along]", self->sum);

  for (guint i = 0; i < self->tile->followers->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (self->tile->followers, i);
      HeddleCudaContext context = heddle_cuda_context (self->cuda);
      g_autofree char *body = NULL;

      g_ptr_array_set_size (self->cuda->arguments, 0);
      g_ptr_array_set_size (self->cuda->wholes, 0);
      g_ptr_array_add (self->cuda->arguments, g_strdup (element));
      g_ptr_array_add (self->cuda->wholes, NULL);
      body = heddle_cuda_expr (&context, node->body);
      heddle_cuda_line (self->cuda, "%s = %s;", element, body);
    }
}

static char *
own_place (const Product *self)
{
  g_autoptr (GPtrArray) indices = g_ptr_array_new ();
  g_autofree char *offset = NULL;

  for (guint i = 0; i < self->result->axes->len; i++)
    g_ptr_array_add (indices, (gpointer) index_name (self, heddle_ids_index (self->result->axes, i)));
  offset = heddle_cuda_offset (self->cuda, self->result, indices);
  return g_strdup_printf ("%s[%s]", heddle_names_buffer (self->cuda->names, target_of (self)), offset);
}

/* Returns whether four columns of a thread lie side by side in shared memory. */
static gboolean
writes_vectors (const Product *self)
{
  const HeddleTileFactor *columns = &self->tile->columns;
  const char *last = heddle_ids_index (columns->axes, columns->axes->len - 1);

  if (columns->reading != HEDDLE_READ_ACROSS)
    return FALSE;
  for (guint i = 0; i < self->result->axes->len; i++)
    {
      gint64 stride = heddle_register_tiles_stride (self->tiles, self->node->buffer, i);
      gboolean along = heddle_ids_index (self->result->axes, i) == last;

      if (along
              ? stride != 1
              : stride % VECTOR != 0 && heddle_register_tiles_extent (self->tiles, self->node->buffer, i) > 1)
        return FALSE;
    }
  return TRUE;
}

static void
print_keep (const Product *self)
{
  gboolean vectors = writes_vectors (self);
  HeddleCudaText *before = begin_elements (self, TRUE);
  g_autofree char *place = own_place (self), *element = g_strdup_printf ("%s[down][along]", self->sum);
  g_autofree char *statement = NULL;

  if (vectors)
    {
      g_hash_table_add (self->cuda->sections, (gpointer) "shared address");
      g_hash_table_add (self->cuda->sections, (gpointer) "keep four");
    }
  if (vectors)
    statement = g_strdup_printf ("keep_four (&%s, &%s);", place, element);
  else
    statement = heddle_cuda_to_dtype (self->cuda, self->result->dtype, place, element);
  heddle_cuda_line (self->cuda, "%s", statement);
  end_elements (self, before, vectors ? VECTOR : 1);
}

/* Prints the writing of registers to shared memory. */
static void
print_write (const Product *self)
{
  if (self->tile->followers->len > 0)
    {
      HeddleCudaText *each = begin_elements (self, FALSE); /* registers alone hold it */

      print_followers (self);
      end_elements (self, each, 1);
    }
  print_keep (self);
}

/* Prints the sum of the former element, rescaled, and the new one. */
static void
print_add (const Product *self)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  HeddleCudaText *before = begin_elements (self, TRUE);
  g_autofree char *place = own_place (self), *factor = NULL;

  heddle_cuda_collect_arguments (self->cuda, self->node);
  if (self->node->rescale != NULL)
    factor = heddle_cuda_factor (&context, self->node->rescale);
  heddle_cuda_line (self->cuda, "%s = %s%s%s + %s[down][along];", place, factor ? factor : "",
      factor ? " * " : "", place, self->sum);
  end_elements (self, before, 1);
}

/* Prints the rescaling of what registers hold from the step before. */
static void
print_rescale (const Product *self)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  HeddleCudaText *before
      = begin_elements (self, is_over (&self->tile->rows) || is_over (&self->tile->columns));
  g_autofree char *factor = NULL;

  heddle_cuda_collect_arguments (self->cuda, self->node);
  factor = heddle_cuda_factor (&context, self->node->rescale);
  heddle_cuda_line (self->cuda, "%s[down][along] *= %s;", self->sum, factor);
  end_elements (self, before, 1);
}

/* --- statements --- */

static void
print_whole (const Product *self)
{
  guint loops = 0;

  open_block (self->cuda);
  print_thread (self);
  for (guint i = 0; i < self->tile->batch->len; i++)
    {
      const char *axis = heddle_ids_index (self->tile->batch, i), *index = index_name (self, axis);
      guint at = (guint) heddle_ids_find (self->result->axes, axis);

      if (extent_of (self, axis) == 1)
        continue;
      heddle_cuda_line (self->cuda, "for (int %s = 0; %s < %s; ++%s)", index, index,
          heddle_cuda_count (self->cuda, axis, heddle_buffer_extent (self->result, at)), index);
      open_brace (self->cuda);
      loops++;
    }
  heddle_cuda_line (
      self->cuda, "float %s[%u][%u] = {};", self->sum, self->tile->rows.each, self->tile->columns.each);
  print_sum (self);
  if (self->node->accumulate)
    print_add (self);
  else
    print_write (self);
  while (loops-- > 0)
    close_brace (self->cuda);
  close_block (self->cuda);
}

void
heddle_cuda_print_product (HeddleCudaKernel *self, const HeddleNode *node)
{
  g_autofree char *sum = NULL;
  Product product;

  product_init (&product, self, heddle_register_tiles_get (self->tiles, node));
  sum = product.sum;
  heddle_cuda_statement_comment (self, node);
  for (guint i = 0; i < product.tile->followers->len; i++)
    {
      self->node = g_ptr_array_index (product.tile->followers, i);
      heddle_cuda_statement_comment (self, self->node);
    }
  self->node = node;
  if (product.tile->stream == NULL)
    {
      print_whole (&product);
      return;
    }
  open_block (self);
  print_thread (&product);
  if (node->rescale != NULL)
    print_rescale (&product);
  print_sum (&product);
  close_block (self);
}

gboolean
heddle_cuda_begins_product (const HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleRegisterTile *tile
      = node->kind == HEDDLE_NODE_COMPUTE ? heddle_register_tiles_resident (self->tiles, node->buffer) : NULL;

  return tile != NULL && tile->node != node && node->over->len == 0 && node->sources->len == 0;
}

void
heddle_cuda_print_product_begin (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleRegisterTile *tile = heddle_register_tiles_resident (self->tiles, node->buffer);
  g_autofree char *sum = NULL;
  Product product;

  product_init (&product, self, tile);
  sum = product.sum;
  heddle_cuda_statement_comment (self, node);
  heddle_cuda_line (self, "float %s[%u][%u] = {};", sum, tile->rows.each, tile->columns.each);
}

void
heddle_cuda_print_product_end (HeddleCudaKernel *self, const HeddleNode *stream)
{
  for (guint i = 0; self->tiles != NULL && i < self->tiles->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles->tiles, i);
      g_autofree char *sum = NULL;
      Product product;

      if (tile->stream != stream || tile->saved)
        continue;
      product_init (&product, self, tile);
      sum = product.sum;
      self->node = tile->node;
      heddle_cuda_barrier_before (self, tile->node);
      self->operation = tile->node->operation;
      heddle_cuda_line (self, "%s", "");
      heddle_cuda_line (self, "// %s, from registers", product.result->name);
      open_block (self);
      print_thread (&product);
      print_write (&product);
      close_block (self);
      self->operation = NULL;
    }
}

gboolean
heddle_cuda_saves_product (const HeddleCudaKernel *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_SAVE && heddle_register_tiles_is_unheld (self->tiles, node->buffer);
}

/* Returns whether four columns of a thread lie side by side in the array, where its rows are whole
 * vectors. */
static gboolean
saves_vectors (const Product *self, HeddleDtype dtype)
{
  const HeddleTileFactor *columns = &self->tile->columns;
  const guint last = self->result->axes->len - 1;
  const char *axis = heddle_ids_index (self->result->axes, last);

  return columns->reading == HEDDLE_READ_ACROSS && (dtype == HEDDLE_DTYPE_F32 || dtype == HEDDLE_DTYPE_TF32)
         && heddle_ids_index (columns->axes, columns->axes->len - 1) == axis
         && extent_of (self, axis) % VECTOR == 0;
}

/* Prints the saving of elements, by whole vectors where rows are a multiple of them. There are two loops,
 * since a compiler that sees both in one writes element by element. */
static void
print_save_elements (const Product *self, const char *array, HeddleDtype dtype, gboolean vectors)
{
  HeddleCudaText *before = begin_elements (self, TRUE);
  g_autofree char *offset = heddle_cuda_global_offset (self->cuda, self->result, FALSE), *place = NULL;
  g_autofree char *element = g_strdup_printf ("%s[down][along]", self->sum), *statement = NULL;

  place = g_strdup_printf ("%s[%s]", array, offset);
  if (vectors)
    statement = g_strdup_printf ("store_four (&%s, &%s);", place, element);
  else
    statement = heddle_cuda_to_dtype (self->cuda, dtype, place, element);
  heddle_cuda_line (self->cuda, "%s", statement);
  end_elements (self, before, vectors ? VECTOR : 1);
}

void
heddle_cuda_print_product_save (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleRegisterTile *tile = heddle_register_tiles_resident (self->tiles, node->buffer);
  g_autofree char *sum = NULL;
  const char *saved, *array, *last;
  HeddleDtype dtype;
  Product product;

  product_init (&product, self, tile);
  sum = product.sum;
  saved = product.result->value;
  dtype = heddle_diagram_dtype (self->diagram, saved, self->dtype);
  array = heddle_names_value (self->names, saved);
  last = heddle_ids_index (product.result->axes, product.result->axes->len - 1);
  heddle_cuda_line (self, "// save %s", array);
  open_block (self);
  print_thread (&product);
  if (!saves_vectors (&product, dtype))
    print_save_elements (&product, array, dtype, FALSE);
  else
    {
      g_hash_table_add (self->sections, (gpointer) "store four");
      heddle_cuda_line (self, "if (%s %% 4 == 0)", heddle_names_axis (self->names, last));
      open_brace (self);
      print_save_elements (&product, array, dtype, TRUE);
      close_brace (self);
      heddle_cuda_line (self, "else");
      open_brace (self);
      print_save_elements (&product, array, dtype, FALSE);
      close_brace (self);
    }
  close_block (self);
}
