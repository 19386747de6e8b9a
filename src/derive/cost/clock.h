/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock-form.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"
#include "diagram/base/dtype.h"

/* The clock: how long one kernel takes that would be emitted, and of what that time is made. It knows nothing of diagrams; whoever emits kernels describes
 * them. With ||.||_p for the p-th root of the sum of p-th powers,
 *
 *   step   = || tensor, special, fp32, issue, shared memory ||_p + barriers     of one block, on an SM of its own
 *   block  = steps * step + (beginning + end) / blocks that an SM holds
 *   kernel = launches + || makespan of the blocks over the SMs, L2, DRAM, latency ||_q
 *
 * p and q say how far the loop as it is written overlaps its units (HeddleClockForm). */

/* The parts of a time. The first HEDDLE_CLOCK_N_UNITS are units whose work is counted, the others are spent
 * beside it. */
typedef enum
{
  HEDDLE_CLOCK_TENSOR,
  HEDDLE_CLOCK_SPECIAL, /* exponentials and other special functions */
  HEDDLE_CLOCK_FP32,
  HEDDLE_CLOCK_ISSUE, /* instructions of all kinds, four a clock */
  HEDDLE_CLOCK_SMEM,
  HEDDLE_CLOCK_BARRIERS,
  HEDDLE_CLOCK_L2,
  HEDDLE_CLOCK_DRAM,
  HEDDLE_CLOCK_LATENCY, /* too few bytes are on their way at a time */
  HEDDLE_CLOCK_N_UNITS,
  HEDDLE_CLOCK_IDLE = HEDDLE_CLOCK_N_UNITS, /* SMs that have no block: waves, the tail, uneven work */
  HEDDLE_CLOCK_BLOCKS, /* beginnings and ends of blocks */
  HEDDLE_CLOCK_LAUNCH,
  HEDDLE_CLOCK_N_PARTS
} HeddleClockPart;

#define HEDDLE_CLOCK_AXES 4
#define HEDDLE_CLOCK_ARRAYS 32

/* An array that the grid's blocks read or write. */
typedef struct
{
  double bytes; /* of what one block takes of it, each byte once */
  /* Bit i: another tile where the block's place on grid axis i is another; blocks that differ elsewhere share
   * it */
  guint axes;
  gboolean stored; /* written, not read */
  double turns; /* waves read so many parts of it one after the other; 1: each reads all of what it shares */
  /* Bytes that DRAM moves for each that is wanted, in sectors of 32 by the layout; 0 is taken as 1 */
  double sectors;
} HeddleClockArray;

/* The way in which the kernel is started, on which the cost of its launch depends. */
typedef enum
{
  HEDDLE_CLOCK_STREAM, /* after another kernel in a stream, whose end it waits for; what L2 held may still be there */
  HEDDLE_CLOCK_GRAPH, /* the same in a graph */
  HEDDLE_CLOCK_ALONE, /* between two events, with nothing of its arrays in L2 */
  HEDDLE_CLOCK_COLD, /* after another kernel in a stream, with nothing of its arrays in L2 */
} HeddleClockStart;

/* One kernel as it would be emitted. All sizes are of whole tiles: ragged ones are rounded up by who
 * describes it. */
typedef struct
{
  const HeddleClockForm *form;
  HeddleDtype type; /* of the tensor cores' operands */
  gboolean mma; /* its products are mma.sync, on whatever GPU */
  HeddleClockStart start;
  guint kernels; /* launches in all: 2 where a second kernel merges what splits made */

  /* A step of one block. */
  double tensor_flops; /* 2 for each multiply and add */
  double special_ops, fp32_ops;
  double instructions; /* of single threads, all kinds */
  double smem_bytes; /* read from and written to shared memory */
  double smem_conflict; /* the factor by which bank conflicts slow it; 1: none */
  double barriers;
  double l2_bytes; /* that the block reads from L2 or beyond, after what a cluster's multicast spares it */

  /* A block. */
  double block_l2_bytes; /* read or written outside its steps */
  /* Bytes that L2 moves for each that is wanted, by how a warp's addresses lie in sectors of 32; 0 is taken
   * as 1 */
  double l2_sectors;
  double block_instructions; /* outside its steps, of single threads */
  double block_barriers; /* outside its steps */
  double flight_bytes; /* on their way at a time, at most; 0: no bound, all is asked for at the beginning */
  guint threads, registers; /* registers of a thread */
  gint64 smem; /* bytes of shared memory */
  guint cluster; /* blocks that are placed together; 0 or 1: none */

  /* The grid, its axes from the one that changes fastest. */
  guint n_axes;
  guint64 grid[HEDDLE_CLOCK_AXES];
  guint group_axis; /* axis whose places are taken in groups … */
  guint64 group; /* … of so many before axis 0 goes on; 0 or 1: row after row */
  /* Block i runs on SM i modulo their number; else the first SM that is free takes the next */
  gboolean fixed_order;
  gboolean apart; /* blocks that read the same do so at other times: nothing keeps them in step */
  const double *steps; /* of the blocks, in the order in which they begin, again and again; not owned */
  gsize n_steps; /* at least 1 */

  guint n_arrays;
  HeddleClockArray arrays[HEDDLE_CLOCK_ARRAYS];
} HeddleClockKernel;

typedef struct
{
  double seconds; /* the sum of the parts, in their order */
  double parts[HEDDLE_CLOCK_N_PARTS]; /* s that each adds; the longest unit its whole time */
  double alone[HEDDLE_CLOCK_N_UNITS]; /* s that each unit would take with nothing else, all SMs busy */
  /* From the longest unit on; idle SMs, blocks and launches last */
  HeddleClockPart order[HEDDLE_CLOCK_N_PARTS];
  HeddleClockPart bound; /* the largest part */
  guint blocks_per_sm;
  double waves; /* blocks over those that run at a time */
  double busy; /* share of the SMs' time in which they have a block */
  double dram_bytes, l2_bytes;
} HeddleClockTime;

/**
 * heddle_clock:
 * @kernel: a kernel, whose form, grid and steps are set
 * @machine: a GPU that is no abstract machine
 * @time: (out): how long it takes
 *
 * A sustained rate that @machine's file does not give is taken as a share of its peak.
 */
void heddle_clock (const HeddleClockKernel *kernel, const HeddleMachine *machine, HeddleClockTime *time);

/* Returns how many blocks an SM holds at a time: bounded by threads, blocks, shared memory with what the
 * system reserves, and registers in their granularity. Returns 0 if one does not fit. */
guint heddle_clock_blocks_per_sm (const HeddleClockKernel *kernel, const HeddleMachine *machine);
/* Returns the value of a rate: the sustained one if the file gives it, else a share of the peak. */
double heddle_clock_rate (const HeddleMachine *machine, HeddleSustainedRate rate);
