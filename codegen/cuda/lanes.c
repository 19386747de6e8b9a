/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/lanes.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "derive/region/region.h"

/* This file prints reductions that have fewer results than a block has threads: a warp goes through the terms
 * of each, lane by lane, side by side in memory. That is faster than one thread for each, and the sum of 32
 * sums is more exact than one long sum. */

#define LANES 32

static gint64
extent_of (const HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  return heddle_loop_program_extent (self->program, self->sizes, axis, extent);
}

/* Returns the axis for the lanes: of those that are long enough the last one, which lies closest in
 * memory. */
const char *
heddle_cuda_lane_axis (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  gint64 points = 1;

  if (node->kind != HEDDLE_NODE_COMPUTE || node->form != HEDDLE_COMPUTE_FOLD || node->over == NULL)
    return NULL;
  for (guint i = 0; i < buffer->axes->len && points < self->threads; i++)
    points *= extent_of (self, heddle_ids_index (buffer->axes, i), heddle_buffer_extent (buffer, i));
  for (guint i = node->over->len; points < self->threads && i-- > 0;)
    {
      const char *axis = heddle_ids_index (node->over, i);

      if (extent_of (self, axis, heddle_cuda_reduced_extent (self, axis)) >= LANES)
        return axis;
    }
  return NULL;
}

void
heddle_cuda_join_lanes (HeddleCudaKernel *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self);
  const char *type = self->wide ? "double" : "float";
  g_autofree char *joined = heddle_cuda_combine (&context, node->monoid, "acc", "other");

  heddle_cuda_line (self, "for (int step = %d; step > 0; step /= 2)", LANES / 2);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  heddle_cuda_line (self, "const %s other = __shfl_xor_sync (0xffffffff, acc, step);", type);
  heddle_cuda_line (self, "acc = %s;", joined);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}
