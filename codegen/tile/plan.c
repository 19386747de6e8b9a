/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/bulk.h"
#include "codegen/tile/choice.h"
#include "codegen/tile/columns.h"
#include "codegen/tile/plan.h"
#include "codegen/tile/program.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

/* This file divides the rows among warps, and lays out shared memory. */

/* A block of more warps would leave each too few registers. */
#define MOST_WARPS 8
/* The number of a thread's 255 registers that accumulators may take: beyond it, loops spill. */
#define MOST_ACCUMULATORS 200
/* The same where products of two steps are under way at a time: more spilled in multi-head-latent-attention
 * (CUDA 13.0). */
#define MOST_ACCUMULATORS_AHEAD 176
/* The tile of a warp that multiplies alone: 4 x 16 rows, 64 columns. */
#define MOST_TILES_DOWN 4
#define MOST_COLUMNS 64
#define LEAST_COLUMNS 32
#define LEAST_WARPS 4
/* The number of rows, and the greatest number of columns, of a product of a warpgroup; columns that two
 * groups share begin at a whole panel. */
#define GROUP_ROWS 64
#define GROUP_COLUMNS 256

/* --- what the products allow --- */

typedef struct
{
  const char *along; /* of all products */
  gboolean several;
} Products;

static gboolean
note_product (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Products *products = data;
  const HeddleTensorTile *result = heddle_tile_at (self->made, node->buffer);
  guint left, right;

  if (!heddle_tile_is_contraction (node, &left, &right) || result->place != HEDDLE_TILE_FRAGMENT)
    return TRUE;
  products->several |= products->along != NULL && products->along != result->along;
  products->along = result->along;
  return TRUE;
}

typedef struct
{
  const char *axis;
  gboolean reduced;
} Reduced;

static gboolean
note_reduced (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Reduced *reduced = data;

  reduced->reduced |= node->over != NULL && heddle_ids_contain (node->over, reduced->axis);
  return TRUE;
}

/* Returns the columns of a factor: one that is written with a product's columns in front can be read
 * anywhere, others by whole panels. */
static gint64
columns_of (HeddleTileMaker *self, const char *along)
{
  gint64 n = 0;

  for (guint i = 0; i < self->made->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (self->made, i);

      if (tile->place == HEDDLE_TILE_FRAGMENT && tile->along == along)
        n = MAX (n, tile->n_along);
    }
  return n;
}

/* --- warps --- */

static gint64
rows_of (const HeddleTileProgram *self)
{
  gint64 n = 1;

  for (guint i = 0; i < self->rows->len; i++)
    {
      const char *axis = heddle_ids_index (self->rows, i);
      gboolean grouped = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL;

      n *= heddle_loop_program_extent (
          self->program, self->sizes, axis, grouped ? HEDDLE_EXTENT_TILE : HEDDLE_EXTENT_FULL);
    }
  return n;
}

/* Returns the columns of a tile with what a map makes of it: of a warpgroup that is a factor, packed by two,
 * and of a warp as much again. */
static gint64
unpacked_columns (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  gint64 columns = heddle_tile_columns (self, tile);

  return columns + (self->warpgroups ? columns / 2 : columns);
}

typedef struct
{
  const HeddleTileProgram *made;
  gint64 columns;
} Begun;

/* Records whether a map begins a tile in registers, as one of arrays from global memory does; one of such a
 * tile continues in its place. */
static gboolean
note_begun (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Begun *begun = data;
  const HeddleTensorTile *tile
      = node->kind == HEDDLE_NODE_COMPUTE ? heddle_tile_at (begun->made, node->buffer) : NULL;

  if (tile == NULL || tile->place != HEDDLE_TILE_FRAGMENT || node->over->len > 0 || node->sources->len == 0)
    return TRUE;
  for (guint i = 0; i < node->sources->len; i++)
    {
      const HeddleTensorTile *source = heddle_tile_at (begun->made, g_array_index (node->sources, guint, i));

      if (source->place == HEDDLE_TILE_FRAGMENT || source->unpacked)
        return TRUE;
    }
  begun->columns += heddle_tile_columns (begun->made, tile);
  return TRUE;
}

/* Returns the registers for results of products, for fragments read from shared memory, and for what maps
 * make of global memory. */
