/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/base/monoid.h"
#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/forms.h"
#include "codegen/cuda/joins.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/row-body.h"
#include "codegen/cuda/row-kernel.h"
#include "codegen/cuda/rows.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#define WARP 32
/* Terms along an axis that a loop over them is unrolled for. */
#define MOST_UNROLLED 8

/* Statements along the columns share one loop, up to a reduction that others wait for: a phase. */
typedef struct
{
  HeddleCudaKernel *cuda;
  const HeddleRows *rows;
  guint reductions; /* printed so far */
  GArray
      *declared; /* of guint: buffers with one value a row that are variables here, where rows are streamed */
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

static gboolean
has_columns (const Printer *self, guint buffer)
{
  return heddle_rows_has_columns (self->rows, buffer_of (self, buffer));
}

/* Whether a statement joins what is along a row. */
static gboolean
is_reduction (const Printer *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->over != NULL && node->over->len > 0
         && !heddle_rows_reaches (self->rows, self->cuda->program, node);
}

/* Whether a load stands for reads of the statements behind it. */
static gboolean
is_direct (const Printer *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_LOAD
         && heddle_rows_is_direct (self->rows, self->cuda->program, node->buffer);
}

/* Tells whether a statement stands in the loop over columns. */
static gboolean
goes_along (const Printer *self, const HeddleNode *node)
{
  return node->kind != HEDDLE_NODE_BAND
         && !(node->kind == HEDDLE_NODE_COMPUTE && node->form != HEDDLE_COMPUTE_FOLD)
         && (is_reduction (self, node) || has_columns (self, node->buffer));
}

static HeddleExtent
extent_of (const Printer *self, const char *axis)
{
  if (axis == self->rows->columns && self->rows->streamed)
    return HEDDLE_EXTENT_CHUNK;
  return heddle_loop_program_get_band (self->cuda->program, axis, HEDDLE_BAND_GROUP) != NULL
             ? HEDDLE_EXTENT_TILE
             : HEDDLE_EXTENT_FULL;
}

static gint64
length_of (const Printer *self, const char *axis)
{
  return heddle_loop_program_extent (self->cuda->program, self->cuda->sizes, axis, extent_of (self, axis));
}

static const char *
columns_name (const Printer *self, HeddleAxisName part)
{
  return heddle_names_of_axis (self->cuda->names, self->rows->columns, part);
}

/* @element: within what a thread has side by side. */
static void
define_indices (Printer *self, gboolean element)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *index = columns_name (self, HEDDLE_NAME_INDEX);
  g_autofree char *begin
      = self->rows->tiled ? g_strdup_printf ("%s + ", columns_name (self, HEDDLE_NAME_BEGIN)) : g_strdup ("");

  g_hash_table_remove_all (cuda->indices);
  g_hash_table_remove_all (cuda->extents);
  for (guint i = 0; i < self->rows->axes->len; i++)
    heddle_cuda_define_index (cuda, heddle_ids_index (self->rows->axes, i),
        extent_of (self, heddle_ids_index (self->rows->axes, i)));
  g_hash_table_insert (cuda->indices, (gpointer) self->rows->columns,
      g_strdup_printf (element ? "%s%s + element" : "%s%s", begin, index));
}

/* The element of a source at the point, or its value in the row: all are held in f32. */
static void
collect_arguments (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;

  g_ptr_array_set_size (cuda->arguments, 0);
  g_ptr_array_set_size (cuda->wholes, 0);
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);

      const char *held = heddle_names_buffer (cuda->names, source);
      HeddleDtype dtype = buffer_of (self, source)->dtype;
      gboolean whole = dtype == HEDDLE_DTYPE_I32 || dtype == HEDDLE_DTYPE_I64;

      g_ptr_array_add (cuda->wholes, whole ? g_strdup_printf ("(long long) %s", held) : NULL);
      g_ptr_array_add (cuda->arguments, g_strdup_printf (has_columns (self, source) ? "%s[step][element]"
                                                         : whole                    ? "float (%s)"
                                                                                    : "%s",
                                            held));
    }
}

/* The same where terms of a sum are gone through. */
static void
define_reach_indices (Printer *self, const HeddleNode *node, gboolean element)
{
  define_indices (self, element);
  for (guint i = 0; node->over != NULL && i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      g_hash_table_insert (self->cuda->indices, (gpointer) axis,
          g_strdup (heddle_names_of_axis (self->cuda->names, axis, HEDDLE_NAME_INDEX)));
    }
}

/* --- one reciprocal a row --- */

