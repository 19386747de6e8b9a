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
#include "codegen/cuda/row-body.h"
#include "codegen/cuda/row-kernel.h"
#include "codegen/cuda/row-printer.h"
#include "codegen/cuda/row-reach.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

#define WARP 32
/* Returns whether a statement reduces along a row. */
static gboolean
is_reduction (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->over != NULL && node->over->len > 0
         && !heddle_rows_reaches (self->rows, self->cuda->program, node);
}

/* Returns whether a load stands for reads by the statements after it. */
static gboolean
is_direct (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_LOAD
         && heddle_rows_is_direct (self->rows, self->cuda->program, node->buffer);
}

/* Returns whether a statement stands in the loop over columns. */
static gboolean
goes_along (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return node->kind != HEDDLE_NODE_BAND
         && !(node->kind == HEDDLE_NODE_COMPUTE && node->form != HEDDLE_COMPUTE_FOLD)
         && (is_reduction (self, node) || heddle_row_printer_has_columns (self, node->buffer));
}

/* Collects the element of each source at the point, or its value in the row: all are held in f32. */
static void
collect_arguments (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;

  g_ptr_array_set_size (cuda->arguments, 0);
  g_ptr_array_set_size (cuda->wholes, 0);
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);

      const char *held = heddle_names_buffer (cuda->names, source);
      HeddleDtype dtype = heddle_row_printer_buffer (self, source)->dtype;
      gboolean whole = dtype == HEDDLE_DTYPE_I32 || dtype == HEDDLE_DTYPE_I64;

      g_ptr_array_add (cuda->wholes, whole ? g_strdup_printf ("(long long) %s", held) : NULL);
      g_ptr_array_add (cuda->arguments,
          g_strdup_printf (heddle_row_printer_has_columns (self, source) ? "%s[step][element]"
                           : whole                                       ? "float (%s)"
                                                                         : "%s",
              held));
    }
}

/* --- one reciprocal a row --- */

static char *
reciprocal_name (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return g_strdup_printf ("reciprocal_%s", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* Prints, before a phase, the reciprocal of what its statements divide by in the whole row. */
static void
print_reciprocal (HeddleRowPrinter *self, const HeddleNode *node)
{
  g_auto (HeddleRowBody) body = { NULL, NULL, NULL };
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *name = NULL, *divisor = NULL, *empty = NULL, *value = NULL;

  if (node->body != NULL)
    heddle_row_body_init (&body, self->rows, self->cuda->program, node);
  if (body.divisor == NULL)
    return;
  if (context.coarse)
    heddle_row_printer_use (self, "reciprocal");
  collect_arguments (self, node);
  name = reciprocal_name (self, node);
  divisor = heddle_cuda_expr (&context, body.divisor);
  value = g_strdup_printf (context.coarse ? "reciprocal (%s)" : "1.0f / (%s)", divisor);
  if (body.empty != NULL)
    empty = heddle_cuda_condition (&context, body.empty);
  heddle_cuda_line (self->cuda, "const float %s = %s%s%s;", name, empty != NULL ? empty : "",
      empty != NULL ? " ? 0.0f : " : "", value);
}

/* Returns the body at the point as text. */
static char *
body_text (HeddleRowPrinter *self, const HeddleNode *node)
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

static char *
across_name (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return g_strdup_printf ("%s_across", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* Returns the distance of two columns in the buffer's array. */
static char *
column_stride (const HeddleRowPrinter *self, const HeddleBuffer *buffer)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = (guint) heddle_ids_find (buffer->axes, self->rows->columns) + 1; i < buffer->axes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " * " : "(long long) ",
        heddle_names_axis (self->cuda->names, heddle_ids_index (buffer->axes, i)));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Defines the indices at the beginning of the block's tile, where each is the first. */
static void
define_first_indices (HeddleRowPrinter *self)
{
  HeddleCudaKernel *cuda = self->cuda;

  heddle_row_printer_define_indices (self, FALSE);
  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);

      g_hash_table_insert (cuda->indices, (gpointer) axis,
          g_strdup (heddle_row_printer_extent (self, axis) == HEDDLE_EXTENT_TILE
                        ? heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_BEGIN)
                        : "0"));
    }
  g_hash_table_insert (cuda->indices, (gpointer) self->rows->columns,
      g_strdup (heddle_row_printer_columns_name (self, HEDDLE_NAME_BEGIN)));
}

