/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/guard.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/bulk.h"
#include "codegen/tensor/choice.h"
#include "codegen/tensor/columns.h"
#include "codegen/tensor/copy.h"
#include "codegen/tensor/fragment.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tensor/map.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/product.h"
#include "codegen/tensor/store.h"
#include "codegen/tile/program.h"
#include "derive/program/loop-program.h"

/* A kernel of the sm_80 family: its declarations, and its operations in order. */

static void
blank (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "%s", "");
}

/* --- tiles --- */

/* Returns the shape of a tile, as [TILE_y][k], and the loop program's name for it. */
static char *
describe (HeddleTensorKernel *self, guint i)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, i);
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  g_autofree char *down = tile->down != NULL ? heddle_tensor_length (self, tile->down,
                              tile->down == heddle_tile_rows ? self->tiles->n_rows : tile->n_down)
                                             : NULL;
  g_autofree char *along
      = tile->along != NULL ? heddle_tensor_length (self, tile->along, tile->n_along) : NULL;
  GString *text = g_string_new (NULL);

  if (down != NULL)
    g_string_append_printf (text, "[%s]", down);
  if (along != NULL)
    g_string_append_printf (text, "[%s]", along);
  if (buffer->title != NULL)
    g_string_append_printf (text, " %s", buffer->title);
  if (tile->slots > 1)
    g_string_append_printf (text, ", %u slots", tile->slots);
  return g_string_free (text, FALSE);
}

static void
print_shared (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "extern __shared__ __align__ (%d) unsigned char shared[];",
      self->tiles->warpgroups ? 1024 : 128);
  heddle_tensor_use (self, "shared address");
  for (guint i = 0; i < self->tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
      g_autofree char *description = NULL;

      if (tile->place != HEDDLE_TILE_SHARED && tile->place != HEDDLE_TILE_COLUMN)
        continue;
      description = describe (self, i);
      if (tile->place == HEDDLE_TILE_COLUMN)
        {
          heddle_cuda_line (&self->cuda,
              "float *const %s = reinterpret_cast<float *> (shared + %" G_GINT64_FORMAT ");  // %s",
              heddle_tensor_name (self, i), tile->offset, description);
          continue;
        }
      heddle_cuda_line (&self->cuda,
          "const unsigned %s = shared_address (shared) + %" G_GINT64_FORMAT ";  // %s",
          heddle_tensor_name (self, i), tile->offset, description);
    }
  if (self->tiles->bulk)
    heddle_tensor_print_barriers (self);
}

static void
print_registers (HeddleTensorKernel *self)
{
  g_autofree char *m16
      = self->tiles->tiles_down > 1 ? g_strdup_printf ("[%u]", self->tiles->tiles_down) : g_strdup ("");

  for (guint i = 0; i < self->tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
      const char *name = heddle_tensor_name (self, i);
      g_autofree char *description = NULL, *columns = NULL;

      if (tile->alias >= 0
          || (tile->place != HEDDLE_TILE_FRAGMENT && tile->place != HEDDLE_TILE_ROW && !tile->unpacked))
        continue;
      description = describe (self, i);
      if (tile->along != NULL)
        columns = heddle_tensor_length (self, tile->along, heddle_tile_columns (self->tiles, tile));
      if (tile->place == HEDDLE_TILE_ROW)
        heddle_cuda_line (&self->cuda, "float %s%s[2];  // %s", name, m16, description);
      else
        heddle_cuda_line (&self->cuda, "float %s%s%s[%s / 8][4];  // %s", name,
            tile->unpacked ? "_values" : "", m16, columns, description);
    }
  heddle_tensor_print_column_registers (self);
}

/* --- the lane's place --- */

/* Returns how many columns a warp, or a warpgroup, has if they are divided. */
static gint64
shared_columns (const HeddleTileProgram *tiles)
{
  gint64 columns = 0;

  for (guint i = 0; i < tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (tiles, i);

      if (tile->along == tiles->split && tile->place == HEDDLE_TILE_FRAGMENT)
        columns = heddle_tile_columns (tiles, tile);
    }
  return columns;
}

