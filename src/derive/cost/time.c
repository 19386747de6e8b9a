/* SPDX-License-Identifier: MIT */
#include "derive/cost/chosen.h"
#include "derive/cost/clock-grid.h"
#include "derive/cost/clock-traffic.h"
#include "derive/cost/clock.h"
#include "derive/cost/residency-price.h"
#include "derive/cost/time.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"
#include "derive/program/sweep.h"

#include <math.h>

/* The model that ranks kernels: the time of each unit apart; `overlapped` is the longest of them, `serial`
 * their sum, `expected` adds to the tensor cores' time what their loop cannot hide: the exponentials or the
 * plain arithmetic between two contractions. All are divided by the wave efficiency; then come the beginnings
 * and ends of the blocks that an SM runs one after another, and the launch. Tensor cores draw so much power
 * that all units of an SM run at a lower clock beside them, by the share that is sustained. DRAM is priced by
 * what the groups that run at a time read together, less what L2 keeps from one wave of them to the next; L2
 * by all that the groups read and write; both at the rates that are reached in practice. */

/* The cycles that a block takes before its first copy is asked for and after its last store, as the clock has
 * them for any kernel. */
#define BLOCK_CYCLES 400.
/* The first units of a kernel, which run at the clock of the SMs; the others do not. */
#define N_CLOCKED 4
/* The number of threads of a block; an SM holds no more blocks than it has room for. */
#define BLOCK_THREADS 256

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

/* Returns the FLOP/s of tensor cores that take factors of that type; 0 if they do not. Every number of e4m3
 * is one of f16, as which it is multiplied where there is nothing faster. */
static double
tensor_rate (const HeddleMachine *machine, HeddleDtype dtype)
{
  double rate = machine->tensor_flops[dtype];

  return dtype == HEDDLE_DTYPE_E4M3 ? MAX (rate, machine->tensor_flops[HEDDLE_DTYPE_F16]) : rate;
}

/* Returns the share of its clock at which an SM runs such work. */
static double
clock_share (const HeddleDeriveContext *context, const double *contracted)
{
  const HeddleMachine *machine = context->options->machine;
  double share = 1.;

  for (guint i = 0; i < HEDDLE_N_DTYPES && context->shares.plain == 0.; i++)
    if (contracted[i] > 0. && tensor_rate (machine, i) > 0.)
      share = MIN (share, heddle_clock_rate (machine, heddle_dtype_bytes (i) == 1 ? HEDDLE_SUSTAINED_TENSOR8
                                                                                  : HEDDLE_SUSTAINED_TENSOR));
  return share;
}

/* Returns the seconds that plain arithmetic takes for contractions whose factors are of that type. */
static double
plain_seconds (const HeddleDeriveContext *context, HeddleDtype dtype, double contracted)
{
  const HeddleMachine *machine = context->options->machine;
  double share = context->shares.plain > 0. ? context->shares.plain : 1.;

  return at_rate (
      contracted, (dtype == HEDDLE_DTYPE_F64 ? machine->fp64_flops : machine->fp32_flops) * share);
}

/* Prices the arithmetic. Each contraction runs at the rate of the type it reads; of a type that the tensor
 * cores do not take, and of any type in a kernel that does not use them, as plain arithmetic. A fused
 * multiply-add is two FLOPs of the rate that a machine is said to have, any other operation half of it. */
static void
price_units (
    HeddleTime *self, const HeddleDeriveContext *context, const double *work, const double *contracted)
{
  const HeddleMachine *machine = context->options->machine;
  double reached = context->shares.tensor > 0. ? context->shares.tensor : 1.;
  double plain = contracted[HEDDLE_DTYPE_F64] > 0. ? machine->fp64_flops : machine->fp32_flops;

  self->plain = context->shares.plain > 0.;
  self->fp32_s = at_rate (2. * work[HEDDLE_WORK_FP32], plain);
  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    {
      if (tensor_rate (machine, i) > 0.)
        self->tensor_s += contracted[i] / (tensor_rate (machine, i) * reached);
      if (contracted[i] > 0. && !self->plain && machine->tensor_flops[i] > self->tensor_peak)
        {
          self->tensor_dtype = (HeddleDtype) i;
          self->tensor_peak = machine->tensor_flops[i];
        }
      if (self->plain || tensor_rate (machine, i) <= 0.)
        self->fp32_s += plain_seconds (context, i, contracted[i]);
    }
  self->special_s
      = at_rate (work[HEDDLE_WORK_SPECIAL], machine->special_per_clock * machine->sms * machine->clock);
  self->copies_s = context->shares.copies_s;
  self->threads_s = context->shares.threads_s;
  self->dealing_s = context->shares.dealing_s;
  self->share = clock_share (context, contracted);
}