/* Prints a copy from global memory into shared memory, whose rows threads then read along the other axis. */
static void
print_across (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = heddle_row_printer_buffer (self, node->buffer);
  HeddleDtype dtype = heddle_diagram_dtype (cuda->diagram, buffer->value, cuda->dtype);
  const char *across = self->rows->across;
  gint64 rows = heddle_row_printer_length (self, across),
         columns = heddle_row_printer_length (self, self->rows->columns);
  g_autofree char *name = across_name (self, node), *stride = column_stride (self, buffer), *offset = NULL;

  heddle_row_printer_use (self, "piece");
  heddle_row_printer_use (self, "load across");
  define_first_indices (self);
  offset = heddle_cuda_global_offset (cuda, buffer, FALSE);
  heddle_cuda_line (cuda, "__shared__ __align__ (16) %s %s[%" G_GINT64_FORMAT "][%" G_GINT64_FORMAT "];",
      heddle_cuda_type (dtype), name, columns,
      heddle_rows_pitch (self->rows, rows, heddle_dtype_bytes (dtype)));
  heddle_cuda_line (cuda, "load_across<WIDTH, %" G_GINT64_FORMAT "> (%s, %s + %s, %s,", rows, name,
      heddle_names_value (cuda->names, buffer->value), offset, stride);
  heddle_cuda_line (cuda, "    %s, %s, %s %% WIDTH == 0);",
      heddle_cuda_count (cuda, across, HEDDLE_EXTENT_TILE),
      heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT), heddle_names_axis (cuda->names, across));
}

/* Prints the copies of all tiles that are read across, before the rows. */
static void
print_all_across (HeddleRowPrinter *self, const HeddleNode *block)
{
  if (self->rows->across == NULL)
    return;
  for (guint i = 0; i < block->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (block->children, i);

      if (node->kind == HEDDLE_NODE_LOAD
          && heddle_rows_is_across (self->rows, heddle_row_printer_buffer (self, node->buffer)))
        print_across (self, node);
    }
  heddle_cuda_line (self->cuda, "__syncthreads ();");
}

/* Prints how a thread takes its elements out of shared memory. */
static void
print_read_across (HeddleRowPrinter *self, const HeddleNode *node)
{
  g_autofree char *name = across_name (self, node), *line = NULL;

  line = g_strdup_printf ("%s[step][element] = load (%s[%s + element][%s]);",
      heddle_names_buffer (self->cuda->names, node->buffer), name,
      heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX),
      heddle_names_of_axis (self->cuda->names, self->rows->across, HEDDLE_NAME_INDEX));
  heddle_row_printer_over_elements (self, line);
}

/* Prints the read of a vector at given indices; it is zero where that is outside the array. */
static void
print_gather (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL, *at = g_strdup_printf ("%s[step]", held), *zero = NULL;

  heddle_row_printer_define_indices (self, FALSE);
  collect_arguments (self, node);
  offset = heddle_cuda_gathered_offset (cuda, node, inside);
  if (inside->len > 0)
    {
      zero = g_strdup_printf ("%s[step][element] = 0.0f;", held);
      heddle_row_printer_over_elements (self, zero);
      heddle_cuda_line (cuda, "if (%s)", inside->str);
    }
  cuda->depth += inside->len > 0;
  heddle_row_printer_vector (self, at,
      heddle_names_value (cuda->names, heddle_row_printer_buffer (self, node->buffer)->value), offset);
  cuda->depth -= inside->len > 0;
}

/* Prints a transfer between global memory and registers, by vectors, also if the row ends within one. */
static void
print_transfer (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = heddle_row_printer_buffer (self, node->buffer);
  gboolean load = node->kind == HEDDLE_NODE_LOAD, part = self->rows->tiled;
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  const char *value = heddle_names_value (cuda->names, buffer->value);
  g_autofree char *offset = NULL, *rest = NULL;

  heddle_row_printer_use (self, "piece");
  heddle_row_printer_use (self, load ? "load vector" : "store vector");
  if (part)
    heddle_row_printer_use (self, load ? "load part" : "store part");
  heddle_row_printer_define_indices (self, FALSE);
  offset = heddle_cuda_global_offset (cuda, buffer, FALSE);
  rest = part
             ? g_strdup_printf (", %s - %s, whole", heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT),
                 heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX))
             : g_strdup ("");
  if (load)
    heddle_cuda_line (
        cuda, "load_%s (%s[step], %s + %s%s);", part ? "part" : "vector", held, value, offset, rest);
  else
    heddle_cuda_line (
        cuda, "store_%s (%s + %s, %s[step]%s);", part ? "part" : "vector", value, offset, held, rest);
}

