/* SPDX-License-Identifier: MIT */
#include "derive/cost/clock-schedule.h"
#include "derive/cost/clock-traffic.h"
#include "derive/cost/clock.h"

#include <math.h>
#include <string.h>

/* The number of threads of which an SM issues an instruction in a clock: four schedulers, each with a warp of
 * 32. */
#define ISSUE_LANES 128.
/* The bytes that an SM hands to its stores in a clock. */
#define STORE_BYTES 64.

/* The shares of the peaks, which are not reached, where a machine file gives no sustained rate. The rates
 * that `heddle measure` wrote were reached. */
#define SHARE_TENSOR 0.85
#define SHARE_DRAM 0.9
#define DEFAULT_LATENCY 500e-9
#define DEFAULT_LAUNCH 2.5e-6
#define DEFAULT_GRAPH 1.2e-6
#define DEFAULT_ALONE 5.5e-6

/* The seconds that each unit takes for what one SM does on average, and those of the kernel as a whole. */
typedef struct
{
  const HeddleClockKernel *kernel;
  const HeddleMachine *machine;
  double step
      [HEDDLE_CLOCK_N_UNITS]; /* of one step, the units within an SM; of the whole kernel, L2, DRAM and latency */
  double clock; /* Hz at which it runs */
  double overhead; /* s of a block's beginning and end */
  double once; /* s of the same that nothing hides, once */
  guint processors, blocks_per_sm;
} Work;

static const HeddleLevel *
level_named (const HeddleMachine *machine, const char *name)
{
  int at = heddle_machine_find_level (machine, name);

  return at >= 0 ? g_ptr_array_index (machine->levels, (guint) at) : NULL;
}

static double
peak_of (const HeddleMachine *machine, const char *level)
{
  const HeddleLevel *found = level_named (machine, level);

  return found != NULL && found->bandwidth > 0. ? found->bandwidth : 1e12;
}

double
heddle_clock_rate (const HeddleMachine *machine, HeddleSustainedRate rate)
{
  const double otherwise[HEDDLE_N_SUSTAINED] = { [HEDDLE_SUSTAINED_TENSOR] = SHARE_TENSOR,
    [HEDDLE_SUSTAINED_TENSOR8] = SHARE_TENSOR,
    [HEDDLE_SUSTAINED_MMA] = 1.,
    [HEDDLE_SUSTAINED_LATENCY] = DEFAULT_LATENCY,
    [HEDDLE_SUSTAINED_LAUNCH] = DEFAULT_LAUNCH,
    [HEDDLE_SUSTAINED_GRAPH] = DEFAULT_GRAPH,
    [HEDDLE_SUSTAINED_ALONE] = DEFAULT_ALONE };

  g_return_val_if_fail (machine != NULL && rate < HEDDLE_N_SUSTAINED, 0.);

  if (machine->sustained[rate].value > 0.)
    return machine->sustained[rate].value;
  if (rate == HEDDLE_SUSTAINED_DRAM)
    return (machine->measured != NULL ? 1. : SHARE_DRAM) * peak_of (machine, "gmem");
  if (rate == HEDDLE_SUSTAINED_L2)
    return peak_of (machine, "l2");
  return otherwise[rate];
}

guint
heddle_clock_blocks_per_sm (const HeddleClockKernel *kernel, const HeddleMachine *machine)
{
  const HeddleLevel *smem = level_named (machine, "smem"), *file = level_named (machine, "registers");
  guint warps = (kernel->threads + machine->warp_size - 1) / machine->warp_size;
  gint64 n = machine->max_blocks_per_sm;

  if (warps > 0)
    n = MIN (n, machine->max_threads_per_sm / (warps * machine->warp_size));
  if (kernel->smem > 0 && smem != NULL)
    n = kernel->smem > smem->total_bytes
            ? 0
            : MIN (n, smem->total_bytes / (kernel->smem + machine->reserved_shared_bytes));
  if (warps > 0 && kernel->registers > 0 && file != NULL)
    {
      gint64 unit = MAX (1, machine->register_granularity);
      gint64 warp = ((gint64) kernel->registers * machine->warp_size + unit - 1) / unit * unit;

      n = MIN (n, file->total_bytes / 4 / warp / warps);
    }
  return (guint) MAX (0, n);
}

/* Returns the clock. Power lowers it for all units while tensor cores are busy. */
static double
clock_of (const HeddleClockKernel *kernel, const HeddleMachine *machine)
{
  gboolean bytes = heddle_dtype_bytes (kernel->type) == 1;

  if (kernel->tensor_flops <= 0.)
    return machine->clock;
  return machine->clock
         * heddle_clock_rate (machine, bytes ? HEDDLE_SUSTAINED_TENSOR8 : HEDDLE_SUSTAINED_TENSOR);
}

