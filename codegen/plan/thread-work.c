/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/plan/merging.h"
#include "codegen/plan/thread-work.h"
#include "derive/index/extent.h"
#include "derive/program/memory-layout.h"
#include "derive/program/windows.h"

/* The threads of a block of the general family, and the warps of that. */
#define THREADS 256.
#define WARP 32.
#define WARPS (THREADS / WARP)
/* The number of warps' instructions that a multiprocessor issues in a cycle. */
#define ISSUES 4.
/* The number of blocks of the general family that a multiprocessor has room for, whatever they hold. */
#define MOST_BLOCKS 8.
/* The number of steps in which the lanes of a warp add up what each has. */
#define JOINING_STEPS 5.

/* The numbers of instructions of a warp for 32 points that are loaded or stored, for 32 that are computed,
 * and for 32 terms of sums; the last two of each add to that where indices are computed, as those of windows
 * are. And the cycles that a thread takes for one of those after another. All are fitted to 27 kernels of the
 * examples that an H100 ran on 2026-11-27, which they hold to 1.5 times in the root mean square of the
 * logarithm; what is reached took 660 cycles while each element was waited for, and four are on their way at
 * a time since. */
#define MOVED_INSTRUCTIONS 28.
#define COMPUTED_INSTRUCTIONS 16.
#define TERM_INSTRUCTIONS 14.
#define REACHED_INSTRUCTIONS 27.
#define REACHING_TERM_INSTRUCTIONS 6.
#define MOVED_CYCLES 19.
#define COMPUTED_CYCLES 140.
#define TERM_CYCLES 22.
#define REACHED_CYCLES 80.
#define REACHING_TERM_CYCLES 80.
/* The cycles of each iteration of a loop of terms around the innermost one; and of a statement, with the
 * barrier after it. */
#define LOOP_CYCLES 55.
#define STATEMENT_CYCLES 105.

/* The cycles of a kernel by rows, for the rows that a block has at a time: from the load to the store; for
 * each reduction within a warp, and over several. Rounded from row norms, layer norms and distances that the
 * same H100 ran. */
#define ROW_CYCLES 500.
#define WARP_REDUCTION_CYCLES 200.
#define BLOCK_REDUCTION_CYCLES 800.

/* A block's work: the instructions of all its warps, and the cycles of the warp that takes longest, one thing
 * after another. */
typedef struct
{
  double instructions, cycles;
} Work;

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  gint64 parts; /* that a kernel which merges them takes at a time; 0: it does not */
  Work work;
} Counter;

static double
extent_of (const Counter *self, const char *axis, HeddleExtent extent)
{
  return (double) heddle_loop_program_extent (self->program, self->sizes, axis, extent);
}

static gboolean
is_of_parts (const Counter *self, const char *axis)
{
  return self->parts > 0 && axis == self->program->parts;
}

static double
points_of (const Counter *self, const HeddleBuffer *buffer, const char *but)
{
  double points = 1.;

  for (guint i = 0; i < buffer->axes->len; i++)
    if (heddle_ids_index (buffer->axes, i) != but)
      points *= is_of_parts (self, heddle_ids_index (buffer->axes, i))
                    ? (double) self->parts
                    : (double) heddle_buffer_most (self->program, self->sizes, buffer, i);
  return points;
}

/* Returns how much of an axis a block has at a time. */
static double
length_of (const Counter *self, const char *axis)
{
  if (is_of_parts (self, axis))
    return (double) self->parts;
  if (heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_STREAM) != NULL)
    return extent_of (self, axis, HEDDLE_EXTENT_CHUNK);
  return extent_of (self, axis,
      heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL ? HEDDLE_EXTENT_TILE
                                                                                    : HEDDLE_EXTENT_FULL);
}

/* The number of times that the terms of a statement at one point are visited, by axes: outside of the
 * innermost loop and all in all. @lanes: the axis, of at least a warp, whose terms lanes share if there are
 * too few points; 0 if there is none. */
typedef struct
{
  double outer, all, lanes;
} Terms;

