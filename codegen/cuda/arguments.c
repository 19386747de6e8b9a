/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/points.h"
#include "derive/index/interval.h"
#include "diagram/analysis/sizes.h"

char *
heddle_cuda_to_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place, const char *value)
{
  const char *load, *store;

  if (heddle_cuda_packed (dtype, &load, &store))
    {
      g_hash_table_add (self->sections, (gpointer) store);
      return g_strdup_printf ("store (&%s, %s);", place, value);
    }
  if (dtype == HEDDLE_DTYPE_BOOL)
    return g_strdup_printf ("%s = (%s) != 0;", place, value);
  if (!heddle_dtype_is_real (dtype))
    return g_strdup_printf ("%s = %s (%s);", place, dtype == HEDDLE_DTYPE_I32 ? "int" : "(long long)", value);
  return g_strdup_printf ("%s = %s;", place, value);
}

char *
heddle_cuda_from_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place)
{
  const char *type = self->wide ? "double" : "float";
  const char *load, *store;

  if (heddle_cuda_packed (dtype, &load, &store))
    {
      g_hash_table_add (self->sections, (gpointer) load);
      return g_strdup_printf (self->wide ? "double (load (%s))" : "load (%s)", place);
    }
  if (strcmp (heddle_cuda_type (dtype), type) != 0)
    return g_strdup_printf ("%s (%s)", type, place);
  return g_strdup (place);
}

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

/* Returns an element of whole numbers, unconverted. */
static const char *
whole_text (guint i, gpointer data)
{
  HeddleCudaKernel *self = data;

  return g_ptr_array_index (self->wholes, i);
}

HeddleCudaContext
heddle_cuda_context (HeddleCudaKernel *self)
{
  return (HeddleCudaContext){ self->names, self->wide, argument_text, global_index_text, self, self->sections,
    whole_text, self->coarse && !self->wide, NULL };
}

/* Returns the element at @place of a source; a whole number is also kept unconverted. Takes @place. */
static char *
read_element (HeddleCudaKernel *self, const HeddleBuffer *buffer, char *place)
{
  gboolean whole = buffer->dtype == HEDDLE_DTYPE_I32 || buffer->dtype == HEDDLE_DTYPE_I64;
  char *value = heddle_cuda_from_dtype (self, buffer->dtype, place);

  g_ptr_array_add (self->wholes, whole ? g_strdup_printf ("(long long) %s", place) : NULL);
  g_free (place);
  return value;
}

/* Returns the element of a source at the point: by its own axes, all of which the point has. */
static char *
plain_source (HeddleCudaKernel *self, guint buffer_index)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *offset = NULL;

  if (heddle_buffer_same_points (buffer, self->points))
    return read_element (self, buffer, heddle_cuda_element (self, buffer_index));
  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (indices, heddle_cuda_index_in (self, buffer, i));
  offset = heddle_cuda_offset (self, buffer, indices);
  return read_element (
      self, buffer, g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset));
}

/* Returns the values that an index or a size may have; an axis whose size is an argument has no known end. */
static HeddleInterval
leaf_range (const HeddleExpr *leaf, gpointer data)
{
  const HeddleCudaKernel *self = data;
  gboolean index = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX;
  double n = INFINITY;

  if (!index && heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE)
    return heddle_interval_all;
  if (!heddle_cuda_axis_at_run_time (self->program, heddle_expr_get_symbol (leaf)))
    n = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (leaf));
  return (HeddleInterval){ index ? 0 : (isinf (n) ? 1 : n), index ? n - 1 : n };
}

void
heddle_cuda_guard_index (
    HeddleCudaKernel *self, const HeddleExpr *index, const char *axis, const char *text, GString *inside)
{
  HeddleInterval range = heddle_interval_of (index, leaf_range, self);
  const char *size = heddle_names_axis (self->names, axis);

  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (index) == axis)
    return;
  if (!(range.from >= 0))
    g_string_append_printf (inside, "%s%s >= 0", inside->len > 0 ? " && " : "", text);
  if (heddle_cuda_axis_at_run_time (self->program, axis)
      || !(range.to <= (double) heddle_sizes_get (self->sizes, axis) - 1))
    g_string_append_printf (inside, "%s%s < %s", inside->len > 0 ? " && " : "", text, size);
}

/* Returns the index along one axis of a reindexed source; appends to @inside what must hold for the read. */
static char *
reindexed (
    HeddleCudaKernel *self, const HeddleExpr *expr, const HeddleBuffer *buffer, guint i, GString *inside)
{
  const char *axis = heddle_ids_index (buffer->axes, i);
  HeddleExtent extent = heddle_buffer_extent (buffer, i);
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *whole = heddle_cuda_whole (&context, expr);

  heddle_cuda_guard_index (self, expr, axis, whole, inside);
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (expr) == axis)
    return heddle_cuda_index_in (self, buffer, i);
  if (extent == HEDDLE_EXTENT_FULL)
    return g_steal_pointer (&whole);
  if (extent == HEDDLE_EXTENT_WINDOW)
    return g_strdup_printf ("%s - %s", whole, heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN));
  return g_strdup_printf ("%s - %s", whole, heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN));
}

/* Returns a reindexed source; what must hold for the read goes into self->inside. */
static char *
reindexed_source (HeddleCudaKernel *self, guint buffer_index, const GPtrArray *expressions)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *offset = NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (indices, reindexed (self, g_ptr_array_index (expressions, i), buffer, i, self->inside));
  offset = heddle_cuda_offset (self, buffer, indices);
  return read_element (
      self, buffer, g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset));
}

void
heddle_cuda_collect_arguments (HeddleCudaKernel *self, const HeddleNode *node)
{
  g_ptr_array_set_size (self->arguments, 0);
  g_ptr_array_set_size (self->wholes, 0);
  g_string_truncate (self->inside, 0);
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);
      const GPtrArray *indices = g_ptr_array_index (node->source_indices, i);

      g_ptr_array_add (
          self->arguments, indices ? reindexed_source (self, source, indices) : plain_source (self, source));
    }
}

/* Returns how much of a reduced axis is present: as much as the sources hold of it, else what the loops
 * around say. */
HeddleExtent
heddle_cuda_reduced_extent (HeddleCudaKernel *self, const char *axis)
{
  for (guint i = 0; i < self->bands->len; i++)
    {
      const HeddleNode *band = g_ptr_array_index (self->bands, i);

      if (band->axis == axis && band->band == HEDDLE_BAND_STREAM)
        return HEDDLE_EXTENT_CHUNK;
    }
  return HEDDLE_EXTENT_FULL;
}