static char *
reciprocal_name (const Printer *self, const HeddleNode *node)
{
  return g_strdup_printf ("reciprocal_%s", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* Before a phase: what its statements divide by in the whole row. */
static void
print_reciprocal (Printer *self, const HeddleNode *node)
{
  g_auto (HeddleRowBody) body = { NULL, NULL, NULL };
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *name = NULL, *divisor = NULL, *empty = NULL, *value = NULL;

  if (node->body != NULL)
    heddle_row_body_init (&body, self->rows, self->cuda->program, node);
  if (body.divisor == NULL)
    return;
  if (context.coarse)
    use (self, "reciprocal");
  collect_arguments (self, node);
  name = reciprocal_name (self, node);
  divisor = heddle_cuda_expr (&context, body.divisor);
  value = g_strdup_printf (context.coarse ? "reciprocal (%s)" : "1.0f / (%s)", divisor);
  if (body.empty != NULL)
    empty = heddle_cuda_condition (&context, body.empty);
  heddle_cuda_line (self->cuda, "const float %s = %s%s%s;", name, empty != NULL ? empty : "",
      empty != NULL ? " ? 0.0f : " : "", value);
}

/* The body at the point. */
static char *
body_text (Printer *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_auto (HeddleRowBody) body = { NULL, NULL, NULL };

  collect_arguments (self, node);
  if (!goes_along (self, node))
    return heddle_cuda_expr (&context, node->body);
  heddle_row_body_init (&body, self->rows, self->cuda->program, node);
  if (body.divisor != NULL)
    {
      g_ptr_array_add (self->cuda->arguments, reciprocal_name (self, node));
      g_ptr_array_add (self->cuda->wholes, NULL);
    }
  return heddle_cuda_expr (&context, body.expr);
}

/* --- statements along the columns --- */

static void
print_over_elements (Printer *self, const char *line)
{
  g_auto (GStrv) lines = NULL;

  heddle_cuda_line (self->cuda, "#pragma unroll");
  heddle_cuda_line (self->cuda, "for (int element = 0; element < WIDTH; ++element)");
  lines = g_strsplit (line, "\n", 2);
  heddle_cuda_line (self->cuda, "  %s", lines[0]);
  if (lines[1] != NULL)
    heddle_cuda_line (self->cuda, "    %s", lines[1]);
}

static char *
across_name (const Printer *self, const HeddleNode *node)
{
  return g_strdup_printf ("%s_across", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* How far apart two columns of the buffer's array are. */
static char *
column_stride (const Printer *self, const HeddleBuffer *buffer)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = (guint) heddle_ids_find (buffer->axes, self->rows->columns) + 1; i < buffer->axes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " * " : "(long long) ",
        heddle_names_axis (self->cuda->names, heddle_ids_index (buffer->axes, i)));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Where the block's tile begins is where each index is the first. */
static void
define_first_indices (Printer *self)
{
  HeddleCudaKernel *cuda = self->cuda;

  define_indices (self, FALSE);
  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);

      g_hash_table_insert (cuda->indices, (gpointer) axis,
          g_strdup (extent_of (self, axis) == HEDDLE_EXTENT_TILE
                        ? heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_BEGIN)
                        : "0"));
    }
  g_hash_table_insert (
      cuda->indices, (gpointer) self->rows->columns, g_strdup (columns_name (self, HEDDLE_NAME_BEGIN)));
}

/* From global memory into shared memory, whose rows threads then read along the other axis. */
static void
print_across (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  HeddleDtype dtype = heddle_diagram_dtype (cuda->diagram, buffer->value, cuda->dtype);
  const char *across = self->rows->across;
  gint64 rows = length_of (self, across), columns = length_of (self, self->rows->columns);
  g_autofree char *name = across_name (self, node), *stride = column_stride (self, buffer), *offset = NULL;

  use (self, "piece");
  use (self, "load across");
  define_first_indices (self);
  offset = heddle_cuda_global_offset (cuda, buffer, FALSE);
  heddle_cuda_line (cuda, "__shared__ __align__ (16) %s %s[%" G_GINT64_FORMAT "][%" G_GINT64_FORMAT "];",
      heddle_cuda_type (dtype), name, columns,
      heddle_rows_pitch (self->rows, rows, heddle_dtype_bytes (dtype)));
  heddle_cuda_line (cuda, "load_across<WIDTH, %" G_GINT64_FORMAT "> (%s, %s + %s, %s,", rows, name,
      heddle_names_value (cuda->names, buffer->value), offset, stride);
  heddle_cuda_line (cuda, "    %s, %s, %s %% WIDTH == 0);",
      heddle_cuda_count (cuda, across, HEDDLE_EXTENT_TILE), columns_name (self, HEDDLE_NAME_COUNT),
      heddle_names_axis (cuda->names, across));
}

/* All tiles that are read so, before the rows. */
static void
print_all_across (Printer *self, const HeddleNode *block)
{
  if (self->rows->across == NULL)
    return;
  for (guint i = 0; i < block->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);

      if (node->kind == HEDDLE_NODE_LOAD
          && heddle_rows_is_across (self->rows, buffer_of (self, node->buffer)))
        print_across (self, node);
    }
  heddle_cuda_line (self->cuda, "__syncthreads ();");
}

/* The elements of a thread, from shared memory. */
static void
print_read_across (Printer *self, const HeddleNode *node)
{
  g_autofree char *name = across_name (self, node), *line = NULL;

  line = g_strdup_printf ("%s[step][element] = load (%s[%s + element][%s]);",
      heddle_names_buffer (self->cuda->names, node->buffer), name, columns_name (self, HEDDLE_NAME_INDEX),
      heddle_names_of_axis (self->cuda->names, self->rows->across, HEDDLE_NAME_INDEX));
  print_over_elements (self, line);
}

