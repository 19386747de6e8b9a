/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/forms.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/lanes.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/statement.h"
#include "codegen/cuda/text.h"
#include "codegen/cuda/window.h"
#include "derive/index/extent.h"
#include "derive/index/interval.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* --- elements --- */

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

/* An element as a value of the computing type. */
static char *
from_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place)
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

/* --- load and save --- */

static void
print_load (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *offset = NULL, *place = NULL;
  HeddleCudaText *before;

  heddle_cuda_line (self, "// load %s", buffer->name);
  heddle_cuda_print_windows (self, buffer);
  before = heddle_cuda_points_begin (self, buffer);
  offset = heddle_cuda_global_offset (self, buffer, FALSE);
  place = heddle_cuda_element (self, node->buffer);
  heddle_cuda_line (self, "%s = %s[%s];", place, heddle_names_value (self->names, buffer->value), offset);
  heddle_cuda_points_end (self, buffer, before);
}

static void
print_save (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  const char *saved = node->partial != NULL ? node->partial : buffer->value;
  HeddleDtype dtype = heddle_diagram_dtype (self->diagram, saved, self->dtype);
  g_autofree char *offset = NULL, *source = NULL, *value = NULL, *place = NULL, *statement = NULL;
  HeddleCudaText *before;

  heddle_cuda_line (self, "// save %s", heddle_names_value (self->names, saved));
  before = heddle_cuda_points_begin (self, buffer);
  offset = heddle_cuda_global_offset (self, buffer, node->partial != NULL);
  source = heddle_cuda_element (self, node->buffer);
  value = from_dtype (self, buffer->dtype, source);
  place = g_strdup_printf ("%s[%s]", heddle_names_value (self->names, saved), offset);
  statement = heddle_cuda_to_dtype (self, dtype, place, value);
  heddle_cuda_line (self, "%s", statement);
  heddle_cuda_points_end (self, buffer, before);
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

/* An element of whole numbers, as it is. */
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
    whole_text };
}

/* The element at @place of a source; where it is a whole number, also as it is. Takes @place. */
static char *
read_element (HeddleCudaKernel *self, const HeddleBuffer *buffer, char *place)
{
  gboolean whole = buffer->dtype == HEDDLE_DTYPE_I32 || buffer->dtype == HEDDLE_DTYPE_I64;
  char *value = from_dtype (self, buffer->dtype, place);

  g_ptr_array_add (self->wholes, whole ? g_strdup_printf ("(long long) %s", place) : NULL);
  g_free (place);
  return value;
}

/* The element of a source at the point: by its own axes, all of which the point has. */
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

/* What an index or a size may be: of an axis that is an argument no end is known. */
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

/* Along one axis of a reindexed source; appends to @inside what must hold for the read. */
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

/* A reindexed source; what must hold for the read goes into self->inside. */
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

static gboolean
is_reduction (const HeddleNode *node)
{
  return node->over != NULL && node->over->len > 0;
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

/* How much of a reduced axis is at hand: what the sources hold of it, else what the loops around say. */
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

/* acc = monoid over the reduced axes of the body; terms read outside their arrays are left out. @lanes: the axis whose terms the lanes of a warp
 * share out, or NULL */
static void
print_reduction (HeddleCudaKernel *self, const HeddleNode *node, const char *lanes)
{
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *unit = heddle_cuda_unit (&context, node->monoid), *body = NULL, *combined = NULL;

  heddle_cuda_line (self, "%s acc = %s;", self->wide ? "double" : "float", unit);
  for (guint i = 0; i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);
      const char *index = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_INDEX);
      HeddleExtent extent = heddle_cuda_reduced_extent (self, axis);

      heddle_cuda_define_index (self, axis, extent);
      heddle_cuda_line (self,
          axis == lanes ? "for (int %s = threadIdx.x %% 32; %s < %s; %s += 32)"
                        : "for (int %s = 0; %s < %s; ++%s)",
          index, index, heddle_cuda_count (self, axis, extent), index);
      self->depth++;
    }
  heddle_cuda_collect_arguments (self, node);
  body = heddle_cuda_expr (&context, node->body);
  combined = heddle_cuda_accumulate (&context, node->monoid, body);
  if (self->inside->len > 0)
    heddle_cuda_line (self, "if (%s)", self->inside->str);
  heddle_cuda_line (self, "%s%s;", self->inside->len > 0 ? "  " : "", combined);
  self->depth -= node->over->len;
  if (lanes != NULL)
    heddle_cuda_join_lanes (self, node);
}

