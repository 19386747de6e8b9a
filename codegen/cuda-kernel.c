/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdarg.h>

#include "codegen/cuda-kernel.h"

static const char *const types[HEDDLE_N_DTYPES] = {
  [HEDDLE_DTYPE_F64] = "double",
  [HEDDLE_DTYPE_F32] = "float",
  [HEDDLE_DTYPE_TF32] = "float",
  [HEDDLE_DTYPE_F16] = "f16",
  [HEDDLE_DTYPE_BF16] = "bf16",
  [HEDDLE_DTYPE_I64] = "long long",
  [HEDDLE_DTYPE_I32] = "int",
  [HEDDLE_DTYPE_BOOL] = "bool",
};

const char *
heddle_cuda_type (HeddleDtype dtype)
{
  return types[dtype];
}

gboolean
heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis)
{
  if (heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) == NULL
      && heddle_loop_program_get_band (program, axis, HEDDLE_BAND_STREAM) == NULL)
    return FALSE;
  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      int at = heddle_ids_find (buffer->axes, axis);

      if (at >= 0 && g_array_index (buffer->extents, HeddleExtent, at) == HEDDLE_EXTENT_FULL)
        return FALSE;
    }
  return TRUE;
}

GArray *
heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (heddle_cuda_axis_at_run_time (program, axis->id))
        heddle_ids_append (axes, axis->id);
    }
  return axes;
}

void
heddle_cuda_line (HeddleCudaKernel *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  for (guint i = 0; i < self->depth && *text != '\0'; i++)
    g_string_append (self->out, "  ");
  g_string_append_printf (self->out, "%s\n", text);
  g_ptr_array_add (self->lines, (gpointer) self->operation);
}

/* --- constants --- */

static gboolean
program_uses_axis (const HeddleNode *node, const char *axis)
{
  if (node->kind == HEDDLE_NODE_BAND)
    {
      for (guint i = 0; i < node->children->len; i++)
        if (program_uses_axis (g_ptr_array_index (node->children, i), axis))
          return TRUE;
      return FALSE;
    }
  if ((node->body != NULL && (heddle_expr_uses (node->body, HEDDLE_EXPR_SIZE, axis)))
      || (node->rescale != NULL && heddle_expr_uses (node->rescale, HEDDLE_EXPR_SIZE, axis))
      || (node->over != NULL && heddle_ids_contain (node->over, axis)))
    return TRUE;
  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    {
      const GPtrArray *indices = g_ptr_array_index (node->source_indices, i);

      for (guint j = 0; indices != NULL && j < indices->len; j++)
        if (heddle_expr_uses (g_ptr_array_index (indices, j), HEDDLE_EXPR_SIZE, axis))
          return TRUE;
    }
  return FALSE;
}

static gboolean
buffers_use_axis (const HeddleLoopProgram *program, const char *axis)
{
  for (guint i = 0; i < program->buffers->len; i++)
    if (heddle_ids_contain (heddle_loop_program_get_buffer (program, i)->axes, axis))
      return TRUE;
  return FALSE;
}

gboolean
heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis)
{
  return !heddle_cuda_axis_at_run_time (program, axis)
         && (buffers_use_axis (program, axis) || program_uses_axis (program->root, axis));
}

static void
print_axis_constants (HeddleCudaKernel *self, const HeddleAxis *axis)
{
  const HeddleNode *group = heddle_loop_program_get_band (self->program, axis->id, HEDDLE_BAND_GROUP);
  const HeddleNode *stream = heddle_loop_program_get_band (self->program, axis->id, HEDDLE_BAND_STREAM);

  if (heddle_cuda_axis_is_fixed (self->program, axis->id))
    heddle_cuda_line (self, "  constexpr long long %s = %" G_GINT64_FORMAT ";",
        heddle_names_axis (self->names, axis->id), heddle_sizes_get (self->sizes, axis->id));
  if (group != NULL)
    heddle_cuda_line (self, "  constexpr int %s = %" G_GINT64_FORMAT ";",
        heddle_names_of_axis (self->names, axis->id, HEDDLE_NAME_TILE), group->size);
  if (stream != NULL)
    heddle_cuda_line (self, "  constexpr int %s = %" G_GINT64_FORMAT ";",
        heddle_names_of_axis (self->names, axis->id, HEDDLE_NAME_CHUNK), stream->size);
}

/* --- the function's head --- */

static gboolean
print_signature (HeddleCudaKernel *self, GError **error)
{
  g_autoptr (GArray) axes = heddle_cuda_run_time_axes (self->diagram, self->program);
  g_autoptr (GString) parameters = g_string_new (NULL);
  const GArray *lists[] = { self->program->inputs, self->program->outputs };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);
        HeddleDtype dtype = heddle_diagram_dtype (self->diagram, value, self->dtype);

        if (heddle_cuda_type (dtype) == NULL)
          {
            g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
                _ ("kernels of the general family do not hold %s arrays"), heddle_dtype_to_string (dtype));
            return FALSE;
          }
        if (dtype == HEDDLE_DTYPE_F16 || dtype == HEDDLE_DTYPE_BF16)
          g_hash_table_add (self->sections, (gpointer) heddle_cuda_type (dtype));
        g_string_append_printf (parameters, "%s%s%s *__restrict__ %s", parameters->len ? ", " : "",
            l == 0 ? "const " : "", heddle_cuda_type (dtype), heddle_names_value (self->names, value));
      }
  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (
        parameters, ", long long %s", heddle_names_axis (self->names, heddle_ids_index (axes, i)));
  heddle_cuda_line (self, "extern \"C\" __global__ void __launch_bounds__ (%u)", self->threads);
  heddle_cuda_line (self, "%s (%s)", self->entry, parameters->str);
  return TRUE;
}