/* From where in the array's row a vector is read, up to where that ends: "load_part (X[step], X + …)". */
static void
print_vector (Printer *self, const char *held, const char *value, const char *offset)
{
  HeddleCudaKernel *cuda = self->cuda;

  use (self, "piece");
  use (self, "load vector");
  if (!self->rows->tiled)
    {
      heddle_cuda_line (cuda, "load_vector (%s, %s + %s);", held, value, offset);
      return;
    }
  use (self, "load part");
  heddle_cuda_line (cuda, "load_part (%s, %s + %s, %s - %s, whole);", held, value, offset,
      columns_name (self, HEDDLE_NAME_COUNT), columns_name (self, HEDDLE_NAME_INDEX));
}

/* A vector of the row that indices say; zeros where that is outside of the array. */
static void
print_gather (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL, *at = g_strdup_printf ("%s[step]", held), *zero = NULL;

  define_indices (self, FALSE);
  collect_arguments (self, node);
  offset = heddle_cuda_gathered_offset (cuda, node, inside);
  if (inside->len > 0)
    {
      zero = g_strdup_printf ("%s[step][element] = 0.0f;", held);
      print_over_elements (self, zero);
      heddle_cuda_line (cuda, "if (%s)", inside->str);
    }
  cuda->depth += inside->len > 0;
  print_vector (self, at, heddle_names_value (cuda->names, buffer_of (self, node->buffer)->value), offset);
  cuda->depth -= inside->len > 0;
}

/* --- statements that read around their element --- */

/* Where a source is read that no thread holds: the indices that the statement gives, or those of the point. */
static GPtrArray *
read_indices (const Printer *self, const HeddleNode *node, guint i)
{
  const GPtrArray *given = g_ptr_array_index (node->source_indices, i);
  const HeddleBuffer *buffer = buffer_of (self, g_array_index (node->sources, guint, i));
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint k = 0; k < buffer->axes->len; k++)
    g_ptr_array_add (indices, given != NULL ? heddle_expr_ref (g_ptr_array_index (given, k))
                                            : heddle_expr_index (heddle_ids_index (buffer->axes, k)));
  return indices;
}

/* The place in the array; appends to @inside what must hold for it to be there. */
static char *
read_offset (Printer *self, const HeddleBuffer *buffer, const GPtrArray *indices, GString *inside)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autoptr (GString) offset = g_string_new (indices->len == 0 ? "0" : NULL);

  for (guint i = 0; i < indices->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      g_autofree char *index = heddle_cuda_whole (&context, g_ptr_array_index (indices, i));

      heddle_cuda_guard_index (self->cuda, g_ptr_array_index (indices, i), axis, index, inside);
      if (i > 0)
        {
          g_string_prepend_c (offset, '(');
          g_string_append_printf (offset, ") * %s + ", heddle_names_axis (self->cuda->names, axis));
        }
      g_string_append_printf (offset, i == 0 ? "(long long) (%s)" : "(%s)", index);
    }
  return g_string_free (g_steal_pointer (&offset), FALSE);
}

/* How the sources of a statement are read at one place. */
typedef struct
{
  GPtrArray *vectors; /* of char *: where each that is read as a vector is; NULL: of others */
  GString *whole; /* what must hold for the vectors to be inside */
  GString *each; /* and for elements that are read one by one */
} Reach;

static void
collect_reach (Printer *self, const HeddleNode *node, Reach *reach)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);
      const HeddleBuffer *buffer = buffer_of (self, source);
      g_autoptr (GPtrArray) indices = NULL;
      gboolean vector;
      g_autofree char *offset = NULL;

      g_ptr_array_add (reach->vectors, NULL);
      if (!heddle_rows_is_direct (self->rows, cuda->program, source))
        {
          g_ptr_array_add (texts, g_strdup_printf (has_columns (self, source) ? "%s[step][element]" : "%s",
                                      heddle_names_buffer (cuda->names, source)));
          continue;
        }
      indices = read_indices (self, node, i);
      vector = heddle_rows_reads_vectors (self->rows, cuda->program, cuda->sizes, indices);
      define_reach_indices (self, node, !vector);
      offset = read_offset (self, buffer, indices, vector ? reach->whole : reach->each);
      g_ptr_array_add (texts, vector ? g_strdup_printf ("read_%u[element]", i)
                                     : g_strdup_printf ("load (%s[%s])",
                                         heddle_names_value (cuda->names, buffer->value), offset));
      if (vector)
        reach->vectors->pdata[i] = g_steal_pointer (&offset);
    }
  g_ptr_array_set_size (cuda->arguments, 0);
  g_ptr_array_set_size (cuda->wholes, 0);
  for (guint i = 0; i < texts->len; i++)
    {
      g_ptr_array_add (cuda->arguments, g_strdup (g_ptr_array_index (texts, i)));
      g_ptr_array_add (cuda->wholes, NULL);
    }
}

/* What the statement makes of its element, all of which is inside. */
static char *
reach_line (Printer *self, const HeddleNode *node, const char *held, const char *each)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *body = NULL, *if_inside = *each ? g_strdup_printf ("if (%s)\n", each) : g_strdup ("");

  define_reach_indices (self, node, TRUE);
  body = heddle_cuda_expr (&context, node->body);
  if (node->over == NULL || node->over->len == 0)
    return g_strdup_printf ("%s%s[step][element] = %s;", if_inside, held, body);
  if (row->sign != NULL)
    return g_strdup_printf ("%s%s[step][element] %s= %s;", if_inside, held, row->sign, body);
  use (self, row->instruction);
  return g_strdup_printf (
      "%s%s[step][element] = %s (%s[step][element], %s);", if_inside, held, row->instruction, held, body);
}

