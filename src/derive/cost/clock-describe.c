/* SPDX-License-Identifier: MIT */
#include "derive/cost/clock-describe-private.h"
#include "derive/cost/clock-describe.h"
#include "diagram/base/dtype.h"

#include <math.h>
#include <string.h>

/* Returns whether the kernel measured at @point has the form called @name, such as "fa3-pingpong". */
static gboolean
clock_has_form (const HeddlePublished *point, const char *name)
{
  return g_str_equal (point->form->name, name);
}

/* Copies the steps of the blocks into the description. */
static void
clock_set_steps (HeddleClockDescription *self, const double *steps, gsize n)
{
  g_free (self->steps);
  self->steps = g_memdup2 (steps, n * sizeof *steps);
  self->kernel.steps = self->steps;
  self->kernel.n_steps = n;
}

/* Adds an array to @kernel, of which one block reads (or writes, where @stored) @bytes. Bit i of @axes says
 * that blocks at different places along grid axis i take different tiles of it; further members of
 * HeddleClockArray are left 0. */
static void
clock_add_array (HeddleClockKernel *kernel, double bytes, guint axes, gboolean stored)
{
  g_assert (kernel->n_arrays < HEDDLE_CLOCK_ARRAYS);

  kernel->arrays[kernel->n_arrays++] = (HeddleClockArray){ bytes, axes, stored };
}

/* Returns how many tiles of @tile elements cover an axis of @size elements, the last one perhaps ragged. */
static guint64
clock_tiles (double size, double tile)
{
  return (guint64) ceil (size / tile);
}

/* Returns how many registers a thread may have, at most 255, where the warpgroups of a block of @threads
 * divide those of an SM among themselves (setmaxnreg), in steps of 8. */
static guint
clock_shared_registers (guint threads)
{
  return MIN (255u, 65536 / threads / 8 * 8);
}

/* --- attention ---------------------------------------------------------------------------- */

/* Counts the softmax of a step: of each score a multiply-subtract, a maximum, an exponential, a sum and half
 * of a conversion; and the rescaling of the output. */
static void
count_softmax (HeddleClockKernel *kernel, double rows, double columns, double value)
{
  kernel->special_ops = rows * columns;
  kernel->fp32_ops = 3. * rows * columns + rows * value;
  kernel->instructions = kernel->fp32_ops + 1.5 * rows * columns;
}

static void
count_products (
    const HeddlePublished *point, HeddleClockKernel *kernel, double rows, double columns, double wide)
{
  double bytes = heddle_dtype_bytes (point->type);
  gboolean warps = kernel->mma;
  double readers = warps ? kernel->threads / HEDDLE_MMA_THREADS : ceil (rows / 64.);

  kernel->tensor_flops = 2. * rows * columns * wide;
  kernel->smem_bytes = readers * columns * wide * bytes;
  kernel->l2_bytes = columns * wide * bytes / MAX (1u, kernel->cluster);
  if (warps)
    kernel->instructions
        += kernel->tensor_flops / HEDDLE_MMA_FLOPS * HEDDLE_MMA_THREADS + kernel->smem_bytes / 16.;
}

