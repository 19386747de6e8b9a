/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "codegen/base/pointwise.h"
#include "codegen/tile/bind.h"
#include "codegen/tile/choice.h"
#include "codegen/tile/private.h"
#include "codegen/tile/program.h"
#include "codegen/tile/rank.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* This file computes how long a tile program takes, to choose among some: cycles of the streaming
 * multiprocessors, each resource by itself. */

/* The number of elements of a matrix that a warp reads, 16 x 16 of them at a time. */
#define MATRIX_ELEMENTS 256
#define SHARED_BYTES_PER_CYCLE 128
/* The bytes that one multiprocessor reads from the L2 cache in a cycle at most (NVIDIA A100 architecture
 * white paper: 64 bytes). */
#define L2_PORT_BYTES 64.
#define PRODUCT_FLOPS (2.0 * 16 * 8 * 16)
#define LANES_PER_CYCLE 64
/* The issue of a map's instructions at a point: they go two at a time, and there are some around them. */
#define ISSUED_PER_LANE 2.
#define LEAST_INSTRUCTIONS 4.
/* The number of registers beside accumulators, for addresses and fragments. */
#define OTHER_REGISTERS 56
#define REGISTERS 65536
/* The cycles that a wait and a barrier take of a block that has the multiprocessor for itself. */
#define POINT_CYCLES 150
/* The same where products go on meanwhile; and what it takes until the last of a group of products is done. */
#define POINT_CYCLES_UNDER_WAY 50
/* The same where slots are handed over, and nobody meets all others. */
#define HAND_OVER_CYCLES 60
#define PRODUCT_LATENCY 100
/* The factor by which it takes longer to store elements that do not lie side by side. */
#define STRIDED_STORE 16.
/* The cycles for an element of a row that does not begin at 16 bytes, with which the clock comes to what an
 * H100 took for a product of 4095 by 4097 by 4097 in tiles of 256 by 128 by 64: 1.71 ms (2026-11-26), in 260
 * steps of 24,576 elements on each multiprocessor. */
#define ODD_CYCLES .365
/* The number of instructions for one element of a window that is copied by itself. */
#define ELEMENT_COPY 12.
/* The cycles until one element is there that a thread copies by itself, before it asks for the next; and what
 * each takes of the multiprocessor besides. An H200 took 137 us for the attention of
 * examples/decoder-transformer.ncd, 544 elements for each of 32 threads, and 30.9 ms for
 * examples/grouped-query-attention.ncd, 64 for each of 256 in each step (2026-11-26, before arrays were laid
 * out for their readers). */
#define ELEMENT_WAIT 406.
#define ELEMENT_CYCLES 1.1
/* The same where eight are copied at a time and made wider. */
#define WIDENED_COPY 2.
/* The share of a resource's time that is not hidden behind the others'. */
#define OVERLAP_LOSS 0.1
/* A multiprocessor with fewer warps often has none that can go on. */
#define ENOUGH_WARPS 8
#define FEW_WARPS_LOSS 1.15
/* The share that products by warps reach of the rate of those by warpgroups, where there are both. */
#define WARPS_SHARE 0.62
/* The share of it that products by warpgroups reach whose left factor threads read, change and round in each
 * step, as a norm's: an H100 took 611 us for rmsnorm_linear of data/measured and an H200 631 (2026-11-26),
 * where the rate allows 415. */
#define CHANGED_SHARE 0.68

typedef struct
{
  double tensor, shared, special, lanes; /* cycles of a step */
} Work;

/* Returns the operations of a multiprocessor's tensor cores in a cycle. Where warpgroups multiply elements of
 * 8 bits, warps do it by instructions for f16: ptxas 13.0 makes two of mma.m16n8k32 for sm_90a and sm_100a,
 * and one for sm_89 and sm_120. */
static double
rate_of (const HeddleTileProgram *self, HeddleDtype dtype, const HeddleMachine *machine)
{
  gboolean both = g_strcmp0 (machine->arch, HEDDLE_TILE_WARPGROUP_ARCH) == 0;
  HeddleDtype real = both && !self->warpgroups && heddle_dtype_bytes (dtype) == 1 ? HEDDLE_DTYPE_F16 : dtype;
  double flops = machine->tensor_flops[real] / machine->sms / machine->clock;

  return MAX (both && !self->warpgroups ? WARPS_SHARE * flops : flops, 1);
}