/* Returns what the groups of a level below the first read from the one above and write to it. */
static double
moved_below (const HeddleCost *inner)
{
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;

  heddle_cost_own_tiles (inner, tiles, &chunk);
  return (double) heddle_cost_transfers (inner, tiles, chunk, TRUE);
}

/* Prices the energy of what crosses each memory, by its energy per byte if the machine's file gives that.
 * @inner is the cost of the first level that takes labels. */
static void
price_energy (
    HeddleTime *self, const HeddleMachine *machine, double dram, double moved, const HeddleCost *inner)
{
  double crossing = moved;

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->above < 0 && (i == 0 || level->cache))
        self->joules += level->joules_per_byte * (i == 0 ? dram : moved);
      if (!level->labels)
        continue;
      self->joules += level->joules_per_byte * crossing;
      inner = inner != NULL ? inner->inner : NULL;
      crossing = inner != NULL ? moved_below (inner) : 0.;
    }
}

/* Prices the levels above global memory. Links run beside one another: the one that takes longest is waited
 * for. */
static void
price_above (HeddleTime *self, const HeddleMachine *machine, const HeddleTraffic *traffic)
{
  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);
      int number = level->above >= 0 ? heddle_machine_number_above (machine, level) : -1;

      if (number < 0)
        continue;
      self->above_bytes += traffic->above[number];
      self->above_s = MAX (self->above_s, at_rate (traffic->above[number], level->bandwidth));
      self->joules += level->joules_per_byte * traffic->above[number];
    }
}

static const HeddleLevel *
largest_cache (const HeddleMachine *machine)
{
  const HeddleLevel *largest = NULL;

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->cache && (largest == NULL || level->capacity_bytes > largest->capacity_bytes))
        largest = level;
    }
  return largest;
}

/* Returns the sustained rate if it is given, else the rate of the slowest cache that everything passes
 * through. */
static double
cache_rate (const HeddleMachine *machine)
{
  double rate = machine->sustained[HEDDLE_SUSTAINED_L2].value;

  for (guint i = 0; rate <= 0. && i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->cache && level->bandwidth > 0. && (rate <= 0. || level->bandwidth < rate))
        rate = level->bandwidth;
    }
  return rate;
}

/* Returns the number of blocks that the machine runs at a time. @smem: bytes of shared memory that one
 * holds. */
static double
blocks_at_a_time (const HeddleMachine *machine, gint64 smem)
{
  const HeddleClockKernel kernel = { .threads = BLOCK_THREADS, .smem = smem };

  return (double) machine->sms * MAX (1u, heddle_clock_blocks_per_sm (&kernel, machine));
}

/* Returns the bytes that global memory and the levels above it move, counted wave by wave. @smem: bytes of
 * shared memory that a block holds. */
static HeddleTraffic
traffic_by_wave (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gint64 smem)
{
  const HeddleMachine *machine = context->options->machine;
  const HeddleLevel *cache = largest_cache (machine);
  HeddleClockKernel kernel
      = { .start = HEDDLE_CLOCK_COLD, .threads = BLOCK_THREADS, .smem = smem, .apart = cache == NULL };
  HeddleClockWaves waves;
  guint axes[HEDDLE_MAX_GROUPS];

  heddle_clock_set_grid (
      &kernel, cost, tiles, chunk, g_strcmp0 (machine->arch, HEDDLE_SWEEP_ARCH) == 0, axes);
  heddle_clock_set_arrays (&kernel, cost, tiles, chunk, axes);
  heddle_clock_waves_init (
      &waves, &kernel, blocks_at_a_time (machine, smem), cache != NULL ? (double) cache->capacity_bytes : 0.);
  return heddle_residency_traffic (context, cost, tiles, chunk, &waves, axes);
}

/* The seconds beside the work. */
typedef struct
{
  double once; /* the beginning and end of one block, which nothing hides */
  double more; /* those of the blocks that an SM runs after it: the memories work on meanwhile */
  double launch;
} Beside;

/* Returns the time beside the steps: each block waits for its first copy. @smem: bytes that a block holds. */
static Beside
beside_of (const HeddleMachine *machine, double groups, gint64 smem)
{
  double block = BLOCK_CYCLES / machine->clock + heddle_clock_rate (machine, HEDDLE_SUSTAINED_LATENCY);

  return (Beside){ block, block * MAX (0., groups / blocks_at_a_time (machine, smem) - 1.),
    heddle_clock_rate (machine, HEDDLE_SUSTAINED_LAUNCH) };
}

/* Prices the three memories that bytes cross on their way to the SMs. */
static void
price_crossings (HeddleTime *self, const HeddleMachine *machine, double dram, double l2, double smem)
{
  self->dram_bytes = dram;
  self->l2_bytes = l2;
  self->smem_bytes = smem;
  self->dram_s = at_rate (dram, heddle_clock_rate (machine, HEDDLE_SUSTAINED_DRAM));
  self->l2_s = at_rate (l2, cache_rate (machine));
  self->smem_s = at_rate (smem, bandwidth (machine, "smem"));
}

