/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-describe-memory.h"
#include "derive/cost/clock-describe-private.h"
#include "derive/cost/clock-describe-product.h"
#include "derive/cost/clock-describe.h"
#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

#include <math.h>
#include <string.h>

gboolean
heddle_clock_has_form (const HeddlePublished *point, const char *name)
{
  return g_str_equal (point->form->name, name);
}

void
heddle_clock_set_steps (HeddleClockDescription *self, const double *steps, gsize n)
{
  g_free (self->steps);
  self->steps = g_memdup2 (steps, n * sizeof *steps);
  self->kernel.steps = self->steps;
  self->kernel.n_steps = n;
}

void
heddle_clock_add_array (HeddleClockKernel *kernel, double bytes, guint axes, gboolean stored)
{
  g_assert (kernel->n_arrays < HEDDLE_CLOCK_ARRAYS);

  kernel->arrays[kernel->n_arrays++] = (HeddleClockArray){ bytes, axes, stored };
}

guint64
heddle_clock_tiles (double size, double tile)
{
  return (guint64) ceil (size / tile);
}

/* Registers of a thread where warpgroups share out those of an SM among themselves (setmaxnreg), in steps of 8. */
guint
heddle_clock_shared_registers (guint threads)
{
  return MIN (255u, 65536 / threads / 8 * 8);
}

/* --- attention ---------------------------------------------------------------------------- */

/* The softmax of a step: of each score a multiply-subtract, a maximum, an exponential, a sum and half of a conversion; the output's rescaling. */
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
  kernel->grid[0] = heddle_clock_tiles (queries, rows);
  kernel->grid[1] = (guint64) heads;
  kernel->threads = point->threads > 0 ? point->threads : 256;
  kernel->registers = MIN (255u, heddle_clock_shared_registers (kernel->threads));
  kernel->smem = (gint64) ((rows + 2. * columns) * head * bytes);
  kernel->barriers = 2.;
  kernel->mma = heddle_clock_has_form (point, "fa2-mma");
  count_softmax (kernel, rows, columns, head);
  count_products (point, kernel, rows, columns, 2. * head);
  kernel->block_l2_bytes = 2. * rows * head * bytes;
  heddle_clock_add_array (kernel, rows * head * bytes, 3, FALSE);
  heddle_clock_add_array (kernel, 2. * keys * head * bytes, 2, FALSE);
  heddle_clock_add_array (kernel, rows * head * bytes, 3, TRUE);
  steps = g_new (double, kernel->grid[0]);
  for (guint64 i = 0; i < kernel->grid[0]; i++)
    steps[i]
        = (double) heddle_clock_tiles (point->causal ? MIN (keys, (double) (i + 1) * rows) : keys, columns);
  heddle_clock_set_steps (self, steps, point->causal ? kernel->grid[0] : 1);
  self->flop = 4. * heads * queries * keys * head / (point->causal ? 2. : 1.);
}

/* Splits along the keys are dealt out so that each SM has as much; a second kernel merges them. Latent attention has its values within its keys. */
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
  heddle_clock_add_array (kernel, steps * kernel->l2_bytes / ceil (queries / rows), 1, FALSE);
  heddle_clock_add_array (kernel, 2. * rows * value * 4., 1, TRUE);
  heddle_clock_set_steps (self, &steps, 1);
  self->flop = 2. * batch * groups * queries * keys * (head + value);
  self->bytes = batch * groups * keys * stored * bytes;
}

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
    heddle_clock_describe_product (point, machine, description);
  else if (point->kind == HEDDLE_PUBLISHED_ATTENTION)
    describe_attention (point, description);
  else if (point->kind == HEDDLE_PUBLISHED_DECODE)
    describe_decode (point, machine, description);
  else
    heddle_clock_describe_memory (point, machine, description);
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