static Terms
count_terms (const Counter *self, const HeddleNode *node)
{
  Terms terms = { 1., 1., 0. };

  if (node->along != NULL)
    terms.all = length_of (self, node->along);
  for (guint i = 0; node->over != NULL && i < node->over->len; i++)
    {
      double length = length_of (self, heddle_ids_index (node->over, i));

      terms.outer = terms.all;
      terms.all *= length;
      if (length >= WARP && node->form == HEDDLE_COMPUTE_FOLD)
        terms.lanes = length;
    }
  return terms;
}

static gboolean
is_sum (const HeddleNode *node)
{
  return (node->over != NULL && node->over->len > 0) || node->along != NULL;
}

/* Returns whether indices are computed for each element. */
static gboolean
reaches (const HeddleNode *node, const HeddleBuffer *buffer)
{
  gboolean reaching = node->kind != HEDDLE_NODE_COMPUTE && (buffer->windows != NULL || node->at != NULL);

  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    reaching |= g_ptr_array_index (node->source_indices, i) != NULL;
  return reaching;
}

static void
add (Work *work, double times, double warps, double thread, double instructions, double cycles)
{
  work->instructions += times * warps * instructions;
  work->cycles += times * thread * cycles;
}

static void
count_moved (Counter *self, double points, gboolean reaching, double times)
{
  add (&self->work, times, ceil (points / WARP), ceil (points / THREADS),
      MOVED_INSTRUCTIONS + (reaching ? REACHED_INSTRUCTIONS : 0.),
      MOVED_CYCLES + (reaching ? REACHED_CYCLES : 0.));
}

static void
count_computed (Counter *self, const HeddleNode *node, double points, gboolean reaching, double times)
{
  Terms terms = count_terms (self, node);
  gboolean by_warps = points < THREADS && terms.lanes > 0.;
  double warps = by_warps ? points : ceil (points / WARP);
  double thread = by_warps ? ceil (points / WARPS) : ceil (points / THREADS);

  if (by_warps)
    {
      terms.outer = terms.all / terms.lanes;
      terms.all = terms.outer * ceil (terms.lanes / WARP) + JOINING_STEPS;
    }
  add (&self->work, times, warps, thread, COMPUTED_INSTRUCTIONS, COMPUTED_CYCLES);
  if (!is_sum (node) && !reaching)
    return;
  add (&self->work, times, warps, thread * terms.outer, 0., LOOP_CYCLES);
  add (&self->work, times, warps * terms.all, thread * terms.all,
      TERM_INSTRUCTIONS + (reaching ? REACHING_TERM_INSTRUCTIONS : 0.),
      TERM_CYCLES + (reaching ? REACHING_TERM_CYCLES : 0.));
}

static void
count_statement (Counter *self, const HeddleNode *node, double times)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  gboolean computes = node->kind == HEDDLE_NODE_COMPUTE;
  double points = points_of (self, buffer, computes ? node->along : NULL);

  self->work.cycles += times * STATEMENT_CYCLES;
  if (computes)
    count_computed (self, node, points, reaches (node, buffer), times);
  else
    count_moved (self, points, reaches (node, buffer), times);
}

/* Returns how often a block runs through a loop; for a split axis through its own part. */
static double
steps_of (const Counter *self, const HeddleNode *band)
{
  gint64 length = heddle_sizes_get (self->sizes, band->axis);

  if (band->band != HEDDLE_BAND_STREAM || band->size <= 0)
    return 1.;
  if (is_of_parts (self, band->axis))
    return ceil ((double) length / (double) self->parts);
  if (self->program->split == band->axis && self->program->split_size > 0)
    length = MIN (length, self->program->split_size);
  return ceil ((double) length / (double) band->size);
}

static void
count (Counter *self, const HeddleNode *node, double times)
{
  if (node->kind != HEDDLE_NODE_BAND)
    {
      count_statement (self, node, times);
      return;
    }
  if (node->axis != NULL)
    times *= steps_of (self, node);
  for (guint i = 0; i < node->children->len; i++)
    count (self, g_ptr_array_index (node->children, i), times);
}