static void
print_warp (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const guint warps = tiles->warpgroups ? 4 : 1, along = tiles->warps_along;
  g_autofree char *group
      = warps * along > 1 ? g_strdup_printf ("warp / %u", warps * along) : g_strdup ("warp");

  if (tiles->warpgroups)
    heddle_cuda_line (&self->cuda,
        "const int group_row = %s * 64, warp_row = group_row + warp %% 4 * 16, row = warp_row + lane / 4, "
        "column = "
        "lane %% 4 * 2;",
        group);
  else
    heddle_cuda_line (&self->cuda,
        "const int warp_row = %s * %u, row = warp_row + lane / 4, column = lane %% 4 * 2;", group,
        16 * tiles->tiles_down);
  if (along > 1)
    heddle_cuda_line (&self->cuda, "const int warp_column = %s %% %u * %" G_GINT64_FORMAT ";",
        warps > 1 ? "warp / 4" : "warp", along, shared_columns (tiles));
}

static void
print_lane (HeddleTensorKernel *self, const HeddleCudaText *body)
{
  static const char *const offsets[] = { "down", "along", "words", "rows", "pairs" };

  blank (self);
  heddle_cuda_line (
      &self->cuda, "// Of each 16 rows and 8 columns a lane holds two columns of `row` and two of row + 8.");
  if (self->tiles->rows->len == 0)
    heddle_cuda_line (&self->cuda, "// There is one row, and zeros below it: to bring what it is multiplied "
                                   "by takes longer than products do.");
  heddle_cuda_line (&self->cuda, "const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;");
  print_warp (self);
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    if (heddle_cuda_text_uses (body, offsets[i]))
      heddle_cuda_line (&self->cuda, "const unsigned %s = lane_offset_%s (lane);", offsets[i], offsets[i]);
}

/* --- operations --- */

/* Prints a comment with the statement that an operation computes. */
static void
print_comment (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  self->cuda.node = op->node;
  if (op->kind == HEDDLE_TILE_STORE)
    heddle_cuda_line (
        &self->cuda, "// save %s", heddle_loop_program_get_buffer (self->tiles->program, op->tile)->name);
  else if (op->node != NULL)
    {
      heddle_cuda_statement_comment (&self->cuda, op->node);
    }
  else if (op->kind == HEDDLE_TILE_MASK)
    heddle_cuda_line (&self->cuda, "// what lies behind the end of %s",
        heddle_names_axis (self->cuda.names, heddle_tile_program_get (self->tiles, op->tile)->along));
  else if (op->kind == HEDDLE_TILE_UNPACK)
    heddle_cuda_line (&self->cuda, "// %s in registers",
        heddle_loop_program_get_buffer (self->tiles->program, op->tile)->name);
}

static void
print_op (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  static void (*const print[]) (HeddleTensorKernel * self, const HeddleTileOp *op) = {
    [HEDDLE_TILE_UNPACK] = heddle_tensor_unpack,
    [HEDDLE_TILE_MAP] = heddle_tensor_map,
    [HEDDLE_TILE_EXPONENTIAL] = heddle_tensor_exponential,
    [HEDDLE_TILE_MASK] = heddle_tensor_mask,
    [HEDDLE_TILE_REDUCE] = heddle_tensor_reduce,
    [HEDDLE_TILE_CONTRACT] = heddle_tensor_contract,
    [HEDDLE_TILE_COLUMNS] = heddle_tensor_columns,
    [HEDDLE_TILE_STORE] = heddle_tensor_store,
  };

  if (self->tiles->bulk && op->kind == HEDDLE_TILE_COPY)
    return; /* others bring it */
  self->cuda.operation = op->node != NULL ? op->node->operation : NULL;
  blank (self);
  if (op->kind == HEDDLE_TILE_ACQUIRE && self->tiles->bulk)
    heddle_tensor_acquire_bulk (self, op->tile);
  else if (op->kind == HEDDLE_TILE_COPY)
    {
      heddle_cuda_line (
          &self->cuda, "// load %s", heddle_loop_program_get_buffer (self->tiles->program, op->tile)->name);
      heddle_tensor_copy (self, op->tile, "0");
    }
  else if (op->kind == HEDDLE_TILE_ACQUIRE)
    heddle_tensor_acquire (self, op->tile);
  else if (op->kind == HEDDLE_TILE_SPREAD)
    heddle_tensor_spread (self);
  else
    {
      print_comment (self, op);
      if (op->kind == HEDDLE_TILE_CONTRACT || op->kind == HEDDLE_TILE_UNPACK)
        self->mma = heddle_mma_get (heddle_tile_factor_type (self->tiles, op));
      print[op->kind](self, op);
    }
  self->cuda.operation = NULL;
}

