/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/cuda-expr.h"
#include "codegen/cuda-kernel.h"

/* A statement is a loop of the block's threads over the points of a buffer, and a barrier. */

static HeddleExtent
extent_of (const HeddleBuffer *buffer, guint axis)
{
  return g_array_index (buffer->extents, HeddleExtent, axis);
}

/* How far apart a buffer's rows are: the extent it is laid out for. */
static const char *
pitch_text (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);

  switch (extent_of (buffer, i))
    {
    case HEDDLE_EXTENT_TILE:
      return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_TILE);
    case HEDDLE_EXTENT_CHUNK:
      return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_CHUNK);
    case HEDDLE_EXTENT_FULL:
    default:
      return heddle_names_axis (self->names, axis);
    }
}

/* How much of it is inside the array: the bound of loops over it. */
static const char *
count_text (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  return extent == HEDDLE_EXTENT_FULL ? heddle_names_axis (self->names, axis)
                                      : heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT);
}

static const char *
index_text (HeddleCudaKernel *self, const char *axis)
{
  return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_INDEX);
}

static void
define_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  const char *index = index_text (self, axis);

  g_hash_table_insert (self->indices, (gpointer) axis,
      extent == HEDDLE_EXTENT_FULL
          ? g_strdup (index)
          : g_strdup_printf ("%s + %s", heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN), index));
}

/* a * A + b … : row-major, from the texts of the indices and the lengths. */
static char *
offset_text (char **indices, const char *const *lengths, guint n)
{
  g_autoptr (GString) text = g_string_new (n == 0 ? "0" : NULL);

  for (guint i = 0; i < n; i++)
    {
      gboolean nested = i >= 2;

      if (nested)
        {
          g_string_prepend_c (text, '(');
          g_string_append_c (text, ')');
        }
      if (i > 0)
        g_string_append_printf (text, " * %s + ", lengths[i]);
      g_string_append (text, indices[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
local_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, char **indices)
{
  g_autoptr (GPtrArray) lengths = g_ptr_array_new ();

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (lengths, (gpointer) pitch_text (self, buffer, i));
  return offset_text (indices, (const char *const *) lengths->pdata, buffer->axes->len);
}

/* Where the point of a buffer is in the global array, whose axes the buffer's stand for by position. */
static char *
global_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autoptr (GPtrArray) lengths = g_ptr_array_new ();
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      gboolean whole = extent_of (buffer, i) == HEDDLE_EXTENT_FULL;

      g_ptr_array_add (lengths, (gpointer) heddle_names_axis (self->names, axis));
      g_ptr_array_add (indices,
          whole ? g_strdup (index_text (self, axis))
                : g_strdup_printf (buffer->axes->len > 1 ? "(%s + %s)" : "%s + %s",
                    heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN), index_text (self, axis)));
    }
  return offset_text ((char **) indices->pdata, (const char *const *) lengths->pdata, buffer->axes->len);
}

/* for (…) { indices; if inside { : the loop over the points of a buffer. Returns whether a guard was opened. */
static void
open_points (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autoptr (GString) total = g_string_new (buffer->axes->len == 0 ? "1" : NULL);
  g_autoptr (GString) guard = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    g_string_append_printf (total, "%s%s", i > 0 ? " * " : "", pitch_text (self, buffer, i));
  heddle_cuda_line (self, "for (int i = threadIdx.x; i < %s; i += THREADS)", total->str);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  g_string_assign (total, "i");
  for (guint i = buffer->axes->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      const char *index = index_text (self, axis), *pitch = pitch_text (self, buffer, i);

      if (i > 0)
        {
          heddle_cuda_line (self, "const int %s = %s %% %s;", index, total->str, pitch);
          g_string_append_printf (total, " / %s", pitch);
        }
      else
        heddle_cuda_line (self, "const int %s = %s;", index, total->str);
      define_index (self, axis, extent_of (buffer, i));
      if (extent_of (buffer, i) != HEDDLE_EXTENT_FULL)
        g_string_append_printf (guard, "%s%s < %s", guard->len ? " && " : "", index,
            count_text (self, axis, extent_of (buffer, i)));
    }
  if (guard->len > 0)
    {
      heddle_cuda_line (self, "if (!(%s))", guard->str);
      heddle_cuda_line (self, "  continue;");
    }
}