/* Returns the name of the sum of a part of a row. */
static char *
sum_name (const HeddleRowPrinter *self, const HeddleNode *node)
{
  return g_strdup_printf (
      node->accumulate ? "%s_part" : "%s", heddle_names_buffer (self->cuda->names, node->buffer));
}

/* Returns the statement that adds a value to that of a row: "s += x" or "m = largest (m, x)". */
static char *
accumulated (HeddleRowPrinter *self, const HeddleNode *node, const char *body)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  g_autofree char *held = sum_name (self, node), *inside = NULL;

  /* A row ends among the elements of a thread if it is processed in parts. */
  inside = self->rows->streamed ? g_strdup_printf ("if (%s + element < %s)\n",
               heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX),
               heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT))
                                : g_strdup ("");
  if (row->sign != NULL)
    return g_strdup_printf ("%s%s %s= %s;", inside, held, row->sign, body);
  heddle_row_printer_use (self, row->instruction);
  return g_strdup_printf ("%s%s = %s (%s, %s);", inside, held, row->instruction, held, body);
}

static void
print_along (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autofree char *body = NULL, *line = NULL;

  cuda->node = node;
  cuda->operation = node->operation;
  if (node->kind == HEDDLE_NODE_COMPUTE)
    heddle_cuda_statement_comment (cuda, node);
  if (heddle_rows_reaches (self->rows, cuda->program, node))
    {
      heddle_row_reach_print (self, node);
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
      if (heddle_rows_is_across (self->rows, heddle_row_printer_buffer (self, node->buffer)))
        print_read_across (self, node);
      else
        print_transfer (self, node);
      return;
    }
  heddle_row_printer_define_indices (self, TRUE);
  body = body_text (self, node);
  line = is_reduction (self, node) ? accumulated (self, node, body)
                                   : g_strdup_printf ("%s[step][element] = %s;",
                                       heddle_names_buffer (cuda->names, node->buffer), body);
  heddle_row_printer_over_elements (self, line);
}

/* Returns the condition under which the columns of a step lie in the row, and the row in the array; "" means
 * that they always do. */
static char *
step_condition (const HeddleRowPrinter *self, const char *active)
{
  const char *index = heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX);
  const char *end = self->rows->tiled ? heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT)
                                      : heddle_names_axis (self->cuda->names, self->rows->columns);

  if (self->rows->covered)
    return g_strdup (active);
  return g_strdup_printf ("%s%s%s < %s", active, *active ? " && " : "", index, end);
}

/* Prints the sum of the value before the current part, rescaled, and the part. */
static void
print_accumulated (HeddleRowPrinter *self, const HeddleNode *node, const char *part)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  const char *held = heddle_names_buffer (self->cuda->names, node->buffer);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *factor = NULL, *old = NULL;

  self->cuda->node = node;
  heddle_row_printer_define_indices (self, FALSE);
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
print_join_of (HeddleRowPrinter *self, const char *held, const char *monoid, const char *unit)
{
  heddle_row_printer_use (self, "join lanes");
  if (self->rows->lanes <= WARP)
    heddle_cuda_line (self->cuda, "%s = join_lanes<%s, LANES> (%s);", held, monoid, held);
  else
    {
      heddle_row_printer_use (self, "join block");
      heddle_cuda_line (self->cuda, "%s = join_block<%s, LANES / 32> (%s, parts[%u], %s);", held, monoid,
          held, self->reductions++, unit);
    }
}

/* Prints the value of a row, joined from those of its lanes. */
static void
print_join (HeddleRowPrinter *self, const HeddleNode *node)
{
  g_autofree char *held = sum_name (self, node);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *unit = heddle_cuda_unit (&context, node->monoid);

  heddle_cuda_join_use (self->cuda, node->monoid);
  print_join_of (self, held, heddle_cuda_join_name (node->monoid), unit);
  if (node->accumulate)
    print_accumulated (self, node, held);
}

/* Prints the statements from @from on to before @to in one loop. */
static void
print_phase (HeddleRowPrinter *self, const HeddleNode *block, guint from, guint to, const char *active)
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
      heddle_row_printer_define_indices (self, FALSE);
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
  if (*condition || heddle_cuda_text_uses (body, heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX)))
    heddle_cuda_line (cuda, "const int %s = (step * LANES + lane) * WIDTH;",
        heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX));
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