gboolean
heddle_tile_program_changes_factor (const HeddleTileProgram *self)
{
  for (guint i = 0; i < self->body->len; i++)
    if (((const HeddleTileOp *) g_ptr_array_index (self->body, i))->kind == HEDDLE_TILE_UNPACK)
      return self->warpgroups;
  return FALSE;
}

static const HeddleTileOp *
find_product (const GPtrArray *ops)
{
  for (guint i = 0; i < ops->len; i++)
    if (((const HeddleTileOp *) g_ptr_array_index (ops, i))->kind == HEDDLE_TILE_CONTRACT)
      return g_ptr_array_index (ops, i);
  return NULL;
}

/* Returns how many elements of the axis a block has at a time. */
static double
elements_of (const HeddleTileProgram *self, const char *axis)
{
  static const HeddleBandKind kinds[] = { HEDDLE_BAND_GROUP, HEDDLE_BAND_STREAM };
  gint64 n = heddle_sizes_get (self->sizes, axis);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const HeddleNode *band = heddle_loop_program_get_band (self->program, axis, kinds[i]);

      n = band != NULL ? MIN (n, band->size) : n;
    }
  return (double) n;
}

/* Returns the share that exists of the rows and columns that a product goes through; the others only make its
 * tile whole. */
static double
filled (const HeddleTileProgram *self, const HeddleTileOp *product)
{
  const HeddleTensorTile *result = heddle_tile_at (self, product->tile);
  double rows = 1, columns = result->along != NULL ? elements_of (self, result->along) : 1;

  for (guint i = 0; i < self->rows->len; i++)
    rows *= elements_of (self, heddle_ids_index (self->rows, i));
  return MIN (rows / (double) MAX (self->n_rows, 1), 1)
         * MIN (columns / (double) MAX (result->n_along, 1), 1);
}

/* Returns the number of rows that skip the products of a pass together, if none of them chose its matrix: those of a
 * warp. Products of warpgroups are skipped nowhere. */
static gint64
rows_that_skip (const HeddleTileProgram *self)
{
  return self->warpgroups ? self->n_rows : self->n_rows / MAX (1, self->warps_down);
}

double
heddle_tile_program_tensor_share (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  const GPtrArray *const parts[] = { self->body, self->prologue, self->epilogue };
  const HeddleTileOp *product = NULL;
  HeddleDtype dtype;
  double peak;

  for (guint i = 0; product == NULL && i < G_N_ELEMENTS (parts); i++)
    product = find_product (parts[i]);
  if (product == NULL)
    return 1;
  dtype = heddle_tile_factor_type (self, product);
  peak = machine->tensor_flops[dtype] / machine->sms / machine->clock;
  if (peak <= 0)
    return 1;
  return MIN (rate_of (self, dtype, machine) / peak, 1) * filled (self, product)
         * (heddle_tile_program_changes_factor (self) ? CHANGED_SHARE : 1)
         / MAX (1, heddle_tile_passes (self, rows_that_skip (self)));
}

static void
add_product (Work *work, const HeddleTileProgram *self, const HeddleTileOp *op, const HeddleMachine *machine)
{
  HeddleDtype dtype = heddle_tile_factor_type (self, op);
  double flops = rate_of (self, dtype, machine);
  const HeddleTensorTile *result = heddle_tile_at (self, op->tile), *left = heddle_tile_at (self, op->left);
  double rows = (double) self->n_rows / 16, columns = (double) result->n_along / 16;
  double depth = (double) (left->along == heddle_tile_rows ? left->n_down : left->n_along) / 16;
  double taps = (double) heddle_tile_at (self, op->right)->taps;
  double groups = self->warpgroups ? self->warps_down / 4. : self->warps_down;
  double matrices = groups * columns * depth * taps;

  if (left->place == HEDDLE_TILE_SHARED)
    matrices += self->warps_along * rows * depth * taps;
  work->tensor += rows * 2 * columns * depth * taps * PRODUCT_FLOPS / flops;
  work->shared += matrices * MATRIX_ELEMENTS * heddle_dtype_bytes (dtype) / SHARED_BYTES_PER_CYCLE;
  if (op->node->rescale != NULL)
    work->lanes += (double) self->n_rows * result->n_along / LANES_PER_CYCLE;
}