/* What was there, rescaled, and what came: delta[i_y] * o[at] + acc */
static char *
accumulated (HeddleCudaKernel *self, const HeddleNode *node, const char *place, const char *value)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *old = from_dtype (self, buffer->dtype, place);
  g_autofree char *factor = NULL, *scaled = NULL;

  if (node->rescale == NULL)
    return heddle_cuda_combine (&context, node->monoid, old, value);
  factor = heddle_cuda_factor (&context, node->rescale);
  scaled = g_strdup_printf ("%s * %s", factor, old);
  return heddle_cuda_combine (&context, node->monoid, scaled, value);
}

/* The body at the point; 0 where it would be read outside its array. */
static char *
pointwise (HeddleCudaKernel *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *body = NULL;

  heddle_cuda_collect_arguments (self, node);
  if (self->inside->len == 0 && !node->accumulate)
    return heddle_cuda_expr (&context, node->body);
  body = heddle_cuda_factor (&context, node->body);
  if (self->inside->len == 0)
    return g_steal_pointer (&body);
  return g_strdup_printf (node->accumulate ? "(%s ? %s : %s)" : "%s ? %s : %s", self->inside->str, body,
      self->wide ? "0.0" : "0.0f");
}

/* Whether the buffer is made here: its window is that of the loops around, and holds in those within. */
static gboolean
begins_buffer (const HeddleNode *node)
{
  for (guint i = 0; i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == node->buffer)
      return FALSE;
  return !node->accumulate;
}

static void
print_compute (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *value = NULL, *place = heddle_cuda_element (self, node->buffer), *statement = NULL;
  const char *lanes = is_reduction (node) ? heddle_cuda_lane_axis (self, node) : NULL;
  HeddleCudaText *before;

  heddle_cuda_statement_comment (self, node);
  self->by_warps = lanes != NULL;
  if (begins_buffer (node))
    heddle_cuda_print_windows (self, buffer);
  before = heddle_cuda_points_begin (self, buffer);
  if (is_reduction (node))
    print_reduction (self, node, lanes);
  value = is_reduction (node) ? g_strdup ("acc") : pointwise (self, node);
  if (node->accumulate)
    {
      char *sum = accumulated (self, node, place, value);

      g_free (value);
      value = sum;
    }
  statement = heddle_cuda_to_dtype (self, buffer->dtype, place, value);
  if (lanes != NULL)
    heddle_cuda_line (self, "if (threadIdx.x %% 32 == 0)");
  heddle_cuda_line (self, "%s%s", lanes != NULL ? "  " : "", statement);
  heddle_cuda_points_end (self, buffer, before);
  self->by_warps = FALSE;
}

void
heddle_cuda_statement (HeddleCudaKernel *self, const HeddleNode *node)
{
  self->node = node;
  heddle_cuda_barrier_before (self, node);
  self->operation = node->operation;
  heddle_cuda_line (self, "%s", "");
  if (node->kind == HEDDLE_NODE_COMPUTE && node->form != HEDDLE_COMPUTE_FOLD)
    heddle_cuda_print_form (self, node);
  else if (node->kind == HEDDLE_NODE_LOAD && node->at != NULL)
    heddle_cuda_print_gather (self, node);
  else if (node->kind == HEDDLE_NODE_COMPUTE)
    print_compute (self, node);
  else if (node->kind == HEDDLE_NODE_LOAD)
    print_load (self, node);
  else
    print_save (self, node);
}
