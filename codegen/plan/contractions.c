/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/base/codegen.h"
#include "codegen/cuda/register-count.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/plan/contractions.h"
#include "codegen/plan/given.h"
#include "codegen/plan/labelled.h"
#include "codegen/plan/thread-work.h"
#include "derive/index/extent.h"
#include "derive/program/memory-layout.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* This file tries tiles for products in registers, and ranks them by instructions: those of the products, of
 * bringing the factors, and of everything else that a block does; and by how many blocks hide the wait for
 * memory from one another. */

/* The number of bands beyond which they are left as the derivation suggests them. */
#define MOST_BANDS 4
/* The number of threads of a block. */
#define THREADS 256
#define WARP 32
/* The number of warps' instructions that a multiprocessor issues in a cycle. */
#define ISSUES 4.
/* The share of these that are issued, if there is enough to do. */
#define ISSUED 0.9
/* The number of a multiprocessor's warps that hide each other's waits if a thread does one thing after the
 * other. */
#define ENOUGH_WARPS 24.
/* The number of registers of a multiprocessor. */
#define REGISTERS 65536
/* The cycles from the beginning of a load to the first product, the barrier among them. */
#define WAIT 1200.
/* The number of instructions of a point of a statement that is no product: indices, reads, a write, and what
 * it computes. */
#define POINT_INSTRUCTIONS 10.
/* The number of instructions for each term of a sum that reads at computed indices, and the share of them
 * that is issued then: an H200 said so of the depthwise convolution of data/measured by the general family
 * (2026-11-26: 419 million instructions of warps for 462 million terms, 29 % of those that could be
 * issued). */
#define REACHING_INSTRUCTIONS 29.
#define REACHING_ISSUED 0.29
/* The number of instructions that a piece of 16 bytes takes on its way to shared memory. */
#define PIECE_INSTRUCTIONS 5.
#define PIECE 16.
/* The number of instructions of each warp for a loop's step: addresses, counts, and two barriers. */
#define STEP_INSTRUCTIONS 80.
/* The number of instructions of each iteration of the innermost loop of a product, and of one around it. */
#define LOOP_INSTRUCTIONS 4.
/* The least that memory gives. */
#define SECTOR 32.
/* The bytes that a multiprocessor gets from the cache in a cycle. */
#define CACHE_BYTES 24.
/* The share that is reached of the rate at which instructions are issued: factors meet in a bank of
 * registers, and multiplications in a row draw so much power that the clock is lowered. Fitted to the
 * products of f32 of data/measured that are not held out. */
#define REACHED 0.78
/* The ratio of times at which another choice is better. */
#define WORTH 0.97

/* The size from which that of a label is looked for. */
#define FIRST_SIZE 16

static const gint64 group_sizes[] = { 1, 8, 16, 32, 64, 128 };
static const gint64 chunk_sizes[] = { 1, 8, 16, 32, 64, 128 };

typedef struct
{
  const HeddleMachine *machine;
  const HeddleSizes *sizes;
  const HeddleLoopProgram *program;
  const HeddleRegion *region; /* or NULL */
  gint64 capacity;
  HeddleNode *bands[MOST_BANDS];
  gint64 best[MOST_BANDS];
  guint n;
  double cycles; /* the least; 0: none yet */
} Sizing;

/* The work of a block: products, whose results do not wait for one another, and everything else; and the
 * multiplications that are asked for. */
typedef struct
{
  double products, others, bytes, steps, terms;
} Work;

static void
collect_of (Sizing *self, const HeddleNode *node, HeddleBandKind kind, GPtrArray *found)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      if (child->band == kind && !heddle_plan_is_part (self->program, child)
          && !heddle_plan_is_given (self->region, child))
        g_ptr_array_add (found, child);
      collect_of (self, child, kind, found);
    }
}

/* Collects the steps, and the groups of the last axes: those before are mostly batches. */
static void
collect (Sizing *self)
{
  const HeddleBandKind kinds[] = { HEDDLE_BAND_STREAM, HEDDLE_BAND_GROUP };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GPtrArray) found = g_ptr_array_new ();

      collect_of (self, self->program->root, kinds[k], found);
      for (guint i = found->len; i-- > 0 && self->n < MOST_BANDS;)
        self->bands[self->n++] = g_ptr_array_index (found, i);
    }
}