/* Adds the work of 16 rows more, by warps, of a factor that each reads once for all. */
static void
add_columns (Work *work, const HeddleTileProgram *self, const HeddleTileOp *op, const HeddleMachine *machine)
{
  const HeddleTensorTile *right = heddle_tile_at (self, op->right);
  double matrices = (double) right->n_down / 16 * ((double) right->n_along / 16);
  double rate = rate_of (self, right->dtype, machine);

  work->tensor += 2 * matrices * PRODUCT_FLOPS / (self->warpgroups ? WARPS_SHARE * rate : rate);
  work->shared += matrices * MATRIX_ELEMENTS * heddle_dtype_bytes (right->dtype) / SHARED_BYTES_PER_CYCLE;
}

/* Returns whether the columns of a tile are not those of its array's last axis. */
static gboolean
is_strided (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, tile->buffer);

  return tile->along != NULL && buffer->axes->len > 0
         && heddle_ids_index (buffer->axes, buffer->axes->len - 1) != tile->along;
}

/* Returns the cycles to store a tile. Elements that do not lie side by side are stored one by one, and those
 * beyond the end of the axis not at all. */
static double
store_cycles (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, tile->buffer);
  int at = tile->along != NULL ? heddle_ids_find (buffer->axes, tile->along) : -1;

  if (at < 0 || !is_strided (self, tile))
    return (double) (self->n_rows * tile->n_along) / LANES_PER_CYCLE;
  return STRIDED_STORE * (double) (self->n_rows * heddle_tile_extent (self, buffer, (guint) at))
         / LANES_PER_CYCLE;
}

typedef struct
{
  const HeddleTileProgram *program;
  const HeddleTileOp *op;
} Point;

/* Returns whether a leaf differs from point to point of a tile: what is the same along a row is computed once
 * for it. */
static gboolean
varies (const HeddleExpr *leaf, gpointer data)
{
  const Point *point = data;
  guint source;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX;
  source = g_array_index (point->op->node->sources, guint, heddle_expr_get_operand (leaf));
  return heddle_tile_at (point->program, source)->place != HEDDLE_TILE_ROW;
}

/* Adds what is done at each point of a tile in registers. What is done once counts least: the price of a
 * kernel of its own, with which this one is compared, is of what it moves, and includes no instructions
 * either. */
static void
add_points (Work *work, const HeddleTileProgram *self, const HeddleTileOp *op, const HeddleTensorTile *tile,
    const HeddleMachine *machine, gboolean streamed)
{
  double points
      = (double) self->n_rows * tile->n_along * (tile->along == self->split ? 1 : self->warps_along);
  double instructions = 0, special = op->kind == HEDDLE_TILE_EXPONENTIAL ? 1 : 0;
  Point point = { self, op };

  if (op->body != NULL && streamed)
    heddle_pointwise_count (op->body, varies, &point, &instructions, &special);
  work->lanes += MAX (LEAST_INSTRUCTIONS, instructions) / ISSUED_PER_LANE * points / LANES_PER_CYCLE;
  work->special += special * points / machine->special_per_clock;
}

static void
add_op (Work *work, const HeddleTileProgram *self, const HeddleTileOp *op, const HeddleMachine *machine,
    gboolean streamed)
{
  const HeddleTensorTile *tile
      = op->tile == G_MAXUINT || op->kind == HEDDLE_TILE_ACQUIRE ? NULL : heddle_tile_at (self, op->tile);
  const HeddleTensorTile *columns = op->kind == HEDDLE_TILE_REDUCE ? heddle_tile_at (self, op->left) : tile;

  if (op->kind == HEDDLE_TILE_CONTRACT)
    add_product (work, self, op, machine);
  else if (op->kind == HEDDLE_TILE_COLUMNS)
    add_columns (work, self, op, machine);
  else if (op->kind == HEDDLE_TILE_STORE)
    work->lanes += store_cycles (self, tile);
  else if (op->kind == HEDDLE_TILE_MAP || op->kind == HEDDLE_TILE_REDUCE
           || op->kind == HEDDLE_TILE_EXPONENTIAL || op->kind == HEDDLE_TILE_UNPACK)
    add_points (work, self, op, columns, machine, streamed);
}

