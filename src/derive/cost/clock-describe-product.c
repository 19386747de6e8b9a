/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-describe-private.h"
#include "derive/cost/clock-describe-product.h"
#include "derive/cost/clock-describe.h"
#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

#include <math.h>

/* Elements along the contracted axis in a step of a product, of two bytes each. */
#define PRODUCT_STEP 64
/* Registers beside the accumulators. */
#define OTHER_REGISTERS 56

static void
count_product_step (
    const HeddlePublished *point, HeddleClockKernel *kernel, double rows, double columns, double depth)
{
  double bytes = heddle_dtype_bytes (point->type), multicast = MAX (1u, kernel->cluster);
  gboolean group = heddle_clock_has_form (point, "wgmma-pair");
  /* A warpgroup reads 64 rows of one factor and all of the other, a warp 64 of both. */
  double read = group ? rows / 64. * (64. + columns) : rows * columns / 4096. * 128.;

  kernel->tensor_flops = 2. * rows * columns * depth;
  kernel->smem_bytes = read * depth * bytes;
  kernel->l2_bytes = (rows + columns / multicast) * depth * bytes;
  kernel->barriers = 1.;
  kernel->instructions = kernel->smem_bytes / 16. * (group ? 0. : 1.);
  kernel->instructions += group ? 0. : kernel->tensor_flops / HEDDLE_MMA_FLOPS * HEDDLE_MMA_THREADS;
}

/* As many stages as shared memory has room for, four at most; 0: not two. */
static guint
stages_of (const HeddleMachine *machine, double stage_bytes)
{
  int at = heddle_machine_find_level (machine, "smem");
  const HeddleLevel *smem = at >= 0 ? g_ptr_array_index (machine->levels, (guint) at) : NULL;
  double room = smem != NULL ? (double) smem->capacity_bytes : 0.;
  guint stages = (guint) MIN (4., floor (room / stage_bytes));

  return stages >= 2 ? stages : 0;
}

/* FALSE: such tiles have no room. */
static gboolean
set_product (const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self,
    guint rows, guint columns, guint split)
{
  HeddleClockKernel *kernel = &self->kernel;
  double bytes = heddle_dtype_bytes (point->type), depth = PRODUCT_STEP * 2. / bytes;
  double m = heddle_published_size (point, "m", 0.), n = heddle_published_size (point, "n", 0.);
  double k = heddle_published_size (point, "k", 0.), steps = ceil (ceil (k / depth) / split);
  gboolean group = heddle_clock_has_form (point, "wgmma-pair");
  double stage = ((double) rows + columns) * depth * bytes,
         store = split > 1 ? 4. : heddle_dtype_bytes (point->output);
  guint stages = stages_of (machine, stage);

  kernel->n_axes = 3;
  kernel->grid[0] = heddle_clock_tiles (n, columns);
  kernel->grid[1] = heddle_clock_tiles (m, rows);
  kernel->grid[2] = split;
  kernel->group_axis = 1;
  kernel->group = 8;
  kernel->cluster = group ? 2 : 0;
  kernel->mma = !group;
  kernel->kernels = split > 1 ? 2 : 1;
  kernel->threads = group ? 128 + 2 * rows : MAX (32u, rows * columns / 128);
  kernel->registers = group ? heddle_clock_shared_registers (kernel->threads)
                            : MIN (255u, rows * columns / kernel->threads + OTHER_REGISTERS);
  kernel->smem = (gint64) (stages * stage);
  kernel->flight_bytes = (stages - 1.) * stage;
  count_product_step (point, kernel, rows, columns, depth);
  kernel->n_arrays = 0;
  heddle_clock_add_array (kernel, rows * steps * depth * bytes, 2 | 4, FALSE);
  heddle_clock_add_array (kernel, columns * steps * depth * bytes, 1 | 4, FALSE);
  heddle_clock_add_array (kernel, (double) rows * columns * store, 1 | 2 | 4, TRUE);
  kernel->block_l2_bytes = (double) rows * columns * store * (split > 1 ? 2. : 1.);
  heddle_clock_set_steps (self, &steps, 1);
  self->flop = 2. * m * n * k;
  self->tile[0] = rows;
  self->tile[1] = columns;
  return stages > 0 && kernel->threads <= machine->max_threads_per_block
         && (group || heddle_clock_blocks_per_sm (kernel, machine) > 0);
}

/* A library chooses among its tiles; so does the clock. */
static void
choose_product (const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  static const guint rows[] = { 64, 128, 256 }, columns[] = { 64, 96, 128, 160, 192, 224, 256 };
  guint best[3] = { 128, 128, 1 };
  double least = INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
      for (guint split = 1; split <= 4 && rows[i] * columns[k] <= 32768; split *= 2)
        {
          HeddleClockTime time;

          if (!set_product (point, machine, self, rows[i], columns[k], split))
            continue;
          heddle_clock (&self->kernel, machine, &time);
          if (time.seconds >= least)
            continue;
          least = time.seconds;
          best[0] = rows[i];
          best[1] = columns[k];
          best[2] = split;
        }
  set_product (point, machine, self, best[0], best[1], best[2]);
}

void
heddle_clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  if (point->tile[0] > 0)
    set_product (point, machine, self, point->tile[0], point->tile[1], 1);
  else
    choose_product (point, machine, self);
}