static void
close_points (HeddleCudaKernel *self)
{
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
  heddle_cuda_line (self, "__syncthreads ();");
}

static char *
to_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place, const char *value)
{
  if (dtype == HEDDLE_DTYPE_F16 || dtype == HEDDLE_DTYPE_BF16)
    {
      g_hash_table_add (self->sections, (gpointer) heddle_cuda_type (dtype));
      return g_strdup_printf ("store (&%s, %s);", place, value);
    }
  if (dtype == HEDDLE_DTYPE_BOOL)
    return g_strdup_printf ("%s = (%s) != 0;", place, value);
  if (!heddle_dtype_is_real (dtype))
    return g_strdup_printf ("%s = %s (%s);", place, dtype == HEDDLE_DTYPE_I32 ? "int" : "(long long)", value);
  return g_strdup_printf ("%s = %s;", place, value);
}

static char *
from_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place)
{
  if (dtype == HEDDLE_DTYPE_F16 || dtype == HEDDLE_DTYPE_BF16)
    {
      g_hash_table_add (self->sections, (gpointer) heddle_cuda_type (dtype));
      return g_strdup_printf ("load (%s)", place);
    }
  if (!heddle_dtype_is_real (dtype))
    return g_strdup_printf ("%s (%s)", self->wide ? "double" : "float", place);
  return g_strdup (place);
}

/* --- load and save --- */

static void
print_load (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *offset = NULL;

  heddle_cuda_line (self, "// load %s", buffer->name);
  open_points (self, buffer);
  offset = global_offset (self, buffer);
  heddle_cuda_line (self, "%s[i] = %s[%s];", heddle_names_buffer (self->names, node->buffer),
      heddle_names_value (self->names, buffer->value), offset);
  close_points (self);
}

static void
print_save (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleDtype dtype = heddle_diagram_dtype (self->diagram, buffer->value, self->dtype);
  g_autofree char *offset = NULL, *source = NULL, *value = NULL, *place = NULL, *statement = NULL;

  heddle_cuda_line (self, "// save %s", buffer->name);
  open_points (self, buffer);
  offset = global_offset (self, buffer);
  source = g_strdup_printf ("%s[i]", heddle_names_buffer (self->names, node->buffer));
  value = from_dtype (self, buffer->dtype, source);
  place = g_strdup_printf ("%s[%s]", heddle_names_value (self->names, buffer->value), offset);
  statement = to_dtype (self, dtype, place, value);
  heddle_cuda_line (self, "%s", statement);
  close_points (self);
}

/* --- compute --- */

static const char *
argument_text (guint i, gpointer data)
{
  HeddleCudaKernel *self = data;

  return g_ptr_array_index (self->arguments, i);
}

static const char *
global_index_text (const char *axis, gpointer data)
{
  HeddleCudaKernel *self = data;
  const char *text = g_hash_table_lookup (self->indices, axis);

  g_assert (text != NULL);
  return text;
}

static HeddleCudaContext
context_of (HeddleCudaKernel *self)
{
  return (
      HeddleCudaContext){ self->names, self->wide, argument_text, global_index_text, self, self->sections };
}

/* The element of a source at the point: by its own axes, all of which the point has. */
static char *
plain_source (HeddleCudaKernel *self, guint buffer_index)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new ();
  g_autofree char *offset = NULL, *place = NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (indices, (gpointer) index_text (self, heddle_ids_index (buffer->axes, i)));
  offset = local_offset (self, buffer, (char **) indices->pdata);
  place = g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset);
  return from_dtype (self, buffer->dtype, place);
}