static void
describe_attention (const HeddlePublished *point, HeddleClockDescription *self)
{
  HeddleClockKernel *kernel = &self->kernel;
  double bytes = heddle_dtype_bytes (point->type), head = heddle_published_size (point, "head", 0.);
  double queries = heddle_published_size (point, "queries", 0.),
         keys = heddle_published_size (point, "keys", 0.);
  double rows = point->tile[0] > 0 ? point->tile[0] : 128., columns = point->tile[1];
  double heads = heddle_published_size (point, "batch", 0.) * heddle_published_size (point, "heads", 0.);
  g_autofree double *steps = NULL;

  if (columns <= 0.)
    columns = head > 128. ? 64. : 128.;
  kernel->n_axes = 2;
  kernel->grid[0] = clock_tiles (queries, rows);
  kernel->grid[1] = (guint64) heads;
  kernel->threads = point->threads > 0 ? point->threads : 256;
  kernel->registers = MIN (255u, clock_shared_registers (kernel->threads));
  kernel->smem = (gint64) ((rows + 2. * columns) * head * bytes);
  kernel->barriers = 2.;
  kernel->mma = clock_has_form (point, "fa2-mma");
  count_softmax (kernel, rows, columns, head);
  count_products (point, kernel, rows, columns, 2. * head);
  kernel->block_l2_bytes = 2. * rows * head * bytes;
  clock_add_array (kernel, rows * head * bytes, 3, FALSE);
  clock_add_array (kernel, 2. * keys * head * bytes, 2, FALSE);
  clock_add_array (kernel, rows * head * bytes, 3, TRUE);
  steps = g_new (double, kernel->grid[0]);
  for (guint64 i = 0; i < kernel->grid[0]; i++)
    steps[i] = (double) clock_tiles (point->causal ? MIN (keys, (double) (i + 1) * rows) : keys, columns);
  clock_set_steps (self, steps, point->causal ? kernel->grid[0] : 1);
  self->flop = 4. * heads * queries * keys * head / (point->causal ? 2. : 1.);
}

/* Splits along the keys are dealt out so that each SM has as much; a second kernel merges them. Latent
 * attention has its values within its keys. */
static void
describe_decode (const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  HeddleClockKernel *kernel = &self->kernel;
  double bytes = heddle_dtype_bytes (point->type);
  double batch = heddle_published_size (point, "batch", 0.), keys = heddle_published_size (point, "keys", 0.);
  double groups = heddle_published_size (point, "kv_heads", 1.);
  double head = heddle_published_size (point, "head", 0.), value = heddle_published_size (point, "value", 0.);
  double queries
      = heddle_published_size (point, "queries", 0.) * heddle_published_size (point, "heads", 0.) / groups;
  double rows = point->tile[0] > 0 ? point->tile[0] : 64.,
         columns = point->tile[1] > 0 ? point->tile[1] : 64.;
  double stored = head > value ? head : head + value;
  double steps = batch * groups * ceil (queries / rows) * ceil (keys / columns) / machine->sms;

  kernel->n_axes = 1;
  kernel->grid[0] = machine->sms;
  kernel->threads = point->threads > 0 ? point->threads : 256;
  kernel->smem = (gint64) ((rows * head + 2. * columns * stored) * bytes);
  kernel->barriers = 2.;
  kernel->kernels = 2;
  count_softmax (kernel, rows, columns, value);
  count_products (point, kernel, rows, columns, head + value);
  kernel->l2_bytes = columns * stored * bytes;
  kernel->flight_bytes = columns * stored * bytes;
  clock_add_array (kernel, steps * kernel->l2_bytes / ceil (queries / rows), 1, FALSE);
  clock_add_array (kernel, 2. * rows * value * 4., 1, TRUE);
  clock_set_steps (self, &steps, 1);
  self->flop = 2. * batch * groups * queries * keys * (head + value);
  self->bytes = batch * groups * keys * stored * bytes;
}

static void clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);
static void clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

void
heddle_clock_describe (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *description)
{
  g_return_if_fail (point != NULL && machine != NULL && description != NULL);

  memset (description, 0, sizeof *description);
  description->kernel.form = point->form;
  description->kernel.type = point->type;
  description->kernel.start = point->start;
  description->kernel.kernels = 1;
  description->kernel.smem_conflict = 1.;
  description->kernel.cluster = point->cluster;
  if (point->kind == HEDDLE_PUBLISHED_PRODUCT)
    clock_describe_product (point, machine, description);
  else if (point->kind == HEDDLE_PUBLISHED_ATTENTION)
    describe_attention (point, description);
  else if (point->kind == HEDDLE_PUBLISHED_DECODE)
    describe_decode (point, machine, description);
  else
    clock_describe_memory (point, machine, description);
}

void
heddle_clock_description_clear (HeddleClockDescription *self)
{
  g_clear_pointer (&self->steps, g_free);
}