static gint64
part_of (const Sizing *self, const char *axis)
{
  const HeddleLoopProgram *program = self->program;
  HeddleExtent extent = HEDDLE_EXTENT_FULL;

  if (heddle_loop_program_get_band (program, axis, HEDDLE_BAND_STREAM) != NULL)
    extent = HEDDLE_EXTENT_CHUNK;
  else if (heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) != NULL)
    extent = HEDDLE_EXTENT_TILE;
  return heddle_loop_program_extent (program, self->sizes, axis, extent);
}

static double
points_of (const HeddleRegisterTiles *tiles, guint buffer)
{
  double points = 1;

  for (guint i = 0; i < heddle_loop_program_get_buffer (tiles->program, buffer)->axes->len; i++)
    points *= (double) heddle_register_tiles_extent (tiles, buffer, i);
  return points;
}

static double
terms_of (const Sizing *self, const HeddleNode *node)
{
  double terms = 1;

  for (guint i = 0; node->over != NULL && i < node->over->len; i++)
    terms *= (double) part_of (self, heddle_ids_index (node->over, i));
  return terms;
}

/* Returns the instructions that read a thread's rows for one term, and make f32 of them. @four says that four terms are read at once where they
 * lie side by side. */
static double
reads_of (const HeddleTileFactor *factor, gboolean four)
{
  const double conversions = factor->is_packed ? factor->each : 0;

  return conversions
         + (factor->reading == HEDDLE_READ_ACROSS || (four && factor->reading == HEDDLE_READ_ALONG)
                 ? factor->each / 4.
                 : factor->each);
}

static double
product_instructions (const Sizing *self, const HeddleRegisterTile *tile)
{
  gint64 inner = part_of (self, heddle_ids_index (tile->terms, tile->terms->len - 1));
  gboolean along = tile->rows.reading == HEDDLE_READ_ALONG || tile->columns.reading == HEDDLE_READ_ALONG;
  double each = tile->rows.each * tile->columns.each, batches = 1;
  double fours = along ? (double) (inner / 4 * 4) : 0, rest = (double) inner - fours;
  double term = (fours
                        * (each + reads_of (&tile->rows, TRUE) + reads_of (&tile->columns, TRUE)
                            + LOOP_INSTRUCTIONS / 4)
                    + rest
                          * (each + reads_of (&tile->rows, FALSE) + reads_of (&tile->columns, FALSE)
                              + LOOP_INSTRUCTIONS)
                    + LOOP_INSTRUCTIONS)
                / (double) inner;

  for (guint i = 0; i < tile->batch->len; i++)
    batches *= (double) part_of (self, heddle_ids_index (tile->batch, i));
  return batches * THREADS / WARP
         * (terms_of (self, tile->node) * term + (tile->stream != NULL ? 0 : 4 * each));
}

/* Returns the bytes of a buffer as memory transfers them: whole sectors along its last axis. */
static double
bytes_of (const HeddleRegisterTiles *tiles, guint buffer)
{
  const HeddleBuffer *own = heddle_loop_program_get_buffer (tiles->program, buffer);
  gint64 run = own->axes->len > 0 ? heddle_register_tiles_extent (tiles, buffer, own->axes->len - 1) : 1;
  double bytes = (double) (run * heddle_dtype_bytes (own->dtype));

  return points_of (tiles, buffer) / (double) run * (double) (gint64) ((bytes + SECTOR - 1) / SECTOR)
         * SECTOR;
}

/* Returns whether a factor is copied by pieces of 16 bytes. */
static gboolean
comes_in_pieces (const HeddleRegisterTiles *tiles, guint buffer)
{
  const HeddleBuffer *own = heddle_loop_program_get_buffer (tiles->program, buffer);
  guint last = own->axes->len - 1;

  return heddle_register_tiles_read (tiles, buffer) && own->axes->len > 1
         && g_array_index (own->extents, HeddleExtent, last) != HEDDLE_EXTENT_WINDOW
         && heddle_register_tiles_extent (tiles, buffer, last) * heddle_dtype_bytes (own->dtype) % 16 == 0;
}