/* One term of each element: vectors are read, where they are inside, and what they come to is added. */
static void
print_term (Printer *self, const HeddleNode *node, const char *held)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GPtrArray) vectors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) whole = g_string_new (NULL), each = g_string_new (NULL);
  Reach reach = { vectors, whole, each };
  g_autofree char *line = NULL;

  collect_reach (self, node, &reach);
  if (whole->len > 0)
    heddle_cuda_line (cuda, "if (%s)", whole->str);
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  for (guint i = 0; i < vectors->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("read_%u", i);
      guint source = g_array_index (node->sources, guint, i);

      if (g_ptr_array_index (vectors, i) == NULL)
        continue;
      heddle_cuda_line (cuda, "float %s[WIDTH];", name);
      print_vector (self, name, heddle_names_value (cuda->names, buffer_of (self, source)->value),
          g_ptr_array_index (vectors, i));
    }
  line = reach_line (self, node, held, each->str);
  print_over_elements (self, line);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
}

/* Where terms are outside of their arrays, an element is what it begins with: 0, or the unit of the sum. */
static void
print_reach (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  guint n = node->over != NULL ? node->over->len : 0;
  g_autofree char *unit = n > 0 ? heddle_cuda_unit (&context, node->monoid) : g_strdup ("0.0f");
  g_autofree char *first = g_strdup_printf ("%s[step][element] = %s;", held, unit);

  print_over_elements (self, first);
  for (guint i = 0; i < n; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);
      const char *index = heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_INDEX);

      if (length_of (self, axis) <= MOST_UNROLLED)
        heddle_cuda_line (cuda, "#pragma unroll");
      heddle_cuda_line (cuda, "for (int %s = 0; %s < %s; ++%s)", index, index,
          heddle_names_axis (cuda->names, axis), index);
      cuda->depth++;
    }
  print_term (self, node, held);
  cuda->depth -= n;
}

/* Between global memory and registers: by vectors, also where the row ends among them. */
static void
print_transfer (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  gboolean load = node->kind == HEDDLE_NODE_LOAD, part = self->rows->tiled;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  const char *value = heddle_names_value (cuda->names, buffer->value);
  g_autofree char *offset = NULL, *rest = NULL;

  use (self, "piece");
  use (self, load ? "load vector" : "store vector");
  if (part)
    use (self, load ? "load part" : "store part");
  define_indices (self, FALSE);
  offset = heddle_cuda_global_offset (cuda, buffer, FALSE);
  rest = part ? g_strdup_printf (", %s - %s, whole", columns_name (self, HEDDLE_NAME_COUNT),
             columns_name (self, HEDDLE_NAME_INDEX))
              : g_strdup ("");
  if (load)
    heddle_cuda_line (
        cuda, "load_%s (%s[step], %s + %s%s);", part ? "part" : "vector", held, value, offset, rest);
  else
    heddle_cuda_line (
        cuda, "store_%s (%s + %s, %s[step]%s);", part ? "part" : "vector", value, offset, held, rest);
}

/* What a part of a row comes to has a name of its own. */
static char *
sum_name (const Printer *self, const HeddleNode *node)
{
  return g_strdup_printf (
      node->accumulate ? "%s_part" : "%s", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* Returns the statement that adds a value to that of a row: "s += x" or "m = largest (m, x)". */
static char *
accumulated (Printer *self, const HeddleNode *node, const char *body)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  g_autofree char *held = sum_name (self, node), *inside = NULL;

  /* a row ends among the elements of a thread where its parts are gone through */
  inside = self->rows->streamed ? g_strdup_printf ("if (%s + element < %s)\n",
               columns_name (self, HEDDLE_NAME_INDEX), columns_name (self, HEDDLE_NAME_COUNT))
                                : g_strdup ("");
  if (row->sign != NULL)
    return g_strdup_printf ("%s%s %s= %s;", inside, held, row->sign, body);
  use (self, row->instruction);
  return g_strdup_printf ("%s%s = %s (%s, %s);", inside, held, row->instruction, held, body);
}

static void
print_along (Printer *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autofree char *body = NULL, *line = NULL;

  cuda->node = node;
  cuda->operation = node->operation;
  if (node->kind == HEDDLE_NODE_COMPUTE)
    heddle_cuda_statement_comment (cuda, node);
  if (heddle_rows_reaches (self->rows, cuda->program, node))
    {
      print_reach (self, node);
      return;
    }
  if (node->kind != HEDDLE_NODE_COMPUTE)
    {
      if (is_direct (self, node))
        return;
      if (node->at != NULL)
        {
          print_gather (self, node);
          return;
        }
      if (heddle_rows_is_across (self->rows, buffer_of (self, node->buffer)))
        print_read_across (self, node);
      else
        print_transfer (self, node);
      return;
    }
  define_indices (self, TRUE);
  body = body_text (self, node);
  line = is_reduction (self, node) ? accumulated (self, node, body)
                                   : g_strdup_printf ("%s[step][element] = %s;",
                                       heddle_names_buffer (cuda->names, node->buffer), body);
  print_over_elements (self, line);
}

/* Returns the condition under which the columns of a step lie in the row, and the row in the array; "" means that they always do. */
static char *
step_condition (const Printer *self, const char *active)
{
  const char *index = columns_name (self, HEDDLE_NAME_INDEX);
  const char *end = self->rows->tiled ? columns_name (self, HEDDLE_NAME_COUNT)
                                      : heddle_names_axis (self->cuda->names, self->rows->columns);

  if (self->rows->covered)
    return g_strdup (active);
  return g_strdup_printf ("%s%s%s < %s", active, *active ? " && " : "", index, end);
}

/* What was there before the part at hand, rescaled, and what came. */
static void
print_accumulated (Printer *self, const HeddleNode *node, const char *part)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  const char *held = heddle_names_buffer (self->cuda->names, node->buffer);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *factor = NULL, *old = NULL;

  self->cuda->node = node;
  define_indices (self, FALSE);
  collect_arguments (self, node);
  factor = node->rescale != NULL ? heddle_cuda_factor (&context, node->rescale) : NULL;
  old = factor != NULL ? g_strdup_printf ("%s * %s", factor, held) : g_strdup (held);
  if (row->sign != NULL)
    heddle_cuda_line (self->cuda, "%s = %s %s %s;", held, old, row->sign, part);
  else
    heddle_cuda_line (self->cuda, "%s = %s (%s, %s);", held, row->instruction, old, part);
}