static void
count_step (Work *work)
{
  const HeddleClockKernel *kernel = work->kernel;
  const HeddleMachine *machine = work->machine;
  double lanes = machine->fp32_flops / (2. * machine->sms * machine->clock);
  double tensor = machine->tensor_flops[kernel->type] / (machine->sms * machine->clock);
  double mma = kernel->mma ? heddle_clock_rate (machine, HEDDLE_SUSTAINED_MMA) : 1.;
  double banks = peak_of (machine, "smem") / (machine->sms * machine->clock);

  work->step[HEDDLE_CLOCK_TENSOR]
      = tensor > 0. ? kernel->tensor_flops / (tensor * mma * kernel->form->tensor_share) : 0.;
  work->step[HEDDLE_CLOCK_SPECIAL] = kernel->special_ops / machine->special_per_clock;
  work->step[HEDDLE_CLOCK_FP32] = kernel->fp32_ops / lanes;
  work->step[HEDDLE_CLOCK_ISSUE] = kernel->instructions / ISSUE_LANES;
  work->step[HEDDLE_CLOCK_SMEM] = kernel->smem_bytes * MAX (1., kernel->smem_conflict) / banks;
  work->step[HEDDLE_CLOCK_BARRIERS] = kernel->barriers * kernel->form->barrier_cycles;
  for (guint i = 0; i <= HEDDLE_CLOCK_BARRIERS; i++)
    work->step[i] /= work->clock;
}

static double
stored_bytes (const HeddleClockKernel *kernel)
{
  double bytes = 0.;

  for (guint i = 0; i < kernel->n_arrays; i++)
    bytes += kernel->arrays[i].stored ? kernel->arrays[i].bytes : 0.;
  return bytes;
}

/* Counts what a block waits for and does beside its steps. Blocks that an SM holds at a time hide it from one
 * another. */
static void
count_block (Work *work)
{
  const HeddleClockKernel *kernel = work->kernel;
  const HeddleClockForm *form = kernel->form;
  double cycles = form->begin_cycles + form->end_cycles + kernel->block_barriers * form->barrier_cycles
                  + kernel->block_instructions / ISSUE_LANES + stored_bytes (kernel) / STORE_BYTES;
  double whole = cycles / work->clock + heddle_clock_rate (work->machine, HEDDLE_SUSTAINED_LATENCY);

  work->overhead = (1. - form->hidden) * whole / work->blocks_per_sm;
  work->once = whole - work->overhead;
}

static void
count_memory (Work *work, HeddleClockTime *time)
{
  const HeddleClockKernel *kernel = work->kernel;
  const HeddleMachine *machine = work->machine;
  const HeddleLevel *l2 = level_named (machine, "l2");
  double blocks = (double) heddle_clock_n_blocks (kernel);
  double at_a_time = MIN (blocks, (double) machine->sms * work->blocks_per_sm);
  double flight = kernel->flight_bytes * at_a_time;

  time->waves = blocks / ((double) machine->sms * work->blocks_per_sm);
  time->l2_bytes = heddle_clock_all_steps (kernel) * kernel->l2_bytes + blocks * kernel->block_l2_bytes;
  time->l2_bytes *= MAX (1., kernel->l2_sectors);
  time->dram_bytes
      = heddle_clock_dram_bytes (kernel, at_a_time, l2 != NULL ? (double) l2->capacity_bytes : 0.);
  work->step[HEDDLE_CLOCK_L2] = time->l2_bytes / heddle_clock_rate (machine, HEDDLE_SUSTAINED_L2);
  work->step[HEDDLE_CLOCK_DRAM] = time->dram_bytes / heddle_clock_rate (machine, HEDDLE_SUSTAINED_DRAM);
  if (flight > 0.)
    work->step[HEDDLE_CLOCK_LATENCY]
        = time->l2_bytes * heddle_clock_rate (machine, HEDDLE_SUSTAINED_LATENCY) / flight;
}

/* Returns the norm of so many of the units, in the order of their own times: a step's first, then with those
 * of the whole kernel. @makespan: with uneven work and waves; @overhead: seconds of a block beside its
 * steps. */
