/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-describe-memory.h"
#include "derive/cost/clock-describe.h"
#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

#include <math.h>

/* Rows that are shorter share a block until it has so many bytes. */
#define LEAST_BLOCK_BYTES 8192.
/* One block does not take more of a row: clusters share longer ones. */
#define MOST_BLOCK_BYTES 65536.

/* What is done to each element: operations in f32, instructions in all, special functions; and reductions of a row. */
static const struct
{
  double fp32, instructions, special, reductions;
} row_work[HEDDLE_PUBLISHED_N_KINDS] = {
  [HEDDLE_PUBLISHED_ROW_SOFTMAX] = { 4., 6., 1., 2. },
  [HEDDLE_PUBLISHED_RMSNORM] = { 3., 5., 0., 1. },
  [HEDDLE_PUBLISHED_LAYERNORM] = { 5., 7., 0., 2. },
  [HEDDLE_PUBLISHED_MAP] = { 2., 4., 0., 0. },
};

/* Warps as Triton kernels of rows have them, by the elements of a block. */
static guint
row_threads (double elements)
{
  if (elements >= 32768.)
    return 1024;
  if (elements >= 8192.)
    return 512;
  return elements >= 2048. ? 256 : 128;
}

static void
describe_rows (const HeddlePublished *point, HeddleClockDescription *self)
{
  HeddleClockKernel *kernel = &self->kernel;
  double bytes = heddle_dtype_bytes (point->type), steps = 1.;
  double rows = heddle_published_size (point, "rows", 0.),
         columns = heddle_published_size (point, "columns", 0.);
  double elements = columns;

  if (!heddle_clock_has_form (point, "row-block"))
    elements = CLAMP (columns, LEAST_BLOCK_BYTES / bytes, MAX (LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES) / bytes);
  kernel->n_axes = 1;
  kernel->grid[0] = heddle_clock_tiles (rows * columns, elements);
  kernel->threads = row_threads (elements);
  kernel->registers = (guint) MIN (255., elements / kernel->threads + 24.);
  kernel->fp32_ops = row_work[point->kind].fp32 * elements;
  kernel->instructions = row_work[point->kind].instructions * elements;
  kernel->special_ops = row_work[point->kind].special * elements;
  kernel->block_barriers = row_work[point->kind].reductions;
  kernel->block_l2_bytes = 2. * elements * bytes;
  heddle_clock_add_array (kernel, elements * bytes, 1, FALSE);
  heddle_clock_add_array (kernel, elements * bytes, 1, TRUE);
  heddle_clock_set_steps (self, &steps, 1);
  self->bytes = 2. * rows * columns * bytes;
}

static void
describe_copy (const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  HeddleClockKernel *kernel = &self->kernel;
  gboolean reduce = point->kind == HEDDLE_PUBLISHED_REDUCE;
  double bytes = heddle_dtype_bytes (point->type), steps = 1.,
         elements = heddle_published_size (point, "elements", 0.);
  double threads = heddle_published_size (point, "threads", point->threads > 0 ? point->threads : 256.);
  double block = reduce ? 16. * threads : threads;
  int smem = heddle_machine_find_level (machine, "smem");

  kernel->n_axes = 1;
  kernel->grid[0] = heddle_clock_tiles (elements, block);
  kernel->threads = (guint) threads;
  kernel->registers = 32;
  kernel->instructions = 12. * threads + 2. * block;
  if (heddle_clock_has_form (point, "copy-block") && smem >= 0)
    kernel->smem = ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) smem))->capacity_bytes;
  kernel->block_l2_bytes = (reduce ? 1. : 2.) * block * bytes;
  heddle_clock_add_array (kernel, block * bytes, 1, FALSE);
  if (!reduce)
    heddle_clock_add_array (kernel, block * bytes, 1, TRUE);
  heddle_clock_set_steps (self, &steps, 1);
  self->bytes = (reduce ? 1. : 2.) * elements * bytes;
}

/* Blocks of 1,024 threads, each of which reads 512 KiB; so many that only the reads count. */
static void
describe_reread (const HeddlePublished *point, HeddleClockDescription *self)
{
  HeddleClockKernel *kernel = &self->kernel;
  double steps = 1., chunk = 524288., chunks = ceil (heddle_published_size (point, "bytes", 0.) / chunk);

  kernel->n_axes = 2;
  kernel->grid[0] = (guint64) chunks;
  kernel->grid[1] = (guint64) ceil (1e5 / chunks);
  kernel->threads = 1024;
  kernel->registers = 32;
  kernel->apart = TRUE;
  kernel->instructions = 3. * chunk / 8.;
  kernel->block_l2_bytes = chunk;
  heddle_clock_add_array (kernel, chunk, 1, FALSE);
  heddle_clock_set_steps (self, &steps, 1);
  self->bytes = chunk * chunks * (double) kernel->grid[1];
}

void
heddle_clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  if (point->kind == HEDDLE_PUBLISHED_REREAD)
    describe_reread (point, self);
  else if (point->kind == HEDDLE_PUBLISHED_COPY || point->kind == HEDDLE_PUBLISHED_REDUCE)
    describe_copy (point, machine, self);
  else
    describe_rows (point, self);
}