static void
print_ops (HeddleTensorKernel *self, const GPtrArray *ops)
{
  for (guint i = 0; i < ops->len; i++)
    print_op (self, g_ptr_array_index (ops, i));
}

/* Makes the names refer to the slot of the step before, if its last product comes after the first one of the
 * current step. */
static void
read_behind (HeddleTensorKernel *self, gboolean behind)
{
  self->slot = behind ? "behind" : "slot";
  self->phase = behind ? "phase_behind" : "phase";
}

/* --- the stream --- */

/* Prints the range of steps that run: those at both ends that a mask leaves empty do not. */
static void
print_range (HeddleTensorKernel *self)
{
  const HeddleNode *stream = self->tiles->stream;
  const char *size = heddle_names_axis (self->cuda.names, stream->axis);
  const char *begin = heddle_names_of_axis (self->cuda.names, stream->axis, HEDDLE_NAME_BEGIN);
  const char *chunk = heddle_names_of_axis (self->cuda.names, stream->axis, HEDDLE_NAME_CHUNK);
  const char *first = heddle_names_of_axis (self->cuda.names, stream->axis, HEDDLE_NAME_FIRST);
  const char *end = heddle_names_of_axis (self->cuda.names, stream->axis, HEDDLE_NAME_END);
  g_autofree char *guard = NULL;
  HeddleCudaText *before, *body;

  if (heddle_cuda_axis_is_split (self->tiles->program, stream->axis))
    return; /* the group has its part of it */
  blank (self);
  if (self->tiles->pass != NULL)
    {
      heddle_cuda_line (&self->cuda, "const long long %s = 0, %s = %s < %s ? %s : 0;", first, end,
          heddle_names_of_axis (self->cuda.names, self->tiles->matrices, HEDDLE_NAME_BEGIN),
          heddle_names_axis (self->cuda.names, self->tiles->matrices), size);
      return;
    }
  if (stream->guard == NULL)
    {
      heddle_cuda_line (&self->cuda, "const long long %s = 0, %s = %s;", first, end, size);
      return;
    }
  guard = heddle_cuda_guard_text (&self->cuda, stream->guard);
  heddle_cuda_line (&self->cuda, "// steps at either end that the mask leaves nothing of are left out");
  heddle_cuda_line (&self->cuda, "auto runs = [&] (long long %s)", begin);
  heddle_tensor_block (self);
  before = heddle_cuda_begin (&self->cuda);
  heddle_cuda_line (&self->cuda, "return %s;", guard);
  body = heddle_cuda_end (&self->cuda, before);
  heddle_cuda_print_count (&self->cuda, body, stream->axis, chunk);
  heddle_cuda_append (&self->cuda, body);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "};");
  heddle_cuda_line (
      &self->cuda, "long long %s = 0, %s = (%s + %s - 1) / %s * %s;", first, end, size, chunk, chunk, chunk);
  heddle_cuda_line (&self->cuda, "while (%s < %s && !runs (%s))", first, end, first);
  heddle_cuda_line (&self->cuda, "  %s += %s;", first, chunk);
  heddle_cuda_line (&self->cuda, "while (%s > %s && !runs (%s - %s))", end, first, end, chunk);
  heddle_cuda_line (&self->cuda, "  %s -= %s;", end, chunk);
}