static gboolean
is_product (const Sizing *self, const HeddleNode *node)
{
  const HeddleOperation *operation
      = node->operation != NULL ? heddle_diagram_get_operation (self->program->diagram, node->operation)
                                : NULL;

  return operation != NULL && operation->kind->form == HEDDLE_FORM_CONTRACT && node->over->len > 0;
}

static void
add_work (
    const Sizing *self, const HeddleRegisterTiles *tiles, const HeddleNode *node, double times, Work *work)
{
  const HeddleRegisterTile *tile = heddle_register_tiles_get (tiles, node);

  if (node->kind == HEDDLE_NODE_BAND)
    {
      double steps = 1;

      if (node->band == HEDDLE_BAND_STREAM)
        steps = (double) ((heddle_sizes_get (self->sizes, node->axis) + node->size - 1) / node->size);
      if (steps > 1)
        {
          work->steps += times * steps;
          work->others += times * steps * STEP_INSTRUCTIONS * THREADS / WARP;
        }
      for (guint i = 0; i < node->children->len; i++)
        add_work (self, tiles, g_ptr_array_index (node->children, i), times * steps, work);
      return;
    }
  if (heddle_register_tiles_follow (tiles, node))
    return;
  if (is_product (self, node))
    work->terms += times * points_of (tiles, node->buffer) * terms_of (self, node) / WARP;
  if (tile != NULL)
    {
      work->products += times * product_instructions (self, tile);
      return;
    }
  if (node->kind != HEDDLE_NODE_COMPUTE)
    work->bytes += times * bytes_of (tiles, node->buffer);
  if (node->kind == HEDDLE_NODE_LOAD && comes_in_pieces (tiles, node->buffer))
    work->others += times * bytes_of (tiles, node->buffer) / PIECE / WARP * PIECE_INSTRUCTIONS;
  else
    work->others
        += times * points_of (tiles, node->buffer) * terms_of (self, node) / WARP * POINT_INSTRUCTIONS;
}

static double
blocks_of (const Sizing *self)
{
  const HeddleNode *node = self->program->root;
  double blocks = 1;

  while (node->children->len == 1)
    {
      node = g_ptr_array_index (node->children, 0);
      if (node->kind != HEDDLE_NODE_BAND || node->band != HEDDLE_BAND_GROUP)
        break;
      blocks *= (double) ((heddle_sizes_get (self->sizes, node->axis) + node->size - 1) / node->size);
    }
  return blocks;
}

/* Returns the cycles of issuing instructions, without the wait for memory, for @together blocks on each
 * multiprocessor. */
static double
issue_cycles (const Work *work, double together)
{
  double busy = MIN (together * THREADS / WARP / ENOUGH_WARPS, 1);
  double issue = (work->products + work->others / busy) / (ISSUES * ISSUED);

  return MAX (together * issue, issue + WAIT * (work->steps + 1));
}

static double
wave_cycles (const Work *work, double together)
{
  return MAX (issue_cycles (work, together), together * work->bytes / CACHE_BYTES);
}

/* Returns how many blocks a multiprocessor has room for. */
static double
blocks_held (const Sizing *self, const HeddleRegisterTiles *tiles)
{
  gint64 shared = heddle_register_tiles_shared_bytes (tiles) + self->machine->reserved_shared_bytes;
  guint registers = MIN (heddle_register_count (tiles), 255);
  double held
      = (double) MIN (MIN (REGISTERS / (registers * THREADS), self->machine->max_threads_per_sm / THREADS),
          (self->capacity + self->machine->reserved_shared_bytes) / shared);

  return MAX (held, 1);
}