/* Prints one pass through the elements of a thread. */
static void
print_pass (HeddleRowPrinter *self, const char *active, const char *line)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autofree char *condition = step_condition (self, active);

  heddle_cuda_line (cuda, "#pragma unroll");
  heddle_cuda_line (cuda, "for (int step = 0; step < STEPS; ++step)");
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  heddle_cuda_line (cuda, "const int %s = (step * LANES + lane) * WIDTH;",
      heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX));
  if (*condition)
    heddle_cuda_line (cuda, "if (%s)", condition);
  cuda->depth += *condition ? 1 : 0;
  heddle_cuda_line (cuda, "{");
  cuda->depth++;
  heddle_row_printer_over_elements (self, line);
  cuda->depth--;
  heddle_cuda_line (cuda, "}");
  cuda->depth -= *condition ? 3 : 2;
  heddle_cuda_line (cuda, "  }");
}

/* Prints the search for the largest element and its place, the first of equal ones: NaN is less than any
 * number. */
static void
print_select (HeddleRowPrinter *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);
  const char *best = heddle_names_buffer (cuda->names, node->buffer);
  const char *place = heddle_names_buffer (cuda->names, node->second);
  g_autofree char *value = NULL, *larger = NULL, *first = NULL;

  cuda->node = node;
  cuda->operation = node->operation;
  heddle_row_printer_use (self, "inf");
  heddle_row_printer_use (self, "row greatest");
  heddle_row_printer_use (self, "row first");
  heddle_cuda_line (cuda, "%s", "");
  heddle_cuda_statement_comment (cuda, node);
  heddle_row_printer_define_indices (self, TRUE);
  collect_arguments (self, node);
  value = heddle_cuda_factor (&context, node->body);
  larger = g_strdup_printf ("%s = fmaxf (%s, %s);", best, best, value);
  print_pass (self, active, larger);
  print_join_of (self, best, "Greatest", "-INF");
  heddle_cuda_line (cuda, "%s = INF;", place);
  /* The beginning of a lane is added at the end: the differences between its elements are constants for the
   * compiler. */
  first = g_strdup_printf (
      "if (%s == %s)\n%s = fminf (%s, float (step * LANES * WIDTH + element));", value, best, place, place);
  print_pass (self, active, first);
  heddle_cuda_line (cuda, "%s += float (lane * WIDTH);", place);
  print_join_of (self, place, "First", "INF");
  heddle_cuda_line (cuda, "if (%s == INF)  // nothing but NaN", place);
  heddle_cuda_line (cuda, "  %s = 0.0f, %s = INF - INF;", place, best);
}

/* Prints a running sum, which joins each thread's vectors, then those of a warp, then all warps. */
static void
print_scan (HeddleRowPrinter *self, const HeddleNode *node, const char *active)
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
  heddle_row_printer_define_indices (self, TRUE);
  collect_arguments (self, node);
  body = heddle_cuda_expr (&context, node->body);
  line = g_strdup_printf ("%s[step][element] = %s;", held, body);
  print_pass (self, active, line);
  heddle_row_printer_use (self, "scan lanes");
  if (self->rows->lanes <= WARP)
    heddle_cuda_line (cuda, "scan_lanes<LANES> (%s);", held);
  else
    {
      heddle_row_printer_use (self, "scan block");
      heddle_cuda_line (
          cuda, "__shared__ float %s_sums[STEPS * LANES / 32];  // of each step and warp", held);
      heddle_cuda_line (cuda, "scan_block<LANES> (%s, %s_sums);", held, held);
    }
}

/* --- statements with one value a row --- */

/* Returns what is written before a row's value where it is set: if rows are processed in parts, it may be set
 * again. */
