/* SPDX-License-Identifier: MIT */
#include "codegen/plan/merging.h"
#include "derive/cost/cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/memory-layout.h"
#include "derive/program/windows.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The bytes of shared memory that parts may take: several blocks still have room on a multiprocessor. */
#define MOST_BYTES 32768
/* The number of parts beyond which a thread goes through them one after another, whatever is loaded
 * together. */
#define MOST_PARTS 64

/* Returns the bytes that one part takes. */
static gint64
part_bytes (const HeddleLoopProgram *combine, const HeddleSizes *sizes)
{
  gint64 bytes = 0;

  for (guint i = 0; i < combine->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (combine, i);
      gint64 points = heddle_dtype_bytes (buffer->dtype);

      if (!heddle_ids_contain (buffer->axes, combine->parts))
        continue;
      for (guint k = 0; k < buffer->axes->len; k++)
        points *= heddle_ids_index (buffer->axes, k) == combine->parts
                      ? 1
                      : heddle_buffer_most (combine, sizes, buffer, k);
      bytes += points;
    }
  return bytes;
}

/* Returns @parts, or fewer where the merging kernel would hold more elements than the derived kernel is said
 * to hold. */
static gint64
parts_held (const HeddleLoopProgram *program, const HeddleSizes *sizes, gint64 parts)
{
  g_autoptr (HeddleCost) cost = heddle_cost_new (program, sizes, HEDDLE_COLUMNS_ALL);
  gint64 tiles[HEDDLE_MAX_GROUPS], own[HEDDLE_MAX_GROUPS], chunk, held;
  const HeddleCost *combine;

  heddle_cost_own_tiles (cost, tiles, &chunk);
  held = heddle_cost_memory (cost, tiles, chunk, FALSE);
  combine = heddle_cost_combine (cost, tiles, own);
  while (parts > 1 && heddle_cost_memory (combine, own, parts, FALSE) > held)
    parts--;
  return parts;
}

gint64
heddle_plan_parts_at_once (const HeddleLoopProgram *program, const HeddleSizes *sizes)
{
  const HeddleLoopProgram *combine;
  gint64 each, room;

  g_return_val_if_fail (program != NULL && program->combine != NULL && sizes != NULL, 1);

  combine = program->combine;
  each = MAX (part_bytes (combine, sizes), 1);
  room = MIN (heddle_loop_program_shared_bytes (program, sizes), MOST_BYTES);
  room = MAX ((room - heddle_loop_program_shared_bytes (combine, sizes)) / each, 0);
  return parts_held (
      program, sizes, MIN (MIN (1 + room, MOST_PARTS), MAX (heddle_sizes_get (sizes, combine->parts), 1)));
}

void
heddle_plan_widen_merging (HeddlePlan *plan)
{
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      const HeddleLoopProgram *combine = kernel->program != NULL ? kernel->program->combine : NULL;
      HeddleNode *stream = combine != NULL
                               ? heddle_loop_program_get_band (combine, combine->parts, HEDDLE_BAND_STREAM)
                               : NULL;
      g_autoptr (HeddleSizes) sizes
          = stream != NULL ? heddle_loop_program_own_sizes (kernel->program, plan->sizes) : NULL;

      if (stream != NULL && stream->size == 1)
        stream->size = heddle_plan_parts_at_once (kernel->program, sizes);
    }
}