static void
print_buffer (HeddleCudaKernel *self, guint i)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

  heddle_cuda_line (self, "%s *const %s = reinterpret_cast<%s *> (shared + %" G_GINT64_FORMAT ");%s%s",
      heddle_cuda_type (buffer->dtype), heddle_names_buffer (self->names, i),
      heddle_cuda_type (buffer->dtype), heddle_loop_program_buffer_offset (self->program, self->sizes, i),
      buffer->title ? "  // " : "", buffer->title ? buffer->title : "");
}

static gboolean
check_buffers (HeddleCudaKernel *self, GError **error)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

      if (heddle_cuda_type (buffer->dtype) == NULL)
        {
          g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
              _ ("kernels of the general family do not hold %s arrays"),
              heddle_dtype_to_string (buffer->dtype));
          return FALSE;
        }
      self->wide |= buffer->dtype == HEDDLE_DTYPE_F64 || buffer->dtype == HEDDLE_DTYPE_I64;
    }
  return TRUE;
}

/* --- bands --- */

static void
print_begin (HeddleCudaKernel *self, const char *axis, const char *tile)
{
  const char *size = heddle_names_axis (self->names, axis);
  const char *begin = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN);

  heddle_cuda_line (self, "const int %s = %s - %s < %s ? int (%s - %s) : %s;",
      heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT), size, begin, tile, size, begin, tile);
}

/* Which tile of each grouped axis this block has: the last grouped axis runs fastest. */
static void
print_groups (HeddleCudaKernel *self)
{
  if (self->bands->len > 1)
    heddle_cuda_line (self, "long long block = blockIdx.x;");
  for (guint i = self->bands->len; i-- > 0;)
    {
      const HeddleNode *band = g_ptr_array_index (self->bands, i);
      const char *size = heddle_names_axis (self->names, band->axis);
      const char *tile = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_TILE);
      const char *begin = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_BEGIN);

      if (self->bands->len == 1)
        heddle_cuda_line (self, "const long long %s = (long long) blockIdx.x * %s;", begin, tile);
      else if (i > 0)
        heddle_cuda_line (
            self, "const long long %s = block %% ((%s + %s - 1) / %s) * %s;", begin, size, tile, tile, tile);
      else
        heddle_cuda_line (self, "const long long %s = block * %s;", begin, tile);
      print_begin (self, band->axis, tile);
      if (i > 0)
        heddle_cuda_line (self, "block /= (%s + %s - 1) / %s;", size, tile, tile);
    }
}

static gboolean print_children (HeddleCudaKernel *self, const HeddleNode *band, GError **error);

static gboolean
print_stream (HeddleCudaKernel *self, const HeddleNode *band, GError **error)
{
  const char *begin = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_BEGIN);
  const char *size = heddle_names_axis (self->names, band->axis);
  const char *chunk = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_CHUNK);
  gboolean good;

  heddle_cuda_line (self, "%s", "");
  heddle_cuda_line (self, "for (long long %s = 0; %s < %s; %s += %s)", begin, begin, size, begin, chunk);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  print_begin (self, band->axis, chunk);
  g_ptr_array_add (self->bands, (gpointer) band);
  good = print_children (self, band, error);
  g_ptr_array_set_size (self->bands, self->bands->len - 1);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
  return good;
}

static gboolean
print_children (HeddleCudaKernel *self, const HeddleNode *band, GError **error)
{
  for (guint i = 0; i < band->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (band->children, i);
      gboolean good;

      self->operation = NULL;
      if (child->kind == HEDDLE_NODE_BAND)
        good = print_stream (self, child, error);
      else
        good = heddle_cuda_statement (self, child, error);
      self->operation = NULL;
      if (!good)
        return FALSE;
    }
  return TRUE;
}

/* The grid: a chain of group bands at the root. Returns the innermost band, below which no other group may be. */
static const HeddleNode *
collect_groups (HeddleCudaKernel *self)
{
  const HeddleNode *node = self->program->root;

  while (node->children->len == 1)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, 0);

      if (child->kind != HEDDLE_NODE_BAND || child->band != HEDDLE_BAND_GROUP)
        break;
      g_ptr_array_add (self->bands, (gpointer) child);
      node = child;
    }
  return node;
}

gboolean
heddle_cuda_kernel_print (HeddleCudaKernel *self, GError **error)
{
  const HeddleNode *inner;

  if (!check_buffers (self, error) || !print_signature (self, error))
    return FALSE;
  heddle_cuda_line (self, "{");
  for (guint i = 0; i < self->diagram->axes->len; i++)
    print_axis_constants (self, g_ptr_array_index (self->diagram->axes, i));
  self->depth = 1;
  heddle_cuda_line (self, "constexpr int THREADS = %u;", self->threads);
  heddle_cuda_line (self, "extern __shared__ __align__ (16) unsigned char shared[];");
  for (guint i = 0; i < self->program->buffers->len; i++)
    print_buffer (self, i);
  heddle_cuda_line (self, "%s", "");
  inner = collect_groups (self);
  print_groups (self);
  if (!print_children (self, inner, error))
    return FALSE;
  self->depth = 0;
  heddle_cuda_line (self, "}");
  return TRUE;
}