/* Returns a product of vectors that goes on while warpgroups' products of the same factor are under way, or
 * NULL. */
static const HeddleTileOp *
next_meanwhile (const HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleTileOp *next)
{
  return self->tiles->warpgroups && op->kind == HEDDLE_TILE_CONTRACT && next != NULL
                 && next->kind == HEDDLE_TILE_COLUMNS
             ? next
             : NULL;
}

/* Prints the operations of the body. A slot that is handed over is given back after the last operation that
 * reads it. */
static void
print_body_ops (HeddleTensorKernel *self)
{
  const GPtrArray *body = self->tiles->body;
  const HeddleTileOp *done = NULL;

  for (guint i = 0; i < body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (body, i);
      const HeddleTileOp *next = i + 1 < body->len ? g_ptr_array_index (body, i + 1) : NULL;

      if (op != done)
        {
          self->meanwhile = next_meanwhile (self, op, next);
          print_op (self, op);
          done = self->meanwhile;
          self->meanwhile = NULL;
        }
      if (self->tiles->bulk)
        heddle_tensor_release_bulk (self, i);
    }
}

static void
print_step (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const char *chunk = heddle_names_of_axis (self->cuda.names, tiles->stream->axis, HEDDLE_NAME_CHUNK);
  HeddleCudaText *before = heddle_cuda_begin (&self->cuda), *body;

  print_body_ops (self);
  if (tiles->bulk)
    heddle_tensor_next_slot (self);
  else if (tiles->stages > 1)
    {
      blank (self);
      if (tiles->under_way > 0)
        heddle_cuda_line (&self->cuda, "behind = behind + 1 == %u ? 0 : behind + 1;", tiles->stages);
      else
        heddle_cuda_line (&self->cuda, "behind = slot;");
      heddle_cuda_line (&self->cuda, "slot = slot + 1 == %u ? 0 : slot + 1;", tiles->stages);
    }
  body = heddle_cuda_end (&self->cuda, before);
  heddle_cuda_print_count (&self->cuda, body, tiles->stream->axis, chunk);
  heddle_cuda_append (&self->cuda, body);
}

/* --- the stream, where products are begun ahead --- */

/* Prints the wait for the tiles of an operation of the body, and its products. */
static void
begin_ahead (HeddleTensorKernel *self, guint acquire, guint contract)
{
  const HeddleTileOp *op = g_ptr_array_index (self->tiles->body, contract);

  print_op (self, g_ptr_array_index (self->tiles->body, acquire));
  blank (self);
  self->cuda.operation = op->node->operation;
  print_comment (self, op);
  self->mma = heddle_mma_get (heddle_tile_factor_type (self->tiles, op));
  heddle_tensor_begin_by_group (self, op);
}

/* Prints the end of a step's first product, which is waited for while @under_way groups of products go on. */
static void
finish_first (HeddleTensorKernel *self, guint under_way)
{
  heddle_tensor_wait_for_group (self, g_ptr_array_index (self->tiles->body, 1), under_way);
  heddle_tensor_release_bulk (self, 1);
  self->cuda.operation = NULL;
}

/* Prints what is between the two products of a step. */
static void
print_between (HeddleTensorKernel *self)
{
  for (guint i = 2; i + 2 < self->tiles->body->len; i++)
    print_op (self, g_ptr_array_index (self->tiles->body, i));
}

/* Prints the wait for the last product of the step before, after which its slot is free. */
static void
finish_last (HeddleTensorKernel *self)
{
  const guint at = self->tiles->body->len - 1;

  read_behind (self, TRUE);
  heddle_tensor_wait_for_group (self, g_ptr_array_index (self->tiles->body, at), 0);
  heddle_tensor_release_bulk (self, at);
  read_behind (self, FALSE);
}

