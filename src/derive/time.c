/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel.h"

#include <math.h>

/* The model that ranks (kernels.md section 3): the time of each unit apart; `overlapped` is the longest of them, `serial` their sum,
 * `expected` adds to the tensor cores' time what their loop cannot hide: the exponentials or the plain arithmetic between two contractions.
 * All are divided by the wave efficiency. DRAM is priced by the compulsory traffic, and by what the groups re-read of inputs that do not
 * fit in L2; L2 by all that the groups read and write. */

/* What passes between the end of one kernel and the beginning of the next on a stream, in seconds: what NVIDIA's profiler shows on GPUs from
 * A100 to B200 is 1 to 3 microseconds. */
#define SECOND_KERNEL 2e-6

static const HeddleLevel *
find_level (const HeddleMachine *machine, const char *name)
{
  int i = heddle_machine_find_level (machine, name);

  return i >= 0 ? g_ptr_array_index (machine->levels, (guint) i) : NULL;
}

static double
at_rate (double amount, double rate)
{
  return rate > 0. ? amount / rate : 0.;
}

static double
bandwidth (const HeddleMachine *machine, const char *name)
{
  const HeddleLevel *level = find_level (machine, name);

  return level != NULL ? level->bandwidth : 0.;
}

static double
tensor_rate (const HeddleMachine *machine, const HeddleCost *cost)
{
  return cost->contracted != HEDDLE_DTYPE_UNSET ? machine->tensor_flops[cost->contracted] : 0.;
}

/* Contractions of a type that the tensor cores do not take run as plain arithmetic. A multiplication and addition in one is two FLOPs of the
 * rate that a machine is said to have, any other operation half of it. */
static void
price_units (HeddleTime *self, const HeddleMachine *machine, const HeddleCost *cost, const double *work)
{
  double tensor = tensor_rate (machine, cost);
  double plain = cost->contracted == HEDDLE_DTYPE_F64 ? machine->fp64_flops : machine->fp32_flops;

  self->tensor_s = at_rate (work[HEDDLE_WORK_TENSOR], tensor);
  self->fp32_s = at_rate (2. * work[HEDDLE_WORK_FP32], plain);
  if (tensor == 0.)
    self->fp32_s += at_rate (work[HEDDLE_WORK_TENSOR], plain);
  self->special_s
      = at_rate (work[HEDDLE_WORK_SPECIAL], machine->special_per_clock * machine->sms * machine->clock);
}

static void
price_memories (
    HeddleTime *self, const HeddleMachine *machine, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  const HeddleLevel *l2 = find_level (machine, "l2");
  double moved = (double) heddle_cost_transfers (cost, tiles, chunk, TRUE);
  gint64 cache = l2 != NULL ? l2->capacity_bytes : 0;

  self->dram_s = at_rate (heddle_cost_dram_bytes (cost, tiles, chunk, cache), bandwidth (machine, "gmem"));
  self->l2_s = at_rate (moved, bandwidth (machine, "l2"));
  self->smem_s = at_rate (moved, bandwidth (machine, "smem"));
}

static void
sum_up (HeddleTime *self)
{
  const double times[]
      = { self->tensor_s, self->special_s, self->fp32_s, self->dram_s, self->l2_s, self->smem_s };
  static const char *const names[] = { "tensor", "special", "fp32", "dram", "l2", "smem" };
  double between = MAX (self->special_s, self->fp32_s);

  self->bound = names[0];
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      self->serial_s += times[i];
      if (times[i] > self->overlapped_s)
        self->bound = names[i];
      self->overlapped_s = MAX (self->overlapped_s, times[i]);
    }
  self->expected_s = MAX (self->tensor_s + between, self->overlapped_s);
  self->overlapped_s /= self->waves;
  self->serial_s /= self->waves;
  self->expected_s /= self->waves;
}

/* The second kernel of a split program runs after the first. */
static void
add_combine (
    HeddleTime *self, const HeddleDeriveContext *context, const HeddleCost *combine, const gint64 *tiles)
{
  HeddleTime after;

  if (combine == NULL)
    return;
  after = heddle_time_new (context, combine, tiles, 1);
  self->special_ops += after.special_ops;
  self->tensor_s += after.tensor_s;
  self->special_s += after.special_s;
  self->fp32_s += after.fp32_s;
  self->dram_s += after.dram_s;
  self->l2_s += after.l2_s;
  self->smem_s += after.smem_s;
  if (after.overlapped_s > self->overlapped_s)
    self->bound = after.bound;
  self->overlapped_s += after.overlapped_s + SECOND_KERNEL;
  self->serial_s += after.serial_s + SECOND_KERNEL;
  self->expected_s += after.expected_s + SECOND_KERNEL;
}

HeddleTime
heddle_time_new (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  const HeddleMachine *machine = context->options->machine;
  HeddleTime self = { .waves = 1., .bound = "" };
  double work[HEDDLE_N_WORKS];
  gint64 own[HEDDLE_MAX_GROUPS];
  double groups = (double) heddle_cost_groups (cost, tiles);

  heddle_cost_work (cost, tiles, chunk, work);
  self.flops = work[HEDDLE_WORK_TENSOR] > 0. ? work[HEDDLE_WORK_TENSOR] : work[HEDDLE_WORK_FP32];
  self.special_ops = work[HEDDLE_WORK_SPECIAL];
  if (context->abstract)
    return self;
  self.waves = groups / (ceil (groups / machine->sms) * machine->sms);
  price_units (&self, machine, cost, work);
  price_memories (&self, machine, cost, tiles, chunk);
  sum_up (&self);
  add_combine (&self, context, heddle_cost_combine (cost, tiles, own), own);
  return self;
}

/* The tile at which the tensor cores take as long as DRAM does for what every group re-reads, were nothing of it in L2: all grouped axes
 * at one tile g, traffic = sum |X| n / g over inputs that one grouped axis repeats (io-model.md section 5). 0: there is none such. */
gint64
heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost)
{
  const HeddleMachine *machine = context->options->machine;
  double rate = tensor_rate (machine, cost), dram = bandwidth (machine, "gmem");
  gint64 whole[HEDDLE_MAX_GROUPS];
  double work[HEDDLE_N_WORKS], reread = 0.;

  for (guint i = 0; i < cost->n_groups; i++)
    whole[i] = cost->n[i];
  heddle_cost_work (cost, whole, cost->n_stream, work);
  if (rate == 0. || dram == 0. || work[HEDDLE_WORK_TENSOR] == 0.)
    return 0;
  for (guint i = 0; i < cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);

      if (terms->groups == 0)
        continue;
      if ((terms->groups & (terms->groups - 1)) != 0)
        return 0;
      reread += (double) terms->base * terms->bytes * (double) cost->n[__builtin_ctz (terms->groups)];
    }
  return (gint64) lround (reread * rate / (dram * work[HEDDLE_WORK_TENSOR]));
}