/* Joins what the lanes of a row have in @held. */
static void
print_join_of (Printer *self, const char *held, const char *monoid, const char *unit)
{
  use (self, "join lanes");
  if (self->rows->lanes <= WARP)
    heddle_cuda_line (self->cuda, "%s = join_lanes<%s, LANES> (%s);", held, monoid, held);
  else
    {
      use (self, "join block");
      heddle_cuda_line (self->cuda, "%s = join_block<%s, LANES / 32> (%s, parts[%u], %s);", held, monoid,
          held, self->reductions++, unit);
    }
}

/* A row's value from what its lanes have. */
static void
print_join (Printer *self, const HeddleNode *node)
{
  g_autofree char *held = sum_name (self, node);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *unit = heddle_cuda_unit (&context, node->monoid);

  heddle_cuda_join_use (self->cuda, node->monoid);
  print_join_of (self, held, heddle_cuda_join_name (node->monoid), unit);
  if (node->accumulate)
    print_accumulated (self, node, held);
}

/* The statements from @from on to before @to in one loop. */
static void
print_phase (Printer *self, const HeddleNode *block, guint from, guint to, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleNode *last = g_ptr_array_index (block->children, to - 1);
  g_autofree char *condition = step_condition (self, active);
  HeddleCudaContext context = heddle_cuda_context (cuda);
  HeddleCudaText *before, *body;

  heddle_cuda_line (cuda, "%s", "");
  for (guint i = from; i < to; i++)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);
      const char *held = heddle_names_buffer (cuda->names, node->buffer);
      g_autofree char *unit = heddle_cuda_unit (&context, node->monoid);

      cuda->operation = node->operation;
      if (is_direct (self, node))
        continue;
      define_indices (self, FALSE);
      if (!heddle_rows_reaches (self->rows, cuda->program, node))
        print_reciprocal (self, node);
      if (is_reduction (self, node))
        {
          g_autofree char *sum = sum_name (self, node);

          heddle_cuda_line (cuda, "float %s = %s;", sum, unit);
        }
      else if (node->kind != HEDDLE_NODE_SAVE)
        heddle_cuda_line (cuda, "float %s[STEPS][WIDTH];", held);
    }
  cuda->operation = NULL;
  heddle_cuda_line (cuda, "#pragma unroll");
  heddle_cuda_line (cuda, "for (int step = 0; step < STEPS; ++step)");
  cuda->depth++;
  heddle_cuda_line (cuda, "{");
  cuda->depth += *condition ? 3 : 1;
  before = heddle_cuda_begin (cuda);
  for (guint i = from; i < to; i++)
    print_along (self, g_ptr_array_index (block->children, i));
  cuda->operation = NULL;
  body = heddle_cuda_end (cuda, before);
  cuda->depth -= *condition ? 2 : 0;
  if (*condition || heddle_cuda_text_uses (body, columns_name (self, HEDDLE_NAME_INDEX)))
    heddle_cuda_line (
        cuda, "const int %s = (step * LANES + lane) * WIDTH;", columns_name (self, HEDDLE_NAME_INDEX));
  if (*condition)
    {
      heddle_cuda_line (cuda, "if (%s)", condition);
      heddle_cuda_line (cuda, "  {");
    }
  heddle_cuda_append (cuda, body);
  if (*condition)
    heddle_cuda_line (cuda, "  }");
  cuda->depth--;
  heddle_cuda_line (cuda, "}");
  cuda->depth--;
  if (is_reduction (self, last))
    print_join (self, last);
}