/* Prints the left factor of a step's last product. */
static void
recast_last (HeddleTensorKernel *self)
{
  const HeddleTileOp *last = g_ptr_array_index (self->tiles->body, self->tiles->body->len - 1);

  self->mma = heddle_mma_get (heddle_tile_factor_type (self->tiles, last));
  heddle_tensor_recast_all (self, last);
  heddle_tensor_next_slot (self);
}

/* Puts how many columns a step has in front of the lines that were printed since @before. */
static void
count_columns (HeddleTensorKernel *self, HeddleCudaText *before)
{
  HeddleCudaText *body = heddle_cuda_end (&self->cuda, before);
  const char *axis = self->tiles->stream->axis;

  heddle_cuda_print_count (
      &self->cuda, body, axis, heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  heddle_cuda_append (&self->cuda, body);
}

/* Prints the first step, whose last product is left to the next: nothing was added up before, so nothing is
 * rescaled. */
static void
print_first_step (HeddleTensorKernel *self)
{
  const char *axis = self->tiles->stream->axis;
  HeddleCudaText *before = heddle_cuda_begin (&self->cuda);

  begin_ahead (self, 0, 1);
  finish_first (self, 0);
  print_between (self);
  blank (self);
  recast_last (self);
  heddle_cuda_line (&self->cuda, "%s += %s;",
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN),
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  count_columns (self, before);
}

/* Prints a step, with the last product of the one before. */
static void
print_later_step (HeddleTensorKernel *self)
{
  const guint n = self->tiles->body->len;
  const HeddleTileOp *last = g_ptr_array_index (self->tiles->body, n - 1);
  const HeddleTileOp *first = g_ptr_array_index (self->tiles->body, 1);
  HeddleCudaText *before = heddle_cuda_begin (&self->cuda);

  heddle_tensor_use (self, "forget");
  heddle_cuda_line (&self->cuda, "forget (%s);", heddle_tensor_name (self, first->tile));
  begin_ahead (self, 0, 1);
  read_behind (self, TRUE);
  begin_ahead (self, n - 2, n - 1);
  read_behind (self, FALSE);
  finish_first (self, 1);
  print_between (self);
  blank (self);
  self->cuda.operation = last->node->operation;
  self->cuda.node = last->node;
  heddle_cuda_line (&self->cuda, "// the products of the step before went on until here");
  finish_last (self);
  heddle_tensor_begin_result (self, last);
  recast_last (self);
  self->cuda.operation = NULL;
  count_columns (self, before);
}

/* Returns whether there may be no step at all. */
static gboolean
may_have_no_step (const HeddleTileProgram *tiles)
{
  return tiles->stream->guard != NULL || heddle_cuda_axis_is_split (tiles->program, tiles->stream->axis);
}

static void
print_steps_ahead (HeddleTensorKernel *self)
{
  const char *axis = self->tiles->stream->axis;
  const char *begin = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN);
  const guint n = self->tiles->body->len;

  heddle_cuda_line (&self->cuda, "long long %s = %s;", begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_FIRST));
  heddle_tensor_block (self);
  print_first_step (self);
  heddle_tensor_end_block (self);
  blank (self);
  heddle_cuda_line (&self->cuda, "#pragma unroll 1");
  heddle_cuda_line (&self->cuda, "for (; %s < %s; %s += %s)", begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_END), begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_later_step (self);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  read_behind (self, TRUE);
  begin_ahead (self, n - 2, n - 1);
  finish_last (self);
  self->cuda.operation = NULL;
}

/* Prints a stream whose products overlap. The first product of a step goes on while the last of the step
 * before does, and both go on while threads compute what is between the two: the schedule of FlashAttention-3
 * (arXiv 2407.08608, section 3.2) within a warpgroup. The first step stands in front of the loop: a loop that
 * begins between the two products was tried, and ptxas 13.0 then moves each descriptor from a register
 * (attention of 128 components and 16,384 places on an H100 took 3.58 ms instead of 3.36). */