static double
together (const Work *work, const HeddleClockPart *order, guint n, gboolean makespan, gboolean overhead)
{
  const HeddleClockKernel *kernel = work->kernel;
  const HeddleClockForm *form = kernel->form;
  double inner = 0., outer = 0., step, sms;

  for (guint i = 0; i < n; i++)
    if (order[i] < HEDDLE_CLOCK_BARRIERS)
      inner += pow (work->step[order[i]], form->overlap);
    else if (order[i] > HEDDLE_CLOCK_BARRIERS)
      outer += pow (work->step[order[i]], form->memory_overlap);
  step = pow (inner, 1. / form->overlap);
  for (guint i = 0; i < n; i++)
    step += order[i] == HEDDLE_CLOCK_BARRIERS ? work->step[HEDDLE_CLOCK_BARRIERS] : 0.;
  if (makespan)
    sms = heddle_clock_makespan (kernel, work->processors, step, overhead ? work->overhead : 0.);
  else
    sms = heddle_clock_all_steps (kernel) * step / work->processors;
  return pow (pow (sms, form->memory_overlap) + outer, 1. / form->memory_overlap);
}

static void
order_units (HeddleClockTime *time)
{
  for (guint i = 0; i < HEDDLE_CLOCK_N_PARTS; i++)
    time->order[i] = (HeddleClockPart) i;
  for (guint i = 1; i < HEDDLE_CLOCK_N_UNITS; i++)
    for (guint k = i; k > 0 && time->alone[time->order[k]] > time->alone[time->order[k - 1]]; k--)
      {
        HeddleClockPart part = time->order[k];

        time->order[k] = time->order[k - 1];
        time->order[k - 1] = part;
      }
}

/* Computes the part of each unit: what the time grows by when it is added. The parts telescope, so that the
 * headline is their sum. */
static void
fall (const Work *work, double launch, HeddleClockTime *time)
{
  double before = 0., all;

  for (guint i = 0; i < HEDDLE_CLOCK_N_UNITS; i++)
    {
      double with = together (work, time->order, i + 1, FALSE, FALSE);

      time->parts[time->order[i]] = with - before;
      before = with;
    }
  all = together (work, time->order, HEDDLE_CLOCK_N_UNITS, TRUE, FALSE);
  time->busy = all > 0. ? before / all : 1.;
  time->parts[HEDDLE_CLOCK_IDLE] = all - before;
  time->parts[HEDDLE_CLOCK_BLOCKS]
      = together (work, time->order, HEDDLE_CLOCK_N_UNITS, TRUE, TRUE) - all + work->once;
  time->parts[HEDDLE_CLOCK_LAUNCH] = launch;
  time->seconds = 0.;
  time->bound = time->order[0];
  for (guint i = 0; i < HEDDLE_CLOCK_N_PARTS; i++)
    {
      time->seconds += time->parts[time->order[i]];
      if (time->parts[time->order[i]] > time->parts[time->bound])
        time->bound = time->order[i];
    }
}

void
heddle_clock (const HeddleClockKernel *kernel, const HeddleMachine *machine, HeddleClockTime *time)
{
  static const HeddleSustainedRate launches[] = { [HEDDLE_CLOCK_STREAM] = HEDDLE_SUSTAINED_LAUNCH,
    [HEDDLE_CLOCK_GRAPH] = HEDDLE_SUSTAINED_GRAPH,
    [HEDDLE_CLOCK_ALONE] = HEDDLE_SUSTAINED_ALONE,
    [HEDDLE_CLOCK_COLD] = HEDDLE_SUSTAINED_LAUNCH };
  Work work = { kernel, machine };
  double more;

  g_return_if_fail (kernel != NULL && machine != NULL && time != NULL);
  g_return_if_fail (kernel->form != NULL && kernel->n_steps > 0 && kernel->n_axes > 0);
  g_return_if_fail (!heddle_machine_is_abstract (machine));

  memset (time, 0, sizeof *time);
  work.clock = clock_of (kernel, machine);
  time->blocks_per_sm = heddle_clock_blocks_per_sm (kernel, machine);
  work.blocks_per_sm = kernel->form->persistent ? 1 : MAX (1u, time->blocks_per_sm);
  work.processors = MAX (1u, machine->sms / MAX (1u, kernel->cluster) * MAX (1u, kernel->cluster));
  count_step (&work);
  count_block (&work);
  count_memory (&work, time);
  for (guint i = 0; i < HEDDLE_CLOCK_N_UNITS; i++)
    time->alone[i] = i <= HEDDLE_CLOCK_BARRIERS
                         ? work.step[i] * heddle_clock_all_steps (kernel) / work.processors
                         : work.step[i];
  order_units (time);
  more = (MAX (1u, kernel->kernels) - 1) * heddle_clock_rate (machine, HEDDLE_SUSTAINED_LAUNCH);
  fall (&work, heddle_clock_rate (machine, launches[kernel->start]) + more, time);
}