/* Prices the memories. The energy, by which nothing is ranked, counts only if @energy is set. */
static void
price_memories (HeddleTime *self, const HeddleDeriveContext *context, const HeddleCost *cost,
    const gint64 *tiles, gint64 chunk, gboolean energy, HeddleTraffic traffic)
{
  const HeddleMachine *machine = context->options->machine;
  double moved = (double) heddle_cost_transfers (cost, tiles, chunk, TRUE);

  price_crossings (
      self, machine, traffic.dram, moved, cost->inner != NULL ? moved_below (cost->inner) : moved);
  price_above (self, machine, &traffic);
  if (energy)
    price_energy (self, machine, traffic.dram, moved, cost);
}

static void
add_up (HeddleTime *self)
{
  self->expected_s = 0.;
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    self->expected_s += self->parts[i];
}

/* Sums the times up. A kernel that does nothing is not started. */
static void
sum_up (HeddleTime *self, Beside beside)
{
  double tensor = self->plain ? 0. : self->tensor_s;
  const double times[]
      = { tensor, self->special_s, self->fp32_s, self->smem_s, self->dram_s, self->l2_s, self->above_s };
  static const char *const names[] = { "tensor", "special", "fp32", "smem", "dram", "l2", "above" };
  double between = MAX (self->special_s, self->fp32_s), longest = 0., processors = 0., all;

  self->bound = names[0];
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      double reached = i < N_CLOCKED ? times[i] / self->share : times[i];

      self->serial_s += reached;
      processors = i < N_CLOCKED ? MAX (processors, reached) : processors;
      if (reached <= self->overlapped_s)
        continue;
      self->bound = names[i];
      self->overlapped_s = reached;
      longest = times[i];
    }
  self->serial_s += (self->copies_s + self->dealing_s) / self->share;
  processors = MAX (processors, (tensor + between + self->copies_s) / self->share);
  all = MAX (self->overlapped_s, processors);
  self->parts[HEDDLE_TIME_LONGEST] = longest;
  self->parts[HEDDLE_TIME_EXPOSED] = MAX (0., tensor + between - longest);
  self->parts[HEDDLE_TIME_COPIES]
      = MAX (0., tensor + between + self->copies_s - longest - self->parts[HEDDLE_TIME_EXPOSED]);
  self->parts[HEDDLE_TIME_THREADS] = MAX (0., self->threads_s - all) + self->dealing_s / self->share;
  self->parts[HEDDLE_TIME_CLOCK]
      = MAX (0., all - longest - self->parts[HEDDLE_TIME_EXPOSED] - self->parts[HEDDLE_TIME_COPIES]);
  add_up (self);
  self->parts[HEDDLE_TIME_IDLE] = self->expected_s / self->waves - self->expected_s;
  if (self->overlapped_s == 0.)
    return;
  self->parts[HEDDLE_TIME_BLOCKS] = beside.once + MAX (0., (processors - all) / self->waves + beside.more);
  self->parts[HEDDLE_TIME_LAUNCH] = beside.launch;
  add_up (self);
  self->overlapped_s = self->overlapped_s / self->waves + self->parts[HEDDLE_TIME_BLOCKS] + beside.launch;
  self->serial_s = self->serial_s / self->waves + beside.once + beside.more + beside.launch;
}

static HeddleTime time_of (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gboolean energy);

/* Adds the second kernel of a split program, which runs after the first. */
static void
add_combine (HeddleTime *self, const HeddleDeriveContext *context, const HeddleCost *combine,
    const gint64 *tiles, gboolean energy)
{
  HeddleDeriveContext own = *context;
  HeddleTime after;

  if (combine == NULL)
    return;
  own.shares = (HeddleProductShares){ .threads_s = context->shares.merging_s };
  after = time_of (&own, combine, tiles, 1, energy);
  self->fp32_ops += after.fp32_ops;
  self->special_ops += after.special_ops;
  self->joules += after.joules;
  self->tensor_s += after.tensor_s;
  self->special_s += after.special_s;
  self->fp32_s += after.fp32_s;
  self->dram_s += after.dram_s;
  self->l2_s += after.l2_s;
  self->smem_s += after.smem_s;
  self->dram_bytes += after.dram_bytes;
  self->l2_bytes += after.l2_bytes;
  self->smem_bytes += after.smem_bytes;
  self->above_s += after.above_s;
  self->above_bytes += after.above_bytes;
  if (after.overlapped_s > self->overlapped_s)
    self->bound = after.bound;
  self->overlapped_s += after.overlapped_s;
  self->serial_s += after.serial_s;
  self->parts[HEDDLE_TIME_LAUNCH] += after.parts[HEDDLE_TIME_LAUNCH];
  self->parts[HEDDLE_TIME_MERGING] = after.expected_s - after.parts[HEDDLE_TIME_LAUNCH];
  add_up (self);
}