static double
cycles_of (const Sizing *self, const HeddleRegisterTiles *tiles)
{
  double blocks = blocks_of (self), held = blocks_held (self, tiles), waves, rest;
  gint64 sms = self->machine->sms;
  Work work = { 0 };

  add_work (self, tiles, self->program->root, 1, &work);
  waves = (double) (gint64) (blocks / (held * (double) sms));
  rest = blocks - waves * held * (double) sms;
  return waves * wave_cycles (&work, held)
         + (rest > 0 ? wave_cycles (&work, (double) (((gint64) rest + sms - 1) / sms)) : 0);
}

/* Returns the rank of the current sizes; 0 if they give no register tiles. */
static double
rank (const Sizing *self)
{
  g_autoptr (HeddleRegisterTiles) tiles = NULL;

  if (heddle_loop_program_shared_bytes (self->program, self->sizes) > self->capacity)
    return 0;
  tiles = heddle_register_tiles_new (self->program, self->sizes, THREADS, self->capacity);
  if (tiles == NULL)
    return 0;
  return cycles_of (self, tiles);
}

static void
try_sizes (Sizing *self, guint i)
{
  gint64 own, n;
  gboolean stream;

  if (i >= MIN (self->n, G_N_ELEMENTS (self->bands)))
    {
      double cycles = rank (self);

      if (cycles == 0 || (self->cycles > 0 && cycles >= self->cycles * WORTH))
        return;
      self->cycles = cycles;
      for (guint k = 0; k < self->n; k++)
        self->best[k] = self->bands[k]->size;
      return;
    }
  own = self->bands[i]->size;
  n = heddle_sizes_get (self->sizes, self->bands[i]->axis);
  stream = self->bands[i]->band == HEDDLE_BAND_STREAM;
  try_sizes (self, i + 1);
  for (guint k = 0; k < G_N_ELEMENTS (group_sizes); k++)
    {
      self->bands[i]->size = stream ? chunk_sizes[k] : group_sizes[k];
      if (self->bands[i]->size != own)
        try_sizes (self, i + 1);
      if (self->bands[i]->size >= n)
        break;
    }
  self->bands[i]->size = own;
}

static gint64
shared_capacity (const HeddleMachine *machine)
{
  int level = heddle_machine_find_level (machine, "smem");

  return level >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, level))->capacity_bytes : 0;
}

gboolean
heddle_plan_size_contractions (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region)
{
  Sizing self = { plan->machine, plan->sizes, kernel->program, region, shared_capacity (plan->machine) };
  gboolean changed = FALSE;

  if (self.capacity == 0 || (plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_GENERAL)
      || kernel->program->combine != NULL)
    return FALSE;
  collect (&self);
  if (self.n == 0)
    return FALSE;
  try_sizes (&self, 0);
  for (guint i = 0; self.cycles > 0 && i < self.n; i++)
    {
      changed |= self.bands[i]->size != self.best[i];
      self.bands[i]->size = self.best[i];
    }
  return changed;
}

/* Returns a sum of the program that reads an array at computed indices, as windows are; NULL if there is none. */
static const HeddleNode *
find_sum_at_indices (const HeddleNode *node)
{
  const HeddleNode *found = NULL;

  for (guint i = 0; i < node->children->len && found == NULL; i++)
    found = find_sum_at_indices (g_ptr_array_index (node->children, i));
  if (found == NULL && node->kind == HEDDLE_NODE_COMPUTE && node->over != NULL && node->over->len > 0)
    for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
      if (g_ptr_array_index (node->source_indices, i) != NULL)
        found = node;
  return found;
}

/* --- products over windows --- */

static void
add_label (HeddleRegion *region, const HeddleSizes *sizes, const char *axis, HeddleLabelKind kind)
{
  g_ptr_array_add (region->labels,
      heddle_label_new (axis, "smem", kind, MIN (heddle_sizes_get (sizes, axis), FIRST_SIZE)));
}