static guint
accumulators_of (const HeddleTileProgram *self, HeddleTileMaker *maker)
{
  Begun begun = { self, 0 };
  gint64 columns = 0;

  heddle_tile_walk (maker, note_begun, &begun);
  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (self, i);
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
      guint product = 0;

      for (guint k = 0; k < maker->products->len; k++)
        product += g_array_index (maker->products, guint, k) == i;
      if (tile->unpacked)
        columns += unpacked_columns (self, tile);
      else if (tile->place == HEDDLE_TILE_FRAGMENT && (product > 0 || buffer->role == HEDDLE_BUFFER_STATE))
        columns += MAX (product, 1) * heddle_tile_columns (self, tile);
    }
  return (guint) (self->tiles_down * (columns + begun.columns) / 2) + heddle_tile_column_registers (maker);
}

static gboolean
holds_bytes (HeddleTileMaker *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_at (self->made, i);

  return tile->place == HEDDLE_TILE_SHARED && heddle_dtype_bytes (tile->dtype) == 1;
}

/* Records a result. What is added to the former result counts twice, since the tensor core adds products of 8
 * bits up with few bits. */
static gboolean
note_result (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  guint left, right;

  if (!heddle_tile_is_contraction (node, &left, &right) || node->buffer >= self->made->tiles->len
      || heddle_tile_at (self->made, node->buffer)->place != HEDDLE_TILE_FRAGMENT)
    return TRUE;
  g_array_append_val (self->products, node->buffer);
  if (self->warpgroups && node->accumulate && holds_bytes (self, left) && holds_bytes (self, right))
    g_array_append_val (self->products, node->buffer);
  return TRUE;
}

/* Divides rows and columns: large tiles a warp read less from shared memory, but four warps are wanted. */
static void
share_both (HeddleTileProgram *self, gint64 tiles, gint64 columns)
{
  gint64 down = MIN (MOST_TILES_DOWN, tiles), along = columns % MOST_COLUMNS == 0 ? MOST_COLUMNS : columns;

  while ((tiles + down - 1) / down * (columns / along) < LEAST_WARPS)
    if (down > 1 && down * HEDDLE_TILE_STEP >= along)
      down = (down + 1) / 2;
    else if (along > LEAST_COLUMNS && along % (2 * HEDDLE_TILE_STEP) == 0)
      along /= 2;
    else if (down > 1)
      down = (down + 1) / 2;
    else
      break;
  self->tiles_down = (guint) down;
  self->warps_down = (guint) ((tiles + down - 1) / down);
  self->warps_along = (guint) (columns / along);
}

/* Divides rows among warps. Attention at d = 128 was compiled both ways (CUDA 13.0, sm_80). One m16 tile a
 * warp against 128 columns of the stream: 222 registers, nothing spilled, 4.1 instructions for each product,
 * 136 reads of four matrices for 256 products. Two tiles against 64 columns: 255 registers and 9 spills in
 * the loop, 4.2 instructions, 80 reads. Two tiles read less of shared memory, which at one tile takes nearly
 * as long as the products, but do not fit: a second tile is for blocks that have more rows than 8 warps hold
 * with one. */
static void
share_rows (HeddleTileProgram *self, gint64 tiles, guint wanted)
{
  self->tiles_down = wanted > 0 ? wanted : 1;
  while (
      wanted == 0 && (tiles + self->tiles_down - 1) / self->tiles_down > MOST_WARPS && self->tiles_down < 2)
    self->tiles_down++;
  self->warps_down = (guint) ((tiles + self->tiles_down - 1) / self->tiles_down);
  self->warps_along = 1;
}

/* Divides a block among at most two warpgroups, each with one tile of 64 rows: side by side along the columns
 * if there are no more rows. */
static gboolean
share_groups (HeddleTileMaker *self, gint64 tiles, gint64 columns, gboolean both)
{
  HeddleTileProgram *made = self->made;
  gboolean halves
      = both && tiles == 1 && columns >= 2 * HEDDLE_TILE_PANEL && columns % (2 * HEDDLE_TILE_PANEL) == 0;

  made->tiles_down = 1;
  made->warps_along = halves ? 2 : 1;
  made->warps_down = (guint) MIN (4 * tiles, 2 * MOST_WARPS);
  if (columns / made->warps_along > GROUP_COLUMNS)
    return heddle_tile_refuse (self, _ ("a product has %d columns, and a warpgroup multiplies %d at most"),
        (int) MIN (columns, G_MAXINT), GROUP_COLUMNS);
  return TRUE;
}