/* One pass through the elements of a thread. */
static void
print_pass (Printer *self, const char *active, const char *line)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autofree char *condition = step_condition (self, active);

  heddle_cuda_line (cuda, "#pragma unroll");
  heddle_cuda_line (cuda, "for (int step = 0; step < STEPS; ++step)");
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  heddle_cuda_line (
      cuda, "const int %s = (step * LANES + lane) * WIDTH;", columns_name (self, HEDDLE_NAME_INDEX));
  if (*condition)
    heddle_cuda_line (cuda, "if (%s)", condition);
  cuda->depth += *condition ? 1 : 0;
  heddle_cuda_line (cuda, "{");
  cuda->depth++;
  print_over_elements (self, line);
  cuda->depth--;
  heddle_cuda_line (cuda, "}");
  cuda->depth -= *condition ? 3 : 2;
  heddle_cuda_line (cuda, "  }");
}

/* The largest element and its place, the first of equal ones: NaN is less than any number. */
static void
print_select (Printer *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);
  const char *best = heddle_names_buffer (cuda->names, node->buffer);
  const char *place = heddle_names_buffer (cuda->names, node->second);
  g_autofree char *value = NULL, *larger = NULL, *first = NULL;

  cuda->node = node;
  cuda->operation = node->operation;
  use (self, "inf");
  use (self, "row greatest");
  use (self, "row first");
  heddle_cuda_line (cuda, "%s", "");
  heddle_cuda_statement_comment (cuda, node);
  define_indices (self, TRUE);
  collect_arguments (self, node);
  value = heddle_cuda_factor (&context, node->body);
  larger = g_strdup_printf ("%s = fmaxf (%s, %s);", best, best, value);
  print_pass (self, active, larger);
  print_join_of (self, best, "Greatest", "-INF");
  heddle_cuda_line (cuda, "%s = INF;", place);
  /* where a lane begins is added at the end: what differs between its elements is known to the compiler */
  first = g_strdup_printf (
      "if (%s == %s)\n%s = fminf (%s, float (step * LANES * WIDTH + element));", value, best, place, place);
  print_pass (self, active, first);
  heddle_cuda_line (cuda, "%s += float (lane * WIDTH);", place);
  print_join_of (self, place, "First", "INF");
  heddle_cuda_line (cuda, "if (%s == INF)  // nothing but NaN", place);
  heddle_cuda_line (cuda, "  %s = 0.0f, %s = INF - INF;", place, best);
}

/* A running sum: each thread's vectors, then those of a warp, then all warps. */
static void
print_scan (Printer *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  g_autofree char *body = NULL, *line = NULL;

  cuda->node = node;
  cuda->operation = node->operation;
  heddle_cuda_line (cuda, "%s", "");
  heddle_cuda_statement_comment (cuda, node);
  heddle_cuda_line (cuda, "float %s[STEPS][WIDTH] = {};", held);
  define_indices (self, TRUE);
  collect_arguments (self, node);
  body = heddle_cuda_expr (&context, node->body);
  line = g_strdup_printf ("%s[step][element] = %s;", held, body);
  print_pass (self, active, line);
  use (self, "scan lanes");
  if (self->rows->lanes <= WARP)
    heddle_cuda_line (cuda, "scan_lanes<LANES> (%s);", held);
  else
    {
      use (self, "scan block");
      heddle_cuda_line (
          cuda, "__shared__ float %s_sums[STEPS * LANES / 32];  // of each step and warp", held);
      heddle_cuda_line (cuda, "scan_block<LANES> (%s, %s_sums);", held, held);
    }
}

/* --- statements with one value a row --- */

/* What stands before a row's value where it is set: where parts of rows are gone through, it may be set again. */
static const char *
declaration (Printer *self, guint buffer)
{
  if (!self->rows->streamed && !self->rows->selects)
    return "const float ";
  for (guint i = 0; i < self->declared->len; i++)
    if (g_array_index (self->declared, guint, i) == buffer)
      return "";
  g_array_append_val (self->declared, buffer);
  return "float ";
}

static void
print_row_load (Printer *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  gboolean whole = buffer->dtype == HEDDLE_DTYPE_I32 || buffer->dtype == HEDDLE_DTYPE_I64;
  g_autofree char *offset = heddle_cuda_global_offset (cuda, buffer, FALSE);
  g_autofree char *value = g_strdup_printf (
      whole ? "%s[%s]" : "load (%s[%s])", heddle_names_value (cuda->names, buffer->value), offset);

  heddle_cuda_line (cuda, "const %s %s = %s%s%s%s;", whole ? heddle_cuda_type (buffer->dtype) : "float",
      heddle_names_buffer (cuda->names, node->buffer), active, *active ? " ? " : "", value,
      !*active ? ""
      : whole  ? " : 0"
               : " : 0.0f");
}

static void
print_row_value (Printer *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  g_autofree char *text = NULL, *place = NULL, *statement = NULL;
  HeddleDtype dtype;

  cuda->node = node;
  cuda->operation = node->operation;
  define_indices (self, FALSE);
  heddle_cuda_line (cuda, "%s", "");
  if (node->kind == HEDDLE_NODE_LOAD)
    {
      print_row_load (self, node, active);
      return;
    }
  if (node->kind == HEDDLE_NODE_COMPUTE)
    {
      heddle_cuda_statement_comment (cuda, node);
      text = body_text (self, node);
      heddle_cuda_line (cuda, "%s%s = %s;", declaration (self, node->buffer), held, text);
      return;
    }
  text = heddle_cuda_global_offset (cuda, buffer, FALSE);
  heddle_cuda_line (cuda, "if (%s%slane == 0)", active, *active ? " && " : "");
  place = g_strdup_printf ("%s[%s]", heddle_names_value (cuda->names, buffer->value), text);
  dtype = heddle_diagram_dtype (cuda->diagram, buffer->value, cuda->dtype);
  statement = heddle_dtype_is_real (dtype) ? g_strdup_printf ("store (&%s, %s);", place, held)
                                           : heddle_cuda_to_dtype (cuda, dtype, place, held);
  heddle_cuda_line (cuda, "  %s", statement);
}