double
heddle_clock_in_unit (const HeddlePublished *point, const HeddleClockDescription *description, double seconds)
{
  g_return_val_if_fail (point != NULL && description != NULL && seconds > 0., 0.);

  if (point->unit == HEDDLE_PUBLISHED_TFLOPS)
    return description->flop / seconds / 1e12;
  return point->unit == HEDDLE_PUBLISHED_GBS ? description->bytes / seconds / 1e9 : seconds;
}

/* The least bytes of a block; rows that are shorter share one. */
#define LEAST_BLOCK_BYTES 8192.
/* One block does not take more of a row: clusters share longer ones. */
#define MOST_BLOCK_BYTES 65536.

/* The work of each element: operations in f32, instructions in all, special functions; and the reductions of
 * a row. */
static const struct
{
  double fp32, instructions, special, reductions;
} row_work[HEDDLE_PUBLISHED_N_KINDS] = {
  [HEDDLE_PUBLISHED_ROW_SOFTMAX] = { 4., 6., 1., 2. },
  [HEDDLE_PUBLISHED_RMSNORM] = { 3., 5., 0., 1. },
  [HEDDLE_PUBLISHED_LAYERNORM] = { 5., 7., 0., 2. },
  [HEDDLE_PUBLISHED_MAP] = { 2., 4., 0., 0. },
};

/* Returns the number of threads that Triton's kernels of rows have, by the elements of a block. */
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

  if (!clock_has_form (point, "row-block"))
    elements = CLAMP (columns, LEAST_BLOCK_BYTES / bytes, MAX (LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES) / bytes);
  kernel->n_axes = 1;
  kernel->grid[0] = clock_tiles (rows * columns, elements);
  kernel->threads = row_threads (elements);
  kernel->registers = (guint) MIN (255., elements / kernel->threads + 24.);
  kernel->fp32_ops = row_work[point->kind].fp32 * elements;
  kernel->instructions = row_work[point->kind].instructions * elements;
  kernel->special_ops = row_work[point->kind].special * elements;
  kernel->block_barriers = row_work[point->kind].reductions;
  kernel->block_l2_bytes = 2. * elements * bytes;
  clock_add_array (kernel, elements * bytes, 1, FALSE);
  clock_add_array (kernel, elements * bytes, 1, TRUE);
  clock_set_steps (self, &steps, 1);
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
  kernel->grid[0] = clock_tiles (elements, block);
  kernel->threads = (guint) threads;
  kernel->registers = 32;
  kernel->instructions = 12. * threads + 2. * block;
  if (clock_has_form (point, "copy-block") && smem >= 0)
    kernel->smem = ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) smem))->capacity_bytes;
  kernel->block_l2_bytes = (reduce ? 1. : 2.) * block * bytes;
  clock_add_array (kernel, block * bytes, 1, FALSE);
  if (!reduce)
    clock_add_array (kernel, block * bytes, 1, TRUE);
  clock_set_steps (self, &steps, 1);
  self->bytes = (reduce ? 1. : 2.) * elements * bytes;
}

/* Describes a kernel that only reads: blocks of 1,024 threads, each of which reads 512 KiB; there are so many
 * that only the reads count. */
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
  clock_add_array (kernel, chunk, 1, FALSE);
  clock_set_steps (self, &steps, 1);
  self->bytes = chunk * chunks * (double) kernel->grid[1];
}

/* Describes a kernel that DRAM or L2 bounds: maps, copies, reductions and kernels that go through rows. It
 * fills @self, whose steps the caller frees with heddle_clock_description_clear (). */
static void
clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  if (point->kind == HEDDLE_PUBLISHED_REREAD)
    describe_reread (point, self);
  else if (point->kind == HEDDLE_PUBLISHED_COPY || point->kind == HEDDLE_PUBLISHED_REDUCE)
    describe_copy (point, machine, self);
  else
    describe_rows (point, self);
}

/* The number of elements along the contracted axis in a step of a product, of two bytes each. */
#define PRODUCT_STEP 64
/* The number of registers beside the accumulators. */
#define OTHER_REGISTERS 56