static gboolean
share (HeddleTileMaker *self, const HeddleTileOptions *options, gint64 rows, gint64 columns, gboolean both)
{
  gint64 tiles = (rows + HEDDLE_TILE_STEP - 1) / HEDDLE_TILE_STEP;

  if (options->warpgroups)
    return share_groups (self, (rows + GROUP_ROWS - 1) / GROUP_ROWS, columns, both);
  if (both)
    share_both (self->made, tiles, columns);
  else
    share_rows (self->made, tiles, options->tiles_down);
  return TRUE;
}

/* Returns the widest product. */
static gint64
widest_of (HeddleTileMaker *self)
{
  gint64 n = 0;

  for (guint i = 0; i < self->products->len; i++)
    n = MAX (n, heddle_tile_at (self->made, g_array_index (self->products, guint, i))->n_along);
  return n;
}

gboolean
heddle_tile_choose_warps (HeddleTileMaker *self, const HeddleTileOptions *options)
{
  HeddleTileProgram *made = self->made;
  Products products = { NULL, FALSE };
  Reduced reduced = { NULL, FALSE };
  gint64 tiles = (rows_of (made) + HEDDLE_TILE_STEP - 1) / HEDDLE_TILE_STEP;
  gboolean both;

  heddle_tile_walk (self, note_product, &products);
  heddle_tile_walk (self, note_result, NULL);
  if (self->products->len == 0)
    return heddle_tile_refuse (self, _ ("it has no product of two tiles"));
  reduced.axis = products.along;
  heddle_tile_walk (self, note_reduced, &reduced);
  if (tiles > MOST_WARPS * MOST_TILES_DOWN)
    return heddle_tile_refuse (self, _ ("a block has %d rows, more than %d"),
        (int) MIN (tiles * HEDDLE_TILE_STEP, G_MAXINT), MOST_WARPS * MOST_TILES_DOWN * HEDDLE_TILE_STEP);
  both = !products.several && !reduced.reduced;
  made->warpgroups = options->warpgroups;
  if (both)
    made->split = products.along;
  if (!share (
          self, options, rows_of (made), both ? columns_of (self, products.along) : widest_of (self), both))
    return FALSE;
  made->n_rows = (gint64) made->warps_down * made->tiles_down * HEDDLE_TILE_STEP;
  made->accumulators = accumulators_of (made, self);
  if (made->warps_down * made->warps_along > MOST_WARPS)
    return heddle_tile_refuse (
        self, _ ("a block needs %u warps, more than %d"), made->warps_down * made->warps_along, MOST_WARPS);
  if (made->accumulators > MOST_ACCUMULATORS)
    return heddle_tile_refuse (self, _ ("a thread needs %u registers for its tiles, more than %d"),
        made->accumulators, MOST_ACCUMULATORS);
  return TRUE;
}

/* --- shared memory --- */

/* Returns the bytes of a tile whose rows lie in one panel after the other: a panel has as many columns as 128
 * bytes. */
static gint64
panels_bytes (const HeddleTensorTile *tile)
{
  gint64 bytes = tile->n_along * heddle_dtype_bytes (tile->dtype);

  return heddle_tile_round (bytes, HEDDLE_TILE_PANEL_BYTES) * tile->n_down * tile->taps;
}

static gint64
place (HeddleTileProgram *self, guint stages)
{
  gint64 end = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      HeddleTensorTile *tile = heddle_tile_at (self, i);

      if (tile->place != HEDDLE_TILE_SHARED)
        continue;
      if (tile->down == heddle_tile_rows && tile->window == NULL)
        tile->n_down = self->n_rows;
      if (tile->along == heddle_tile_rows)
        tile->n_along = self->n_rows;
      tile->slots = tile->point >= 0 ? stages : 1;
      tile->slot_bytes = panels_bytes (tile);
      tile->offset = end;
      end += tile->slots * tile->slot_bytes;
    }
  return end;
}

/* Returns how many products a step makes, if it does nothing else: nobody then asks for them before the last
 * step, and they can go on while the next step begins. Returns 0 if it does something else. */
static guint
lone_products (const HeddleTileProgram *self)
{
  for (guint i = 0; i < self->body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->body, i);

      if (op->kind != (i == 0 ? HEDDLE_TILE_ACQUIRE : HEDDLE_TILE_CONTRACT)
          || (i > 0
              && (!op->node->accumulate || op->node->rescale != NULL
                  || heddle_tile_at (self, op->left)->place != HEDDLE_TILE_SHARED
                  || heddle_dtype_bytes (heddle_tile_factor_type (self, op)) == 1)))
        return 0;
    }
  return self->body->len > 1 ? self->body->len - 1 : 0;
}