static void print_statements (Printer *self, const HeddleNode *block, const char *active);

/* The parts of rows, one after the other. */
static void
print_parts (Printer *self, const HeddleNode *band, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *begin = columns_name (self, HEDDLE_NAME_BEGIN), *chunk = columns_name (self, HEDDLE_NAME_CHUNK);
  guint declared = self->declared->len;
  HeddleCudaText *before, *body;

  heddle_cuda_line (cuda, "%s", "");
  heddle_cuda_line (cuda, "for (long long %s = 0; %s < %s; %s += %s)", begin, begin,
      heddle_names_axis (cuda->names, band->axis), begin, chunk);
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  before = heddle_cuda_begin (cuda);
  print_statements (self, band, active);
  if (self->rows->lanes > WARP && self->rows->reductions > 0)
    heddle_cuda_line (cuda, "__syncthreads ();");
  body = heddle_cuda_end (cuda, before);
  heddle_cuda_print_count (cuda, body, band->axis, chunk);
  heddle_cuda_append (cuda, body);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
  g_array_set_size (self->declared, declared);
}

/* A phase ends before a value of a row, behind a reduction, and at the parts of rows. */
static void
print_statements (Printer *self, const HeddleNode *block, const char *active)
{
  guint n = block->children->len;

  for (guint i = 0; i < n;)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);
      guint end = i;

      if (is_direct (self, node))
        {
          i++;
          continue;
        }
      if (node->kind == HEDDLE_NODE_BAND)
        {
          print_parts (self, node, active);
          i++;
          continue;
        }
      if (node->kind == HEDDLE_NODE_COMPUTE && node->form == HEDDLE_COMPUTE_SELECT)
        {
          print_select (self, node, active);
          self->cuda->operation = NULL;
          i++;
          continue;
        }
      if (node->kind == HEDDLE_NODE_COMPUTE && node->form == HEDDLE_COMPUTE_SCAN)
        {
          print_scan (self, node, active);
          self->cuda->operation = NULL;
          i++;
          continue;
        }
      if (!goes_along (self, node))
        {
          print_row_value (self, node, active);
          self->cuda->operation = NULL;
          i++;
          continue;
        }
      do
        node = g_ptr_array_index (block->children, end++);
      while (!is_reduction (self, node) && end < n
             && goes_along (self, g_ptr_array_index (block->children, end)));
      print_phase (self, block, i, end, active);
      i = end;
    }
}

/* --- rows --- */

/* How many rows a block has, full tiles of the inner axes, as text; and as a number. */
static gint64
count_rows (const Printer *self, GString *text)
{
  gint64 n = 1;

  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);
      gboolean tile = extent_of (self, axis) == HEDDLE_EXTENT_TILE;

      n *= length_of (self, axis);
      g_string_append_printf (text, "%s%s", i > 0 ? " * " : "",
          tile ? heddle_names_of_axis (self->cuda->names, axis, i == 0 ? HEDDLE_NAME_COUNT : HEDDLE_NAME_TILE)
               : heddle_names_axis (self->cuda->names, axis));
    }
  return n;
}

/* Prints the indices of the row, and gives what must hold for it to be one: "": it always is. */
static char *
print_row_indices (Printer *self, const HeddleCudaText *body, gint64 n)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GString) inside = g_string_new (NULL);
  gint64 inner = n;

  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);
      const char *index = heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_INDEX);
      gint64 length = length_of (self, axis);
      /* along the first axis rows end where the block's do; along others tiles may be ragged */
      gboolean ragged = i == 0 ? n % self->rows->rows != 0
                                     || (length > 1 && extent_of (self, axis) == HEDDLE_EXTENT_TILE
                                         && self->rows->rows > 1)
                               : length > 1 && extent_of (self, axis) == HEDDLE_EXTENT_TILE;
      g_autofree char *text = NULL;

      inner /= length;
      text = length == 1 && !ragged ? g_strdup ("0")
             : inner > 1            ? g_strdup_printf ("row / %" G_GINT64_FORMAT, inner)
                                    : g_strdup ("row");
      if (i > 0 && length > 1)
        {
          char *rest = g_strdup_printf ("%s %% %" G_GINT64_FORMAT, text, length);

          g_free (text);
          text = rest;
        }
      if (ragged)
        g_string_append_printf (inside, "%s%s < %s", inside->len > 0 ? " && " : "", index,
            heddle_cuda_count (cuda, axis, extent_of (self, axis)));
      if (ragged || heddle_cuda_text_uses (body, index))
        heddle_cuda_line (cuda, "const int %s = %s;", index, text);
    }
  if (self->rows->axes->len == 0 && self->rows->rows > 1)
    g_string_append (inside, "row == 0");
  return g_string_free (g_steal_pointer (&inside), FALSE);
}