static Work
work_of (const HeddleTileProgram *self, const GPtrArray *ops, const HeddleMachine *machine, gboolean streamed)
{
  Work work = { 0 };

  for (guint i = 0; i < ops->len; i++)
    add_op (&work, self, g_ptr_array_index (ops, i), machine, streamed);
  return work;
}

/* Returns the cycles for an element of a tile that is not copied by vectors as it is; @n blocks wait side by
 * side. */
static double
element_cycles (const HeddleTileProgram *self, const HeddleTensorTile *tile, double n)
{
  if (tile->vectors && tile->widened != NULL)
    return WIDENED_COPY / LANES_PER_CYCLE;
  if (tile->window != NULL || tile->taps > 1)
    return ELEMENT_COPY / LANES_PER_CYCLE;
  if (heddle_tile_has_odd_rows (self, tile->buffer) && (tile->vectors || !is_strided (self, tile)))
    return ODD_CYCLES;
  return ELEMENT_CYCLES + ELEMENT_WAIT / n / heddle_tile_threads (self);
}

/* Returns whether threads copy the elements of a tile one by one. With @clock it counts rows that are not
 * aligned to 16 bytes, too, but leaves out what is widened while it is copied, since nobody measured how much
 * of that is hidden. */
static gboolean
is_picked (const HeddleTileProgram *self, const HeddleTensorTile *tile, gboolean clock)
{
  if (tile->place != HEDDLE_TILE_SHARED)
    return FALSE;
  return !tile->vectors || (clock ? heddle_tile_by_elements (self, tile->buffer) : tile->widened != NULL);
}

/* Returns the cycles for what threads pick, in each step or once. */
static double
picked (const HeddleTileProgram *self, gboolean streamed, double n, gboolean clock)
{
  double cycles = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (self, i);

      if ((tile->point >= 0) == streamed && is_picked (self, tile, clock))
        cycles += element_cycles (self, tile, n) * (double) (tile->taps * tile->n_down * tile->n_along);
    }
  return cycles;
}

/* Returns the bytes that come from the L2 cache, in each step or once. */
static double
copied (const HeddleTileProgram *self, gboolean streamed)
{
  double bytes = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (self, i);

      if (tile->place == HEDDLE_TILE_SHARED && (tile->point >= 0) == streamed)
        bytes += (double) tile->slot_bytes;
    }
  return bytes;
}

/* Returns the number of blocks. */
static double
blocks_of_rows (const HeddleTileProgram *self)
{
  const HeddleNode *node = self->program->root;
  double blocks = 1;

  while (node->children->len == 1)
    {
      node = g_ptr_array_index (node->children, 0);
      if (node->kind != HEDDLE_NODE_BAND || node->band != HEDDLE_BAND_GROUP)
        break;
      if (self->pass == NULL || node->axis != self->matrices)
        blocks *= (double) ((heddle_sizes_get (self->sizes, node->axis) + node->size - 1) / node->size);
    }
  return blocks;
}

/* Returns the number of blocks, each as often as it makes passes. */
static double
blocks_of (const HeddleTileProgram *self)
{
  return blocks_of_rows (self) * heddle_tile_passes (self, self->n_rows);
}

/* Returns the bytes that a multiprocessor gets from the L2 cache in a cycle: its share among those that have
 * a block, as far as its own port lets through. */
static double
l2_bytes_per_cycle (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  int level = heddle_machine_find_level (machine, "l2");
  double bandwidth
      = level >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, level))->bandwidth : 0;
  double busy = MIN (blocks_of (self), (double) machine->sms);

  return bandwidth > 0 ? MIN (bandwidth / busy / machine->clock, L2_PORT_BYTES) : L2_PORT_BYTES;
}

/* Returns the number of blocks that one multiprocessor has at a time. */
static double
resident (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  int level = heddle_machine_find_level (machine, "smem");
  const HeddleLevel *shared = level >= 0 ? g_ptr_array_index (machine->levels, level) : NULL;
  gint64 registers = (gint64) MIN (255, self->accumulators + OTHER_REGISTERS) * heddle_tile_threads (self);
  gint64 n = MIN (REGISTERS / registers, 8);

  if (shared != NULL)
    n = MIN (n, shared->total_bytes / (self->shared_bytes + machine->reserved_shared_bytes));
  return (double) MAX (n, 1);
}