/* A reindexed source: index expressions, and what a read outside gives instead. */
static char *
reindexed_source (HeddleCudaKernel *self, guint buffer_index, const GPtrArray *expressions,
    const char *outside, GError **error)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL, *place = NULL, *value = NULL;
  HeddleCudaContext context = context_of (self);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      const HeddleExpr *expr = g_ptr_array_index (expressions, i);
      g_autofree char *whole = heddle_cuda_whole (&context, expr);

      if (whole == NULL)
        {
          g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
              _ ("an index is not a sum of whole multiples of indices and sizes"));
          return NULL;
        }
      if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_INDEX)
        g_string_append_printf (inside, "%s%s >= 0 && %s < %s", inside->len ? " && " : "", whole, whole,
            heddle_names_axis (self->names, axis));
      g_ptr_array_add (indices, extent_of (buffer, i) == HEDDLE_EXTENT_FULL
                                    ? g_strdup_printf ("(%s)", whole)
                                    : g_strdup_printf ("(%s - %s)", whole,
                                        heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN)));
    }
  offset = local_offset (self, buffer, (char **) indices->pdata);
  place = g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset);
  value = from_dtype (self, buffer->dtype, place);
  return inside->len ? g_strdup_printf ("(%s ? %s : %s)", inside->str, value, outside)
                     : g_steal_pointer (&value);
}

static gboolean
collect_arguments (HeddleCudaKernel *self, const HeddleNode *node, GError **error)
{
  HeddleCudaContext context = context_of (self);
  gboolean reduces = node->over != NULL && node->over->len > 0;
  g_autofree char *unit = heddle_cuda_unit (&context, reduces ? node->monoid : HEDDLE_MONOID_SUM);

  g_ptr_array_set_size (self->arguments, 0);
  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);
      const GPtrArray *indices = node->source_indices && i < node->source_indices->len
                                     ? g_ptr_array_index (node->source_indices, i)
                                     : NULL;
      char *text
          = indices ? reindexed_source (self, source, indices, unit, error) : plain_source (self, source);

      if (text == NULL)
        return FALSE;
      g_ptr_array_add (self->arguments, text);
    }
  return TRUE;
}

/* How much of a reduced axis is at hand: what the sources hold of it, else what the loops around say. */
static HeddleExtent
reduced_extent (HeddleCudaKernel *self, const HeddleNode *node, const char *axis)
{
  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      const HeddleBuffer *buffer
          = heddle_loop_program_get_buffer (self->program, g_array_index (node->sources, guint, i));
      int at = heddle_ids_find (buffer->axes, axis);

      if (at >= 0)
        return extent_of (buffer, at);
    }
  for (guint i = 0; i < self->bands->len; i++)
    {
      const HeddleNode *band = g_ptr_array_index (self->bands, i);

      if (band->axis == axis)
        return band->band == HEDDLE_BAND_STREAM ? HEDDLE_EXTENT_CHUNK : HEDDLE_EXTENT_TILE;
    }
  return HEDDLE_EXTENT_FULL;
}

/* acc = monoid over the reduced axes of the body. */
static gboolean
print_reduction (HeddleCudaKernel *self, const HeddleNode *node, GError **error)
{
  HeddleCudaContext context = context_of (self);
  g_autofree char *unit = heddle_cuda_unit (&context, node->monoid), *body = NULL, *combined = NULL;

  heddle_cuda_line (self, "%s acc = %s;", self->wide ? "double" : "float", unit);
  for (guint i = 0; i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);
      HeddleExtent extent = reduced_extent (self, node, axis);

      define_index (self, axis, extent);
      heddle_cuda_line (self, "for (int %s = 0; %s < %s; ++%s)", index_text (self, axis),
          index_text (self, axis), count_text (self, axis, extent), index_text (self, axis));
      self->depth++;
    }
  if (!collect_arguments (self, node, error))
    return FALSE;
  body = heddle_cuda_expr (&context, node->body);
  combined = heddle_cuda_combine (&context, node->monoid, "acc", body);
  heddle_cuda_line (self, node->monoid == HEDDLE_MONOID_SUM ? "acc += %s;" : "acc = %s;",
      node->monoid == HEDDLE_MONOID_SUM ? body : combined);
  self->depth -= node->over->len;
  return TRUE;
}