static void
set_counts (HeddleTime *self, const double *work)
{
  self->tensor_flops = work[HEDDLE_WORK_TENSOR];
  self->fp32_ops = work[HEDDLE_WORK_FP32];
  self->flops = work[HEDDLE_WORK_TENSOR] > 0. ? work[HEDDLE_WORK_TENSOR] : work[HEDDLE_WORK_FP32];
  self->special_ops = work[HEDDLE_WORK_SPECIAL];
}

static HeddleTime
time_of (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk,
    gboolean energy)
{
  const HeddleMachine *machine = context->options->machine;
  HeddleTime self = { .waves = 1., .share = 1., .bound = "" };
  double work[HEDDLE_N_WORKS], contracted[HEDDLE_N_DTYPES];
  gint64 own[HEDDLE_MAX_GROUPS];
  double groups = (double) heddle_cost_groups (cost, tiles);
  gint64 smem;

  heddle_cost_work (cost, tiles, chunk, work, contracted);
  set_counts (&self, work);
  if (context->abstract)
    return self;
  self.waves = groups / (ceil (groups / machine->sms) * machine->sms);
  price_units (&self, context, work, contracted);
  smem = heddle_cost_memory (cost, tiles, chunk, TRUE);
  price_memories (
      &self, context, cost, tiles, chunk, energy, traffic_by_wave (context, cost, tiles, chunk, smem));
  sum_up (&self, beside_of (machine, groups, smem));
  add_combine (&self, context, heddle_cost_combine (cost, tiles, own), own, energy);
  return self;
}

HeddleTime
heddle_time_new (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  return time_of (context, cost, tiles, chunk, TRUE);
}

double
heddle_time_expected (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  return time_of (context, cost, tiles, chunk, FALSE).expected_s;
}

HeddleTime
heddle_time_bound (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gint64 most_groups)
{
  const HeddleMachine *machine = context->options->machine;
  HeddleTime self = { .waves = MIN (1., (double) most_groups / machine->sms), .share = 1., .bound = "" };
  double work[HEDDLE_N_WORKS], contracted[HEDDLE_N_DTYPES];
  Beside beside = beside_of (machine, (double) heddle_cost_groups (cost, tiles), 0);

  if (cost->combine != NULL)
    beside.launch *= 2.;
  heddle_cost_work (cost, tiles, chunk, work, contracted);
  price_units (&self, context, work, contracted);
  /* Each array is read once: that is the least of all waves. */
  price_memories (&self, context, cost, tiles, chunk, FALSE,
      heddle_residency_traffic (context, cost, tiles, chunk, NULL, NULL));
  sum_up (&self, beside);
  return self;
}

HeddleTime
heddle_time_of_work (const HeddleDeriveContext *context, const double work[HEDDLE_N_WORKS],
    const double contracted[HEDDLE_N_DTYPES], double moved)
{
  const HeddleMachine *machine = context->options->machine;
  HeddleTime self = { .waves = 1., .share = 1., .bound = "" };

  set_counts (&self, work);
  if (context->abstract)
    return self;
  price_units (&self, context, work, contracted);
  price_crossings (&self, machine, moved, moved, moved);
  price_energy (&self, machine, moved, moved, NULL);
  sum_up (&self, beside_of (machine, 1., 0));
  return self;
}

/* Returns the tile at which the tensor cores, at their peak, take as long as DRAM does at its own for what
 * every group re-reads, were nothing of it in a cache: all grouped axes at one tile g, traffic = sum |X| n /
 * g over inputs that one grouped axis repeats. Returns 0 if there is none such, or windows go with tiles. */
double
heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost)
{
  const HeddleMachine *machine = context->options->machine;
  double dram = bandwidth (machine, "gmem");
  gint64 whole[HEDDLE_MAX_GROUPS];
  double work[HEDDLE_N_WORKS], contracted[HEDDLE_N_DTYPES], reread = 0.;
  HeddleTime time = { .waves = 1., .share = 1. };

  for (guint i = 0; i < cost->n_groups; i++)
    whole[i] = cost->n[i];
  heddle_cost_work (cost, whole, cost->n_stream, work, contracted);
  price_units (&time, context, work, contracted);
  if (dram == 0. || time.tensor_s == 0.)
    return 0.;
  for (guint i = 0; i < cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);

      if (terms->windows != NULL && terms->windows->loops != 0)
        return 0.;
      if (terms->groups == 0)
        continue;
      if ((terms->groups & (terms->groups - 1)) != 0)
        return 0.;
      reread += (double) terms->base * terms->bytes * (double) cost->n[__builtin_ctz (terms->groups)];
    }
  return reread / (dram * time.tensor_s);
}