/* Labels all axes of the result of a sum, and the longest one that is summed over. */
static void
label_sum (
    const HeddlePlan *plan, const HeddleNode *sum, const HeddleLoopProgram *program, HeddleRegion *region)
{
  const HeddleBuffer *result = heddle_loop_program_get_buffer (program, sum->buffer);
  const char *longest = heddle_ids_index (sum->over, 0);

  for (guint i = 0; i < result->axes->len; i++)
    add_label (region, plan->sizes, heddle_ids_index (result->axes, i), HEDDLE_LABEL_GROUP);
  for (guint i = 1; i < sum->over->len; i++)
    if (heddle_sizes_get (plan->sizes, heddle_ids_index (sum->over, i))
        > heddle_sizes_get (plan->sizes, longest))
      longest = heddle_ids_index (sum->over, i);
  if (heddle_sizes_get (plan->sizes, longest) > FIRST_SIZE)
    add_label (region, plan->sizes, longest, HEDDLE_LABEL_STREAM);
}

/* Returns whether windows of the sum move along the axis. */
static gboolean
moves_windows (const HeddleNode *sum, const char *axis)
{
  for (guint i = 0; i < sum->source_indices->len; i++)
    {
      const GPtrArray *indices = g_ptr_array_index (sum->source_indices, i);

      for (guint k = 0; indices != NULL && k < indices->len; k++)
        if (heddle_expr_get_kind (g_ptr_array_index (indices, k)) != HEDDLE_EXPR_INDEX
            && heddle_expr_uses (g_ptr_array_index (indices, k), HEDDLE_EXPR_INDEX, axis))
          return TRUE;
    }
  return FALSE;
}

/* Gives the labels the sizes of the bands that they became. A tile of a whole axis needs no label, which would have
 * each thread ask where the axis ends, unless windows move along it. */
static void
take_sizes (
    HeddleRegion *region, const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleNode *sum)
{
  for (guint i = region->labels->len; i-- > 0;)
    {
      HeddleLabel *label = g_ptr_array_index (region->labels, i);
      const HeddleNode *band = heddle_loop_program_get_band (
          program, label->axis, label->kind == HEDDLE_LABEL_GROUP ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM);

      if (band != NULL)
        label->size = band->size;
      if (label->size >= heddle_sizes_get (sizes, label->axis) && !moves_windows (sum, label->axis))
        g_ptr_array_remove_index (region->labels, i);
    }
}

gboolean
heddle_plan_label_register_tile (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel)
{
  const HeddleNode *sum = kernel->program != NULL ? find_sum_at_indices (kernel->program->root) : NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleKernel *labelled;

  if ((plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_GENERAL) || sum == NULL
      || region->labels->len > 0)
    return FALSE;
  label_sum (plan, sum, kernel->program, region);
  derivation = heddle_plan_derive_labelled (plan, diagram, schedule, region);
  labelled = derivation != NULL && !derivation->illegal && derivation->kernels->len == 1
                 ? g_ptr_array_index (derivation->kernels, 0)
                 : NULL;
  if (labelled != NULL && labelled->program != NULL && heddle_plan_size_contractions (plan, labelled, NULL))
    {
      take_sizes (region, labelled->program, plan->sizes, sum);
      return TRUE;
    }
  g_ptr_array_set_size (region->labels, 0);
  return FALSE;
}

HeddleProductShares
heddle_plan_contraction_shares (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine)
{
  Sizing self = { machine, sizes, program, NULL, shared_capacity (machine) };
  g_autoptr (HeddleRegisterTiles) tiles = heddle_register_tiles_new (program, sizes, THREADS, self.capacity);
  double together;
  Work work = { 0 };

  if (tiles == NULL)
    return (HeddleProductShares){ .plain = find_sum_at_indices (program->root) != NULL
                                               ? REACHING_ISSUED / REACHING_INSTRUCTIONS
                                               : ISSUED / POINT_INSTRUCTIONS,
      .threads_s = heddle_plan_thread_seconds (program, sizes, machine) };
  add_work (&self, tiles, program->root, 1, &work);
  together = MIN (blocks_held (&self, tiles), ceil (blocks_of (&self) / machine->sms));
  return (HeddleProductShares){ .plain = MIN (1, REACHED * together * work.terms / ISSUES
                                                     / issue_cycles (&work, together)) };
}