static double
cycles_of (const HeddleTileProgram *self, Work work, double bytes, const HeddleMachine *machine)
{
  double moved = bytes / l2_bytes_per_cycle (self, machine);

  /* copies go on through all of a step, products through the part of it that asks for them; what is not the
   * bound still gets in its way */
  return MAX (MAX (work.tensor, work.shared) + MAX (work.special, work.lanes), moved)
         + OVERLAP_LOSS * (work.tensor + work.shared + moved);
}

/* Returns the cycles of what is done once: copies and then the rest, which a block alone on its
 * multiprocessor does one after the other. */
static double
once_of (const HeddleTileProgram *self, const HeddleMachine *machine, gboolean alone)
{
  Work work = work_of (self, self->prologue, machine, FALSE);
  double bytes = copied (self, FALSE), apart = cycles_of (self, work, 0, machine);

  if (alone)
    return apart + cycles_of (self, (Work){ 0 }, bytes, machine);
  return cycles_of (self, work, bytes, machine);
}

/* Returns the cycles that a step takes beside its work. */
static double
waits_of (const HeddleTileProgram *self)
{
  double cycles = self->points * (self->bulk ? HAND_OVER_CYCLES : POINT_CYCLES);

  if (self->under_way > 0)
    return POINT_CYCLES_UNDER_WAY;
  for (guint i = 0; self->warpgroups && i < self->body->len; i++)
    if (((const HeddleTileOp *) g_ptr_array_index (self->body, i))->kind == HEDDLE_TILE_CONTRACT)
      cycles += PRODUCT_LATENCY;
  return cycles;
}

/* Returns how often a block runs through the body: over the whole axis, or over its part if the axis is
 * divided among blocks. */
static double
steps_of (const HeddleTileProgram *self)
{
  const HeddleNode *part;
  gint64 n;

  if (self->stream == NULL)
    return 0;
  part = heddle_loop_program_get_band (self->program, self->stream->axis, HEDDLE_BAND_GROUP);
  n = heddle_sizes_get (self->sizes, self->stream->axis);
  if (part != NULL)
    n = MIN (n, part->size);
  return (double) ((n + self->stream->size - 1) / self->stream->size);
}

/* Returns the cycles of a tile program. It is not known which family is faster for odd rows, for only one of
 * them was measured, so they are left out. */
double
heddle_tile_program_cycles (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  double most = resident (self, machine), waves;
  double n = MIN (most, MAX (1, ceil (blocks_of (self) / machine->sms))); /* if there are as many */
  double once = once_of (self, machine, most == 1) + picked (self, FALSE, n, FALSE)
                + cycles_of (self, work_of (self, self->epilogue, machine, FALSE), 0, machine);
  double step = cycles_of (self, work_of (self, self->body, machine, TRUE), copied (self, TRUE), machine)
                + picked (self, TRUE, n, FALSE);
  double steps = steps_of (self);

  waves = blocks_of (self) / (n * machine->sms);
  waves = waves < 1 ? 1 : (double) ((gint64) (waves + 0.999999));
  if (n * self->warps_down * self->warps_along < ENOUGH_WARPS)
    step *= FEW_WARPS_LOSS;
  if (heddle_tile_program_changes_factor (self))
    step /= CHANGED_SHARE;
  return waves * (n * (once + steps * step) + steps * waits_of (self));
}

double
heddle_tile_program_copy_seconds (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  double n = MIN (resident (self, machine), MAX (1, ceil (blocks_of (self) / machine->sms)));
  double block = picked (self, FALSE, n, TRUE) + steps_of (self) * picked (self, TRUE, n, TRUE);

  return blocks_of (self) * block / (machine->sms * machine->clock);
}

/* The cycles in which a warp deals out 32 rows: it reads what they choose twice, counts them and compares them
 * with the block's matrices, which is the sum of the latencies of these instructions. And those of the
 * barriers and sums between. */
#define DEALING_CYCLES 125
#define DEALING_ONCE 1500