/* The comment above a statement: what it computes, with the names of the buffers. */
static char *
buffer_leaf (const HeddleExpr *leaf, gpointer data)
{
  HeddleCudaKernel *self = data;
  const char *symbol;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return g_strdup (heddle_loop_program_get_buffer (
          self->program, g_array_index (self->node->sources, guint, heddle_expr_get_operand (leaf)))
                           ->name);
    case HEDDLE_EXPR_SIZE:
      symbol = heddle_expr_get_symbol (leaf);
      return g_strdup (heddle_names_axis (self->names, symbol));
    case HEDDLE_EXPR_INDEX:
      symbol = heddle_expr_get_symbol (leaf);
      return g_strdup_printf ("index(%s)", heddle_names_axis (self->names, symbol));
    default:
      return NULL;
    }
}

static void
print_comment (HeddleCudaKernel *self, const HeddleNode *node)
{
  const char *name = heddle_loop_program_get_buffer (self->program, node->buffer)->name;
  g_autofree char *body = heddle_expr_to_string (node->body, buffer_leaf, self);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "// %s = ", name);
  if (node->accumulate && node->rescale != NULL)
    {
      g_autofree char *rescale = heddle_expr_to_string (node->rescale, buffer_leaf, self);

      g_string_append_printf (text, "%s * %s + ", rescale, name);
    }
  else if (node->accumulate)
    g_string_append_printf (text, "%s %s ", name,
        node->monoid == HEDDLE_MONOID_SUM ? "+" : heddle_monoid_to_string (node->monoid));
  if (node->over != NULL && node->over->len > 0)
    {
      g_string_append_printf (text, "%s over", heddle_monoid_to_string (node->monoid));
      for (guint i = 0; i < node->over->len; i++)
        g_string_append_printf (
            text, " %s", heddle_names_axis (self->names, heddle_ids_index (node->over, i)));
      g_string_append (text, " of ");
    }
  g_string_append (text, body);
  heddle_cuda_line (self, "%s", text->str);
}

static gboolean
print_compute (HeddleCudaKernel *self, const HeddleNode *node, GError **error)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  gboolean reduces = node->over != NULL && node->over->len > 0;
  HeddleCudaContext context = context_of (self);
  g_autofree char *value = NULL,
                  *place = g_strdup_printf ("%s[i]", heddle_names_buffer (self->names, node->buffer));
  g_autofree char *statement = NULL;

  print_comment (self, node);
  open_points (self, buffer);
  if (reduces && !print_reduction (self, node, error))
    return FALSE;
  if (!reduces || node->rescale != NULL)
    if (!collect_arguments (self, node, error))
      return FALSE;
  value = reduces ? g_strdup ("acc") : heddle_cuda_expr (&context, node->body);
  if (node->accumulate)
    {
      g_autofree char *old = from_dtype (self, buffer->dtype, place);
      g_autofree char *factor = node->rescale ? heddle_cuda_expr (&context, node->rescale) : NULL;
      g_autofree char *scaled = factor ? g_strdup_printf ("(%s) * %s", factor, old) : g_strdup (old);
      char *combined = heddle_cuda_combine (&context, node->monoid, scaled, value);

      g_free (value);
      value = combined;
    }
  statement = to_dtype (self, buffer->dtype, place, value);
  heddle_cuda_line (self, "%s", statement);
  close_points (self);
  return TRUE;
}

gboolean
heddle_cuda_statement (HeddleCudaKernel *self, const HeddleNode *node, GError **error)
{
  self->node = node;
  self->operation = node->operation;
  g_hash_table_remove_all (self->indices);
  heddle_cuda_line (self, "%s", "");
  if (node->kind == HEDDLE_NODE_COMPUTE)
    return print_compute (self, node, error);
  if (node->kind == HEDDLE_NODE_LOAD)
    print_load (self, node);
  else
    print_save (self, node);
  return TRUE;
}