static const char *
declaration (HeddleRowPrinter *self, guint buffer)
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
print_row_load (HeddleRowPrinter *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = heddle_row_printer_buffer (self, node->buffer);
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
print_row_value (HeddleRowPrinter *self, const HeddleNode *node, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const HeddleBuffer *buffer = heddle_row_printer_buffer (self, node->buffer);
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  g_autofree char *text = NULL, *place = NULL, *statement = NULL;
  HeddleDtype dtype;

  cuda->node = node;
  cuda->operation = node->operation;
  heddle_row_printer_define_indices (self, FALSE);
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

static void print_statements (HeddleRowPrinter *self, const HeddleNode *block, const char *active);

/* Prints the loop over the parts of rows, one after the other. */
static void
print_parts (HeddleRowPrinter *self, const HeddleNode *band, const char *active)
{
  HeddleCudaKernel *cuda = self->cuda;
  const char *begin = heddle_row_printer_columns_name (self, HEDDLE_NAME_BEGIN),
             *chunk = heddle_row_printer_columns_name (self, HEDDLE_NAME_CHUNK);
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

/* Prints the statements in phases. A phase ends before a value of a row, after a reduction, and at the parts
 * of rows. */
static void
print_statements (HeddleRowPrinter *self, const HeddleNode *block, const char *active)
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

/* Returns how many rows a block has, full tiles of the inner axes, as text and as a number. */
static gint64
count_rows (const HeddleRowPrinter *self, GString *text)
{
  gint64 n = 1;

  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);
      gboolean tile = heddle_row_printer_extent (self, axis) == HEDDLE_EXTENT_TILE;

      n *= heddle_row_printer_length (self, axis);
      g_string_append_printf (text, "%s%s", i > 0 ? " * " : "",
          tile ? heddle_names_of_axis (self->cuda->names, axis, i == 0 ? HEDDLE_NAME_COUNT : HEDDLE_NAME_TILE)
               : heddle_names_axis (self->cuda->names, axis));
    }
  return n;
}

/* Prints the indices of the row, and returns the condition that it exists; "" if it always does. */
static char *
print_row_indices (HeddleRowPrinter *self, const HeddleCudaText *body, gint64 n)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GString) inside = g_string_new (NULL);
  gint64 inner = n;

  for (guint i = 0; i < self->rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows->axes, i);
      const char *index = heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_INDEX);
      gint64 length = heddle_row_printer_length (self, axis);
      /* along the first axis rows end where the block's do; along others tiles may be ragged */
      gboolean ragged
          = i == 0 ? n % self->rows->rows != 0
                         || (length > 1 && heddle_row_printer_extent (self, axis) == HEDDLE_EXTENT_TILE
                             && self->rows->rows > 1)
                   : length > 1 && heddle_row_printer_extent (self, axis) == HEDDLE_EXTENT_TILE;
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
            heddle_cuda_count (cuda, axis, heddle_row_printer_extent (self, axis)));
      if (ragged || heddle_cuda_text_uses (body, index))
        heddle_cuda_line (cuda, "const int %s = %s;", index, text);
    }
  if (self->rows->axes->len == 0 && self->rows->rows > 1)
    g_string_append (inside, "row == 0");
  return g_string_free (g_steal_pointer (&inside), FALSE);
}

static void
print_rows (HeddleRowPrinter *self, const HeddleNode *block)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GString) total = g_string_new (NULL);
  gint64 n = count_rows (self, total);
  gboolean loop = n > self->rows->rows, several = n > 1 || self->rows->rows > 1;
  g_autofree char *inside = NULL;
  HeddleCudaText *before, *body, *head;

  cuda->depth += loop ? 2 : 0;
  before = heddle_cuda_begin (cuda);
  /* The sizes alone decide whether "active" is needed. */
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

static void
print_whole (HeddleRowPrinter *self, const HeddleCudaText *body)
{
  if (!heddle_cuda_text_uses (body, "whole"))
    return;
  if (self->rows->axes->len > 0 || self->rows->reaches)
    heddle_cuda_line (self->cuda,
        "const bool whole = %s %% WIDTH == 0;  // rows begin at multiples of a vector",
        heddle_names_axis (self->cuda->names, self->rows->columns));
  else
    heddle_cuda_line (self->cuda, "constexpr bool whole = true;");
}

static void
print_body (gpointer printer)
{
  HeddleRowPrinter *self = printer;
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
  const HeddleRowConstant constants[] = { { "LANES", rows->lanes }, { "WIDTH", rows->width },
    { "STEPS", rows->steps }, { "ROWS", rows->rows }, { NULL } };
  g_autoptr (GArray) declared = g_array_new (FALSE, FALSE, sizeof (guint));
  HeddleRowPrinter printer = { .cuda = self, .rows = rows, .declared = declared };

  return heddle_row_printer_print (self, TRUE, constants, print_body, &printer, error);
}