/* Returns whether an operation works on registers alone, or reads what stays in global memory. */
static gboolean
is_between_products (const HeddleTileOp *op)
{
  return op->kind == HEDDLE_TILE_MAP || op->kind == HEDDLE_TILE_EXPONENTIAL || op->kind == HEDDLE_TILE_MASK
         || op->kind == HEDDLE_TILE_REDUCE;
}

/* Returns whether steps can overlap: the product that a step of attention begins with is computed anew from
 * tiles, and the one that it ends with is added up from what is between them, of which a copy in 16 bits has
 * registers of its own. */
static gboolean
can_begin_ahead (const HeddleTileProgram *self)
{
  const GPtrArray *body = self->body;
  const HeddleTileOp *first, *last;
  const HeddleTensorTile *left;

  if (!self->bulk || body->len < 5 || self->points != 2 || self->stages < 2 || self->pass != NULL)
    return FALSE;
  first = g_ptr_array_index (body, 1);
  last = g_ptr_array_index (body, body->len - 1);
  for (guint i = 2; i + 2 < body->len; i++)
    if (!is_between_products (g_ptr_array_index (body, i)))
      return FALSE;
  if (first->kind != HEDDLE_TILE_CONTRACT || first->node->accumulate || last->kind != HEDDLE_TILE_CONTRACT
      || !last->node->accumulate
      || ((const HeddleTileOp *) g_ptr_array_index (body, 0))->kind != HEDDLE_TILE_ACQUIRE
      || ((const HeddleTileOp *) g_ptr_array_index (body, body->len - 2))->kind != HEDDLE_TILE_ACQUIRE)
    return FALSE;
  left = heddle_tile_at (self, last->left);
  return heddle_tile_at (self, first->left)->place == HEDDLE_TILE_SHARED
         && left->place == HEDDLE_TILE_FRAGMENT
         && heddle_dtype_bytes (heddle_tile_factor_type (self, last)) == 2
         && self->accumulators + (guint) heddle_tile_columns (self, left) / 4 <= MOST_ACCUMULATORS_AHEAD;
}

/* The number of stages if products go on: they keep one more slot from being filled again. */
#define LEAST_STAGES_UNDER_WAY 4

/* The number of stages of a ring whose slots are handed over one by one: products that go on keep one slot,
 * and another is to be filled meanwhile. */
#define LEAST_STAGES_HANDED_OVER 3

/* Decides whether the copy hardware brings the tiles. */
static void
choose_bulk (HeddleTileProgram *self, const HeddleTileOptions *options)
{
  if (options->bulk && self->warpgroups)
    self->bulk_fault = heddle_tile_bulk_fault (self);
  self->bulk = options->bulk && self->warpgroups && self->bulk_fault == NULL && self->stream != NULL;
}

/* Plans shared memory: as many steps are under way as there is room for; with one point a step at least
 * two. */
gboolean
heddle_tile_plan_memory (HeddleTileMaker *self, const HeddleTileOptions *options)
{
  HeddleTileProgram *made = self->made;
  guint products = made->warpgroups ? lone_products (made) : 0;
  guint keeps = LEAST_STAGES_UNDER_WAY;
  guint least = made->points == 1 ? 2 : 1, most = made->points == 0 ? 1 : made->points == 1 ? 3 : 2;

  choose_bulk (made, options);
  if (made->bulk)
    {
      least = 2;
      keeps = LEAST_STAGES_HANDED_OVER;
      most = MAX (most, made->points == 1 ? LEAST_STAGES_UNDER_WAY : 2);
    }
  if (products > 0)
    most = LEAST_STAGES_UNDER_WAY;
  if (options->stages > 0)
    least = most = MAX (least, options->stages);
  for (made->stages = most; made->stages >= least; made->stages--)
    {
      made->barriers = place (made, made->stages);
      made->shared_bytes
          = heddle_tile_place_columns (made, made->barriers + heddle_tile_barrier_bytes (made));
      made->shared_bytes = heddle_tile_place_tables (made, made->shared_bytes);
      made->under_way = made->stages >= keeps ? products : 0;
      made->ahead = can_begin_ahead (made);
      if (made->shared_bytes <= self->capacity)
        return TRUE;
    }
  return heddle_tile_refuse (self, _ ("its tiles take %.0f KiB of shared memory, of %.0f"),
      (double) made->shared_bytes / 1024, (double) self->capacity / 1024);
}