static void
print_rows (Printer *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GString) total = g_string_new (NULL);
  gint64 n = count_rows (self, total);
  gboolean loop = n > self->rows->rows, several = n > 1 || self->rows->rows > 1;
  g_autofree char *inside = NULL;
  HeddleCudaText *before, *body, *head;

  cuda->depth += loop ? 2 : 0;
  before = heddle_cuda_begin (cuda);
  /* whether "active" is needed is known from the sizes alone */
  head = heddle_cuda_begin (cuda);
  inside = print_row_indices (self, head, n);
  heddle_cuda_text_free (heddle_cuda_end (cuda, head));
  print_statements (self, block, *inside ? "active" : "");
  if (loop && self->rows->lanes > WARP && self->rows->reductions > 0)
    heddle_cuda_line (cuda, "__syncthreads ();");
  body = heddle_cuda_end (cuda, before);
  cuda->depth -= loop ? 2 : 0;
  heddle_cuda_line (cuda, "%s", "");
  print_all_across (self, block);
  if (heddle_cuda_text_uses (body, "lane"))
    heddle_cuda_line (cuda,
        self->rows->rows > 1 ? "const int lane = threadIdx.x %% LANES;" : "const int lane = threadIdx.x;");
  if (loop)
    {
      heddle_cuda_line (cuda, "for (int first = 0; first < %s; first += ROWS)", total->str);
      heddle_cuda_line (cuda, "  {");
      cuda->depth += 2;
    }
  if (several)
    heddle_cuda_line (cuda, "const int row = %s%s%s;", loop ? "first" : "",
        loop && self->rows->rows > 1 ? " + " : "",
        self->rows->rows > 1 ? "threadIdx.x / LANES"
        : loop               ? ""
                             : "0");
  g_free (print_row_indices (self, body, n));
  if (*inside)
    heddle_cuda_line (cuda, "const bool active = %s;", inside);
  heddle_cuda_append (cuda, body);
  if (loop)
    {
      cuda->depth -= 2;
      heddle_cuda_line (cuda, "  }");
    }
}

/* --- the kernel --- */

/* Stores of two elements side by side: one instruction makes both halves of a word. */
static void
use_pairs (Printer *self, HeddleDtype dtype)
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

static void
use_types (Printer *self)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GArray) reads = heddle_loop_program_reads (cuda->program);
  g_autoptr (GArray) writes = heddle_loop_program_writes (cuda->program);
  const GArray *lists[] = { reads, writes };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        HeddleDtype dtype = heddle_diagram_dtype (cuda->diagram, heddle_ids_index (lists[l], i), cuda->dtype);
        const char *loads = "load f32", *stores = "store f32";

        heddle_cuda_packed (dtype, &loads, &stores);
        use (self, l == 0 ? loads : stores);
        if (l == 1)
          use_pairs (self, dtype);
      }
}

static void
print_constants (Printer *self, const HeddleCudaText *body)
{
  heddle_cuda_print_constant (self->cuda, body, "LANES", self->rows->lanes);
  heddle_cuda_print_constant (self->cuda, body, "WIDTH", self->rows->width);
  heddle_cuda_print_constant (self->cuda, body, "STEPS", self->rows->steps);
  heddle_cuda_print_constant (self->cuda, body, "ROWS", self->rows->rows);
  heddle_cuda_print_constants (self->cuda, body);
}

static void
print_whole (Printer *self, const HeddleCudaText *body)
{
  if (!heddle_cuda_text_uses (body, "whole"))
    return;
  if (self->rows->axes->len > 0)
    heddle_cuda_line (self->cuda,
        "const bool whole = %s %% WIDTH == 0;  // rows begin at multiples of a vector",
        heddle_names_axis (self->cuda->names, self->rows->columns));
  else
    heddle_cuda_line (self->cuda, "constexpr bool whole = true;");
}

static void
print_body (Printer *self)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleNode *block = heddle_cuda_collect_groups (cuda);
  HeddleCudaText *before = heddle_cuda_begin (cuda), *body;

  print_rows (self, block);
  body = heddle_cuda_end (cuda, before);
  if (self->reductions > 0)
    heddle_cuda_line (
        cuda, "__shared__ float parts[%u][32];  // of each reduction, one of each warp", self->reductions);
  print_whole (self, body);
  heddle_cuda_print_groups (cuda, body);
  heddle_cuda_append (cuda, body);
}

gboolean
heddle_row_kernel_print (HeddleCudaKernel *self, const HeddleRows *rows, GError **error)
{
  g_autoptr (GArray) declared = g_array_new (FALSE, FALSE, sizeof (guint));
  Printer printer = { .cuda = self, .rows = rows, .declared = declared };
  HeddleCudaText *before, *body;

  if (!heddle_cuda_print_signature (self, error))
    return FALSE;
  use_types (&printer);
  heddle_cuda_line (self, "{");
  self->depth = 1;
  before = heddle_cuda_begin (self);
  print_body (&printer);
  body = heddle_cuda_end (self, before);
  print_constants (&printer, body);
  heddle_cuda_append (self, body);
  self->depth = 0;
  heddle_cuda_line (self, "}");
  return TRUE;
}
