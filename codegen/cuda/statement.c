/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/forms.h"
#include "codegen/cuda/lanes.h"
#include "codegen/cuda/piece-load.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-product.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/statement.h"
#include "codegen/cuda/text.h"
#include "codegen/cuda/window.h"
#include "derive/region/region.h"
#include "diagram/graph/diagram.h"

/* --- load and save --- */

static void
print_elements (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *offset = NULL, *place = NULL;
  HeddleCudaText *before;

  before = heddle_cuda_points_begin (self, buffer);
  offset = heddle_cuda_global_offset (self, buffer, FALSE);
  place = heddle_cuda_element (self, node->buffer);
  heddle_cuda_line (self, "%s = %s[%s];", place, heddle_names_value (self->names, buffer->value), offset);
  heddle_cuda_points_end (self, buffer, before);
}

static void
print_batches (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *offset = NULL, *place = NULL, *source = NULL;

  heddle_cuda_define_points (self, buffer);
  offset = heddle_cuda_global_offset (self, buffer, FALSE);
  place = heddle_cuda_element (self, node->buffer);
  source = g_strdup_printf ("%s[%s]", heddle_names_value (self->names, buffer->value), offset);
  heddle_cuda_print_in_batches (self, buffer, place, source, NULL, NULL);
}

static void
print_load (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);

  heddle_cuda_line (self, "// load %s", buffer->name);
  heddle_cuda_print_windows (self, buffer);
  if (heddle_cuda_loads_pieces (self, node))
    heddle_cuda_print_pieces (self, node, print_elements);
  else if (heddle_cuda_reads_in_batches (self, buffer, FALSE))
    print_batches (self, node);
  else
    print_elements (self, node);
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
  value = heddle_cuda_from_dtype (self, buffer->dtype, source);
  place = g_strdup_printf ("%s[%s]", heddle_names_value (self->names, saved), offset);
  statement = heddle_cuda_to_dtype (self, dtype, place, value);
  heddle_cuda_line (self, "%s", statement);
  heddle_cuda_points_end (self, buffer, before);
}

/* --- compute --- */

static gboolean
is_reduction (const HeddleNode *node)
{
  return node->over != NULL && node->over->len > 0;
}

/* Prints acc = monoid over the reduced axes of the body; terms read outside their arrays are left out. @lanes
 * is the axis whose terms the lanes of a warp share, or NULL. */
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

/* Returns the former value, rescaled, joined with the new one: delta[i_y] * o[at] + acc. */
static char *
accumulated (HeddleCudaKernel *self, const HeddleNode *node, const char *place, const char *value)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *old = heddle_cuda_from_dtype (self, buffer->dtype, place);
  g_autofree char *factor = NULL, *scaled = NULL;

  if (node->rescale == NULL)
    return heddle_cuda_combine (&context, node->monoid, old, value);
  factor = heddle_cuda_factor (&context, node->rescale);
  scaled = g_strdup_printf ("%s * %s", factor, old);
  return heddle_cuda_combine (&context, node->monoid, scaled, value);
}

/* Returns the body at the point; 0 where it is read outside its array. */
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

/* Returns whether the buffer is first written here: its window is that of the loops around, and holds in
 * those within. */
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
  if (heddle_register_tiles_follow (self->tiles, node))
    return;
  heddle_cuda_barrier_before (self, node);
  self->operation = node->operation;
  heddle_cuda_line (self, "%s", "");
  if (heddle_register_tiles_get (self->tiles, node) != NULL)
    heddle_cuda_print_product (self, node);
  else if (heddle_cuda_begins_product (self, node))
    heddle_cuda_print_product_begin (self, node);
  else if (heddle_cuda_saves_product (self, node))
    heddle_cuda_print_product_save (self, node);
  else if (node->kind == HEDDLE_NODE_COMPUTE && node->form != HEDDLE_COMPUTE_FOLD)
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