static void
print_stream_ahead (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  const char *axis = tiles->stream->axis;
  const gboolean none = may_have_no_step (tiles);

  blank (self);
  heddle_tensor_begin_slots (self);
  heddle_tensor_declare_left (self, g_ptr_array_index (tiles->body, tiles->body->len - 1));
  if (none)
    {
      heddle_cuda_line (&self->cuda, "if (%s < %s)",
          heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_FIRST),
          heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_END));
      self->cuda.depth++;
      heddle_tensor_block (self);
    }
  g_ptr_array_add (self->cuda.bands, (gpointer) tiles->stream);
  print_steps_ahead (self);
  g_ptr_array_set_size (self->cuda.bands, self->cuda.bands->len - 1);
  if (none)
    {
      heddle_tensor_end_block (self);
      self->cuda.depth--;
    }
}

static void
print_stream (HeddleTensorKernel *self)
{
  const char *axis = self->tiles->stream->axis;
  const char *begin = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN);
  const char *chunk = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK);
  const char *first = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_FIRST);
  const char *end = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_END);

  if (!self->tiles->bulk)
    {
      print_range (self);
      heddle_tensor_print_fetches (self);
      heddle_tensor_print_first_fetches (self);
    }
  blank (self);
  if (self->tiles->bulk)
    heddle_tensor_begin_slots (self);
  else if (self->tiles->stages > 1)
    heddle_cuda_line (&self->cuda, "int slot = 0, behind = %u;",
        self->tiles->stages - (self->tiles->under_way > 0 ? 2 : 1));
  heddle_cuda_line (&self->cuda, "#pragma unroll 1");
  heddle_cuda_line (
      &self->cuda, "for (long long %s = %s; %s < %s; %s += %s)", begin, first, begin, end, begin, chunk);
  self->cuda.depth++;
  heddle_tensor_block (self);
  g_ptr_array_add (self->cuda.bands, (gpointer) self->tiles->stream);
  print_step (self);
  g_ptr_array_set_size (self->cuda.bands, self->cuda.bands->len - 1);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  if (self->tiles->under_way > 0)
    heddle_tensor_finish_products (self);
}

/* --- the kernel --- */

static void
print_body (HeddleTensorKernel *self)
{
  HeddleCudaText *before, *body;

  heddle_cuda_collect_groups (&self->cuda);
  read_behind (self, FALSE);
  before = heddle_cuda_begin (&self->cuda);
  if (self->tiles->bulk)
    {
      print_range (self);
      heddle_tensor_print_producer (self);
    }
  if (self->tiles->pass != NULL)
    heddle_tensor_open_choices (self);
  print_ops (self, self->tiles->prologue);
  if (self->tiles->stream != NULL && self->tiles->ahead)
    print_stream_ahead (self);
  else if (self->tiles->stream != NULL)
    print_stream (self);
  print_ops (self, self->tiles->epilogue);
  if (self->tiles->pass != NULL)
    heddle_tensor_close_choices (self);
  body = heddle_cuda_end (&self->cuda, before);
  print_shared (self);
  print_registers (self);
  heddle_cuda_print_groups (&self->cuda, body);
  print_lane (self, body);
  heddle_cuda_append (&self->cuda, body);
}

gboolean
heddle_tensor_kernel_print (HeddleTensorKernel *self, GError **error)
{
  HeddleCudaText *before, *body;

  if (!heddle_cuda_print_signature (&self->cuda, error))
    return FALSE;
  heddle_cuda_line (&self->cuda, "{");
  self->cuda.depth = 1;
  before = heddle_cuda_begin (&self->cuda);
  print_body (self);
  body = heddle_cuda_end (&self->cuda, before);
  heddle_cuda_print_constants (&self->cuda, body);
  heddle_cuda_append (&self->cuda, body);
  self->cuda.depth = 0;
  heddle_cuda_line (&self->cuda, "}");
  return TRUE;
}