static double
count_blocks (const HeddleLoopProgram *program, const HeddleSizes *sizes)
{
  const HeddleNode *node = program->root;
  double blocks = 1.;

  while (node->children->len == 1)
    {
      node = g_ptr_array_index (node->children, 0);
      if (node->kind != HEDDLE_NODE_BAND || node->band != HEDDLE_BAND_GROUP)
        break;
      blocks *= ceil ((double) heddle_sizes_get (sizes, node->axis) / (double) node->size);
    }
  return blocks;
}

/* Returns how many blocks a multiprocessor holds. */
static double
blocks_held (const Counter *self, const HeddleMachine *machine)
{
  int level = heddle_machine_find_level (machine, "smem");
  gint64 each
      = heddle_loop_program_shared_bytes (self->program, self->sizes) + machine->reserved_shared_bytes;
  gint64 room = level >= 0
                    ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) level))->total_bytes
                    : 0;

  return CLAMP (floor ((double) room / (double) MAX (each, 1)), 1., MOST_BLOCKS);
}

/* Returns the cycles of so many blocks on one multiprocessor: it issues no more instructions, and no block is
 * faster than alone. */
static double
cycles_together (Work work, double blocks)
{
  return MAX (blocks * work.instructions / ISSUES, work.cycles);
}

/* Returns the seconds of all blocks, @held at a time on each multiprocessor, times the share of the
 * multiprocessors that have one. */
static double
seconds_of (Work work, double blocks, double held, const HeddleMachine *machine)
{
  double sms = (double) machine->sms, waves = floor (blocks / (held * sms));
  double rest = blocks - waves * held * sms, cycles = waves * cycles_together (work, held);

  if (rest > 0.)
    cycles += cycles_together (work, ceil (rest / sms));
  return cycles / machine->clock * blocks / (ceil (blocks / sms) * sms);
}

double
heddle_plan_thread_seconds (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine)
{
  Counter self = { program, sizes };

  g_return_val_if_fail (program != NULL && sizes != NULL && machine != NULL, 0.);

  count (&self, program->root, 1.);
  return seconds_of (self.work, count_blocks (program, sizes), blocks_held (&self, machine), machine);
}

double
heddle_plan_merging_seconds (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine)
{
  g_autoptr (HeddleSizes) own = NULL;
  Counter self = { 0 };

  g_return_val_if_fail (program != NULL && sizes != NULL && machine != NULL, 0.);

  if (program->combine == NULL)
    return 0.;
  own = heddle_loop_program_own_sizes (program, sizes);
  self = (Counter){ program->combine, own, heddle_plan_parts_at_once (program, own) };
  count (&self, program->combine->root, 1.);
  return seconds_of (self.work, count_blocks (program->combine, own), blocks_held (&self, machine), machine);
}

/* --- by rows --- */

/* Returns how often a block moves on to other rows, and to other parts of them. */
static double
count_passes (const Counter *self, const HeddleRows *rows)
{
  const HeddleNode *stream
      = rows->streamed ? heddle_loop_program_get_band (self->program, rows->columns, HEDDLE_BAND_STREAM)
                       : NULL;
  double n = 1.;

  for (guint i = 0; i < rows->axes->len; i++)
    n *= length_of (self, heddle_ids_index (rows->axes, i));
  return ceil (n / MAX (1u, rows->rows)) * (stream != NULL ? steps_of (self, stream) : 1.);
}

double
heddle_plan_row_seconds (const HeddleLoopProgram *program, const HeddleRows *rows, const HeddleSizes *sizes,
    const HeddleMachine *machine)
{
  Counter self = { program, sizes };
  double threads, each;

  g_return_val_if_fail (program != NULL && rows != NULL && sizes != NULL && machine != NULL, 0.);

  threads = MAX (1., (double) heddle_rows_threads (rows));
  each = rows->lanes > WARP ? BLOCK_REDUCTION_CYCLES : WARP_REDUCTION_CYCLES;
  self.work.cycles = count_passes (&self, rows) * (ROW_CYCLES + rows->reductions * each);
  return seconds_of (self.work, count_blocks (program, sizes),
      MAX (1., floor (machine->max_threads_per_sm / threads)), machine);
}