double
heddle_tile_program_dealing_seconds (const HeddleTileProgram *self, const HeddleMachine *machine)
{
  double rows = heddle_tile_dealt_rows (self), n = resident (self, machine);

  if (rows <= 0)
    return 0;
  return blocks_of_rows (self) * (DEALING_ONCE + DEALING_CYCLES * ceil (rows / heddle_tile_threads (self)))
         / (MIN (n, MAX (1, ceil (blocks_of_rows (self) / machine->sms))) * machine->sms * machine->clock);
}

/* Returns why warps compute products although the machine has them by warpgroups. */
static char *
explain_warps (const HeddleTileProgram *self, const HeddleTileProgram *groups, const HeddleMachine *machine,
    const char *refused)
{
  if (groups == NULL)
    return g_strdup_printf (
        _ ("products by warps (mma.sync): with these tiles none by warpgroups (wgmma) are possible: %s"),
        refused);
  return g_strdup_printf (
      _ ("products by warps (mma.sync): by warpgroups (wgmma), of %d rows a block, they would "
         "take %.4g µs instead of %.4g µs by the model"),
      (int) groups->n_rows, heddle_tile_program_cycles (groups, machine) / machine->clock * 1e6,
      heddle_tile_program_cycles (self, machine) / machine->clock * 1e6);
}

/* Returns the remark on passes, and why warps make them. */
static char *
explain_passes (const char *warps, gboolean dealt)
{
  return g_strdup_printf (
      dealt
          ? _ ("rows are dealt out to blocks sorted by the matrix that they choose, and those of one matrix "
               "share it, in a pass of the block for each: it holds one matrix, and reads as many as H says "
               "on average%s%s")
          : _ ("rows that choose the same matrix share it, in a pass of the block for each: it holds "
               "one matrix, and reads as many as H says on average%s%s"),
      warps != NULL ? "; " : "", warps != NULL ? warps : "");
}

/* The first architecture with mma.m16n8k32 of e4m3, sm_89 (PTX ISA, "mma", "Target ISA Notes"). */
#define BYTES_ARCH 89

static gboolean
multiplies_bytes (const HeddleMachine *machine)
{
  return machine->arch != NULL && g_str_has_prefix (machine->arch, "sm_")
         && g_ascii_strtoull (machine->arch + strlen ("sm_"), NULL, 10) >= BYTES_ARCH;
}

HeddleTileProgram *
heddle_tile_program_best (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, const HeddleMachine *machine, const HeddleTileWish *wish,
    char **why)
{
  int level = heddle_machine_find_level (machine, "smem");
  gint64 capacity
      = level >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, level))->capacity_bytes : 0;
  const gboolean bytes = multiplies_bytes (machine);
  const HeddleTileOptions by_warps = { .bytes = bytes },
                          by_groups = { .warpgroups = TRUE, .bulk = wish->bulk, .bytes = bytes };
  g_autofree char *unused = NULL;
  HeddleTileProgram *first = NULL, *second = NULL;

  if (wish->warps)
    first = heddle_tile_program_new (diagram, program, sizes, dtype, capacity, &by_warps, why);
  if (wish->warpgroups && g_strcmp0 (machine->arch, HEDDLE_TILE_WARPGROUP_ARCH) == 0)
    second = heddle_tile_program_new (
        diagram, program, sizes, dtype, capacity, &by_groups, wish->warps ? &unused : why);
  else if (!wish->warps)
    *why = g_strdup_printf (_ ("%s has no products by warpgroups"), machine->title);
  if (first == NULL
      || (second != NULL
          && heddle_tile_program_cycles (second, machine) < heddle_tile_program_cycles (first, machine)))
    {
      HeddleTileProgram *other = first;

      if (second != NULL && first == NULL && wish->warps)
        g_clear_pointer (why, g_free);
      first = second;
      second = other;
    }
  else if (wish->warpgroups && g_strcmp0 (machine->arch, HEDDLE_TILE_WARPGROUP_ARCH) == 0)
    first->choice = explain_warps (first, second, machine, unused);
  if (first != NULL && first->pass != NULL)
    {
      g_autofree char *warps = first->choice;

      first->choice = explain_passes (warps, first->dealt != NULL);
    }
  heddle_tile_program_free (second);
  return first;
}