static void
count_product_step (
    const HeddlePublished *point, HeddleClockKernel *kernel, double rows, double columns, double depth)
{
  double bytes = heddle_dtype_bytes (point->type), multicast = MAX (1u, kernel->cluster);
  gboolean group = clock_has_form (point, "wgmma-pair");
  /* A warpgroup reads 64 rows of one factor and all of the other, a warp 64 of both. */
  double read = group ? rows / 64. * (64. + columns) : rows * columns / 4096. * 128.;

  kernel->tensor_flops = 2. * rows * columns * depth;
  kernel->smem_bytes = read * depth * bytes;
  kernel->l2_bytes = (rows + columns / multicast) * depth * bytes;
  kernel->barriers = 1.;
  kernel->instructions = kernel->smem_bytes / 16. * (group ? 0. : 1.);
  kernel->instructions += group ? 0. : kernel->tensor_flops / HEDDLE_MMA_FLOPS * HEDDLE_MMA_THREADS;
}

/* Returns as many stages as shared memory has room for, four at most; 0 if there is not room for two. */
static guint
stages_of (const HeddleMachine *machine, double stage_bytes)
{
  int at = heddle_machine_find_level (machine, "smem");
  const HeddleLevel *smem = at >= 0 ? g_ptr_array_index (machine->levels, (guint) at) : NULL;
  double room = smem != NULL ? (double) smem->capacity_bytes : 0.;
  guint stages = (guint) MIN (4., floor (room / stage_bytes));

  return stages >= 2 ? stages : 0;
}

/* Describes a product with such tiles. Returns FALSE if there is no room for them. */
static gboolean
set_product (const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self,
    guint rows, guint columns, guint split)
{
  HeddleClockKernel *kernel = &self->kernel;
  double bytes = heddle_dtype_bytes (point->type), depth = PRODUCT_STEP * 2. / bytes;
  double m = heddle_published_size (point, "m", 0.), n = heddle_published_size (point, "n", 0.);
  double k = heddle_published_size (point, "k", 0.), steps = ceil (ceil (k / depth) / split);
  gboolean group = clock_has_form (point, "wgmma-pair");
  double stage = ((double) rows + columns) * depth * bytes,
         store = split > 1 ? 4. : heddle_dtype_bytes (point->output);
  guint stages = stages_of (machine, stage);

  kernel->n_axes = 3;
  kernel->grid[0] = clock_tiles (n, columns);
  kernel->grid[1] = clock_tiles (m, rows);
  kernel->grid[2] = split;
  kernel->group_axis = 1;
  kernel->group = 8;
  kernel->cluster = group ? 2 : 0;
  kernel->mma = !group;
  kernel->kernels = split > 1 ? 2 : 1;
  kernel->threads = group ? 128 + 2 * rows : MAX (32u, rows * columns / 128);
  kernel->registers = group ? clock_shared_registers (kernel->threads)
                            : MIN (255u, rows * columns / kernel->threads + OTHER_REGISTERS);
  kernel->smem = (gint64) (stages * stage);
  kernel->flight_bytes = (stages - 1.) * stage;
  count_product_step (point, kernel, rows, columns, depth);
  kernel->n_arrays = 0;
  clock_add_array (kernel, rows * steps * depth * bytes, 2 | 4, FALSE);
  clock_add_array (kernel, columns * steps * depth * bytes, 1 | 4, FALSE);
  clock_add_array (kernel, (double) rows * columns * store, 1 | 2 | 4, TRUE);
  kernel->block_l2_bytes = (double) rows * columns * store * (split > 1 ? 2. : 1.);
  clock_set_steps (self, &steps, 1);
  self->flop = 2. * m * n * k;
  self->tile[0] = rows;
  self->tile[1] = columns;
  return stages > 0 && kernel->threads <= machine->max_threads_per_block
         && (group || heddle_clock_blocks_per_sm (kernel, machine) > 0);
}

/* Chooses the fastest tiles of a product, as a library does. */
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

/* Describes a matrix product with the tile that @point gives; if it gives none, with the tile that the clock
 * finds fastest on @machine. It fills @self, whose steps the caller frees with heddle_clock_description_clear
 * (). */
static void
clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self)
{
  if (point->tile[0] > 0)
    set_product (point, machine, self, point->tile[0], point->tile[1], 1);
  else
    choose_product (point, machine, self);
}
