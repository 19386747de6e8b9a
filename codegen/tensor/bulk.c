/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/cuda/axes.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/bulk.h"
#include "codegen/tensor/copy.h"
#include "codegen/tensor/place.h"
#include "codegen/tile/bulk.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "derive/program/loop-program.h"

/* Tiles that the copy hardware of sm_90 brings (TMA). A warpgroup of its own asks for them, each as soon as
 * its slot of the ring is free, and does nothing else; those that multiply wait for a slot to be full and say
 * when they have read it. The two meet at barriers in shared memory alone. */

/* The registers of threads, of 65,536 of a multiprocessor: 128 * 40 + 256 * 232 = 64,512. With one warpgroup
 * that multiplies there are enough for all. */
#define PRODUCER_REGISTERS 40
#define CONSUMER_REGISTERS 232

HeddleTileWish
heddle_family_wish (HeddleFamily family)
{
  return (HeddleTileWish){ .warps = family == HEDDLE_FAMILY_AUTO || family == HEDDLE_FAMILY_SM80,
    .warpgroups
    = family != HEDDLE_FAMILY_SM80 && family != HEDDLE_FAMILY_GENERAL && family != HEDDLE_FAMILY_ROWS,
    .bulk = family != HEDDLE_FAMILY_SM90_COPIES };
}

static const HeddleBuffer *
buffer_of (const HeddleTensorKernel *self, guint i)
{
  return heddle_loop_program_get_buffer (self->tiles->program, i);
}

static gboolean
has_once (const HeddleTensorKernel *self)
{
  gboolean once = FALSE;

  for (guint i = 0; i < self->tiles->tiles->len; i++)
    once |= heddle_tile_is_at (self->tiles, i, -1);
  return once;
}

/* --- tensor maps --- */

void
heddle_kernel_map_free (gpointer data)
{
  HeddleKernelMap *self = data;

  g_free (self->name);
  g_free (self);
}

GPtrArray *
heddle_tensor_maps (const HeddleTileProgram *tiles, HeddleNames *names, HeddleDtype dtype)
{
  GPtrArray *maps = g_ptr_array_new_with_free_func (heddle_kernel_map_free);

  for (guint i = 0; i < tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (tiles, i);
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (tiles->program, i);
      HeddleKernelMap *map;

      if (tile->place != HEDDLE_TILE_SHARED)
        continue;
      map = g_new0 (HeddleKernelMap, 1);
      map->name = g_strdup (heddle_names_map (names, i));
      map->value = buffer->value;
      map->dtype = tile->dtype;
      map->n = buffer->axes->len;
      for (guint k = 0; k < map->n; k++)
        {
          map->axes[k] = heddle_tile_array_axis (tiles, buffer, k);
          map->box[k] = heddle_tile_box (tiles, tile, k);
        }
      g_ptr_array_add (maps, map);
    }
  return maps;
}

/* --- barriers --- */

void
heddle_tensor_print_barriers (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;
  gint64 at = tiles->barriers;

  heddle_tensor_use (self, "barriers");
  if (has_once (self))
    {
      g_autofree char *names = heddle_tensor_names_at (self, -1);

      heddle_cuda_line (&self->cuda,
          "const unsigned whole = shared_address (shared) + %" G_GINT64_FORMAT ";  // a barrier: %s is here",
          at, names);
    }
  at += 8;
  for (guint p = 0; p < tiles->points; p++, at += 16 * tiles->stages)
    {
      g_autofree char *names = heddle_tensor_names_at (self, (int) p);

      heddle_cuda_line (&self->cuda,
          "const unsigned full_%u = shared_address (shared) + %" G_GINT64_FORMAT
          ", empty_%u = full_%u + %u;  // barriers for each slot of %s",
          p, at, p, p, 8 * tiles->stages, names);
    }
}

static void
print_begin (HeddleTensorKernel *self)
{
  const HeddleTileProgram *tiles = self->tiles;

  heddle_cuda_line (&self->cuda, "%s", "");
  heddle_cuda_line (&self->cuda, "if (threadIdx.x == 0)");
  self->cuda.depth++;
  heddle_tensor_block (self);
  if (has_once (self))
    heddle_cuda_line (&self->cuda, "begin_barrier (whole, 1);");
  heddle_cuda_line (&self->cuda, "for (int slot = 0; slot < %u; ++slot)", tiles->stages);
  self->cuda.depth++;
  heddle_tensor_block (self);
  for (guint p = 0; p < tiles->points; p++)
    {
      heddle_cuda_line (&self->cuda, "begin_barrier (full_%u + 8 * slot, 1);", p);
      heddle_cuda_line (
          &self->cuda, "begin_barrier (empty_%u + 8 * slot, %u);", p, heddle_tile_consumers (tiles));
    }
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "publish_barriers ();");
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "__syncthreads ();");
}

/* --- who brings tiles --- */

/* Adds that the axis is a multiple of @n, unless that was said. */
static void
add_multiple (HeddleTensorKernel *self, GString *text, const char *axis, gint64 n)
{
  g_autofree char *condition
      = g_strdup_printf ("%s %% %" G_GINT64_FORMAT " == 0", heddle_names_axis (self->cuda.names, axis), n);

  if (strstr (text->str, condition) == NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " && " : "", condition);
}

/* Adds that parts of the array that are read at shifts are whole boxes. */
static void
add_parts (HeddleTensorKernel *self, GString *text, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const HeddleBuffer *buffer = buffer_of (self, i);

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);

      if (heddle_tile_array_axis (self->tiles, buffer, k) != axis
          && heddle_cuda_axis_at_run_time (self->cuda.program, axis))
        add_multiple (self, text, axis, heddle_tile_box (self->tiles, tile, k));
    }
}

/* Returns the condition on sizes that are arguments, as "k % 8 == 0 && b % 8 == 0"; NULL if there is nothing
 * to check. */
static char *
condition_of_boxes (HeddleTensorKernel *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->tiles->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
      const HeddleBuffer *buffer = buffer_of (self, i);
      const guint last = buffer->axes->len - 1;

      if (tile->place != HEDDLE_TILE_SHARED)
        continue;
      if (heddle_tensor_size_at_run_time (self, buffer, last))
        add_multiple (self, text, heddle_tile_array_axis (self->tiles, buffer, last),
            16 / heddle_dtype_bytes (tile->dtype));
      add_parts (self, text, i);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Returns the index at which the box begins along an axis, as "(int) x_0"; NULL if it is 0. */
static char *
index_text (HeddleTensorKernel *self, const char *axis)
{
  const HeddleLoopProgram *program = self->tiles->program;
  gboolean streams = self->tiles->stream != NULL && self->tiles->stream->axis == axis;

  if (!streams && heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) == NULL)
    return NULL;
  return g_strdup_printf ("(int) %s", heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN));
}

/* Returns where the box begins along the array's axis @k, as "(int) x_0" or "(int) (y_0 * 64 + 768)"; NULL if
 * that is 0. */
static char *
begin_text (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  g_autofree char *index = index_text (self, heddle_ids_index (buffer->axes, k)),
                  *shift = heddle_tensor_shift (self, buffer, k);

  if (shift == NULL)
    return g_steal_pointer (&index);
  return g_strdup_printf ("%s%s(int) (%s)", index != NULL ? index : "", index != NULL ? " + " : "", shift);
}

/* Returns a coordinate as "(int) x_0 + 64 * panel", or the part of it that there is. */
static char *
coordinate_text (
    HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k, gint64 step, const char *counter)
{
  g_autofree char *index = begin_text (self, buffer, k);

  if (counter == NULL)
    return g_strdup (index != NULL ? index : "0");
  return g_strdup_printf (
      "%s%s%" G_GINT64_FORMAT " * %s", index != NULL ? index : "", index != NULL ? " + " : "", step, counter);
}

/* Returns the coordinates at which a box begins, the last axis first. */
static char *
coordinates_text (HeddleTensorKernel *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const GArray *axes = buffer_of (self, i)->axes;
  GString *text = g_string_new (NULL);

  for (guint k = axes->len; k-- > 0;)
    {
      const char *axis = heddle_ids_index (axes, k);
      gboolean last = k + 1 == axes->len;
      const char *counter = last && heddle_tile_panels (tile) > 1                ? "panel"
                            : axis == tile->down && heddle_tile_parts (tile) > 1 ? "part"
                                                                                 : NULL;
      g_autofree char *at
          = coordinate_text (self, buffer_of (self, i), k, heddle_tile_box (self->tiles, tile, k), counter);

      g_string_append_printf (text, "%s%s", last ? "" : ", ", at);
    }
  return g_string_free (text, FALSE);
}

/* Prints the copy of a box for each panel of columns and, if a tile has more rows than a box may have, for
 * each part of them. */
static void
copy_boxes (HeddleTensorKernel *self, guint i, const char *barrier)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  guint panels = heddle_tile_panels (tile), parts = heddle_tile_parts (tile), n = 0;
  g_autofree char *to = heddle_tensor_slot (self, i, "slot"), *coordinates = coordinates_text (self, i);
  g_autofree char *section = g_strdup_printf (
      "%s %u", heddle_copy_atom (HEDDLE_COPY_BOX)->sections[0], buffer_of (self, i)->axes->len);
  g_autoptr (GString) place = g_string_new (to);

  heddle_tensor_use (self, g_intern_string (section));
  if (panels > 1)
    {
      g_autofree char *end = g_strdup_printf ("%u", panels);

      n += heddle_tensor_loop (self, "panel", end, "1");
      g_string_append_printf (place, " + panel * %" G_GINT64_FORMAT, tile->slot_bytes / panels);
    }
  if (parts > 1)
    {
      g_autofree char *end = g_strdup_printf ("%u", parts);

      n += heddle_tensor_loop (self, "part", end, "1");
      g_string_append_printf (place, " + part * %" G_GINT64_FORMAT, tile->slot_bytes / panels / parts);
    }
  heddle_cuda_line (&self->cuda, "%s (%s, %s, %s, %s);", heddle_copy_atom (HEDDLE_COPY_BOX)->function,
      place->str, heddle_names_map (self->cuda.names, i), barrier, coordinates);
  heddle_tensor_close (self, n);
}

/* Prints how one thread brings the tiles of a point: first it announces how many bytes will come. */
static void
bring_boxes (HeddleTensorKernel *self, int point, const char *barrier)
{
  gint64 bytes = 0;

  for (guint i = 0; i < self->tiles->tiles->len; i++)
    if (heddle_tile_is_at (self->tiles, i, point))
      bytes += heddle_tile_bulk_bytes (self->tiles, heddle_tile_program_get (self->tiles, i));
  heddle_cuda_line (&self->cuda, "arrive_expecting (%s, %" G_GINT64_FORMAT ");", barrier, bytes);
  for (guint i = 0; i < self->tiles->tiles->len; i++)
    if (heddle_tile_is_at (self->tiles, i, point))
      copy_boxes (self, i, barrier);
}

/* Prints how all threads bring the tiles of a point element by element, where rows are not aligned. */
static void
bring_elements (HeddleTensorKernel *self, int point, const char *barrier)
{
  for (guint i = 0; i < self->tiles->tiles->len; i++)
    if (heddle_tile_is_at (self->tiles, i, point))
      heddle_tensor_copy_by_elements (self, i, "slot");
  heddle_tensor_use (self, "publish writes");
  heddle_tensor_use (self, "hand over");
  heddle_cuda_line (&self->cuda, "hand_over (%s);", barrier);
}

static void
bring (HeddleTensorKernel *self, int point, const char *barrier, gboolean conditional)
{
  if (!conditional)
    {
      bring_boxes (self, point, barrier);
      return;
    }
  heddle_cuda_line (&self->cuda, "if (by_boxes)");
  self->cuda.depth++;
  heddle_tensor_block (self);
  bring_boxes (self, point, barrier);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "else");
  self->cuda.depth++;
  heddle_tensor_block (self);
  bring_elements (self, point, barrier);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}

static void
bring_once (HeddleTensorKernel *self, gboolean conditional)
{
  g_autofree char *names = heddle_tensor_names_at (self, -1);

  if (!has_once (self))
    return;
  heddle_cuda_line (&self->cuda, "// %s", names);
  bring (self, -1, "whole", conditional);
}

static void
bring_step (HeddleTensorKernel *self, gboolean conditional)
{
  const char *axis = self->tiles->stream->axis;
  HeddleCudaText *before = heddle_cuda_begin (&self->cuda), *body;

  for (guint p = 0; p < self->tiles->points; p++)
    {
      g_autofree char *names = heddle_tensor_names_at (self, (int) p);
      g_autofree char *barrier = g_strdup_printf ("full_%u + 8 * slot", p);

      heddle_cuda_line (&self->cuda, "// %s, when all have read what was in the slot before", names);
      heddle_cuda_line (&self->cuda, "wait_for_barrier (empty_%u + 8 * slot, phase);", p);
      bring (self, (int) p, barrier, conditional);
    }
  heddle_cuda_line (&self->cuda, "if (++slot == %u)", self->tiles->stages);
  heddle_cuda_line (&self->cuda, "  slot = 0, phase ^= 1;");
  body = heddle_cuda_end (&self->cuda, before);
  heddle_cuda_print_count (
      &self->cuda, body, axis, heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  heddle_cuda_append (&self->cuda, body);
}

static gboolean
shares_registers (const HeddleTensorKernel *self)
{
  return heddle_tile_consumers (self->tiles) > 4;
}

/* Prints everything that the warps do which multiply nothing. */
static void
print_role (HeddleTensorKernel *self, gboolean conditional)
{
  const char *axis = self->tiles->stream->axis;
  const char *begin = heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN);
  guint first = 32 * heddle_tile_consumers (self->tiles);

  if (shares_registers (self))
    heddle_cuda_line (&self->cuda, "give_registers<%d> ();", PRODUCER_REGISTERS);
  heddle_cuda_line (&self->cuda, "if (threadIdx.x > %u%s)", first, conditional ? " && by_boxes" : "");
  heddle_cuda_line (&self->cuda, "  return;");
  bring_once (self, conditional);
  heddle_cuda_line (&self->cuda, "int slot = 0, phase = 1;");
  heddle_cuda_line (&self->cuda, "#pragma unroll 1");
  heddle_cuda_line (&self->cuda, "for (long long %s = %s; %s < %s; %s += %s)", begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_FIRST), begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_END), begin,
      heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_CHUNK));
  self->cuda.depth++;
  heddle_tensor_block (self);
  bring_step (self, conditional);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "return;");
}

void
heddle_tensor_print_producer (HeddleTensorKernel *self)
{
  g_autofree char *condition = condition_of_boxes (self);
  guint warps = heddle_tile_consumers (self->tiles);

  self->alignment = heddle_copy_atom (HEDDLE_COPY_BOX)->alignment;
  heddle_tensor_use (self, "tensor map");
  if (shares_registers (self))
    heddle_tensor_use (self, "share registers");
  print_begin (self);
  heddle_cuda_line (&self->cuda, "%s", "");
  if (condition != NULL)
    {
      heddle_cuda_line (
          &self->cuda, "// The hardware copies boxes of arrays whose rows are aligned to 16 bytes.");
      heddle_cuda_line (&self->cuda, "const bool by_boxes = %s;", condition);
    }
  heddle_cuda_line (&self->cuda, "// The last four warps bring the tiles, and do nothing else.");
  heddle_cuda_line (&self->cuda, "if (warp >= %u)", warps);
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_role (self, condition != NULL);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  if (shares_registers (self))
    heddle_cuda_line (&self->cuda, "take_registers<%d> ();", CONSUMER_REGISTERS);
}

/* --- who multiplies --- */

static gboolean
waits_by_itself (const HeddleTensorKernel *self)
{
  for (guint i = 0; i < self->tiles->prologue->len; i++)
    if (((const HeddleTileOp *) g_ptr_array_index (self->tiles->prologue, i))->kind == HEDDLE_TILE_ACQUIRE)
      return TRUE;
  return FALSE;
}

void
heddle_tensor_begin_slots (HeddleTensorKernel *self)
{
  if (has_once (self) && !waits_by_itself (self))
    heddle_tensor_acquire_bulk (self, G_MAXUINT);
  heddle_cuda_line (&self->cuda, "int slot = 0, phase = 0%s%s;",
      self->tiles->under_way > 0 || self->tiles->ahead ? ", behind = 0" : "",
      self->tiles->ahead ? ", phase_behind = 0" : "");
}

void
heddle_tensor_next_slot (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "%s", "");
  if (self->tiles->ahead)
    heddle_cuda_line (&self->cuda, "behind = slot, phase_behind = phase;");
  else if (self->tiles->under_way > 0)
    heddle_cuda_line (&self->cuda, "behind = slot;");
  heddle_cuda_line (&self->cuda, "if (++slot == %u)", self->tiles->stages);
  heddle_cuda_line (&self->cuda, "  slot = 0, phase ^= 1;");
}

void
heddle_tensor_acquire_bulk (HeddleTensorKernel *self, guint point)
{
  g_autofree char *names = heddle_tensor_names_at (self, point == G_MAXUINT ? -1 : (int) point);

  heddle_cuda_line (&self->cuda, "// wait for %s", names);
  if (point == G_MAXUINT)
    heddle_cuda_line (&self->cuda, "wait_for_barrier (whole, 0);");
  else
    heddle_cuda_line (
        &self->cuda, "wait_for_barrier (full_%u + 8 * %s, %s);", point, self->slot, self->phase);
}

/* Returns whether the lanes of a warp, rather than products of warpgroups, read tiles of a point from shared
 * memory in an operation. */
static gboolean
lanes_read_point (const HeddleTileProgram *tiles, const HeddleTileOp *op, int point)
{
  return (op->kind == HEDDLE_TILE_UNPACK && heddle_tile_is_at (tiles, op->tile, point))
         || (op->kind == HEDDLE_TILE_COLUMNS && heddle_tile_is_at (tiles, op->right, point));
}

/* Returns whether an operation of a step reads tiles of a point from shared memory. */
static gboolean
reads_point (const HeddleTileProgram *tiles, const HeddleTileOp *op, int point)
{
  if (op->kind == HEDDLE_TILE_CONTRACT)
    return heddle_tile_is_at (tiles, op->left, point) || heddle_tile_is_at (tiles, op->right, point);
  return lanes_read_point (tiles, op, point);
}

static gboolean
is_last_to_read (const HeddleTileProgram *tiles, guint op, int point)
{
  if (!reads_point (tiles, g_ptr_array_index (tiles->body, op), point))
    return FALSE;
  while (++op < tiles->body->len)
    if (reads_point (tiles, g_ptr_array_index (tiles->body, op), point))
      return FALSE;
  return TRUE;
}

/* Returns the name of the function that says that a slot is free: lanes order their own reads before what the
 * copy hardware writes there next. */
static const char *
use_release (HeddleTensorKernel *self, int point)
{
  for (guint i = 0; i < self->tiles->body->len; i++)
    if (lanes_read_point (self->tiles, g_ptr_array_index (self->tiles->body, i), point))
      {
        heddle_tensor_use (self, "release read slot");
        return "release_read_slot";
      }
  return "release_slot";
}

/* Prints the release of the slot that was read before, if products of a step go on while the next begins: the
 * slot is free then. */
void
heddle_tensor_release_bulk (HeddleTensorKernel *self, guint op)
{
  const char *axis = self->tiles->stream->axis;

  for (guint p = 0; p < self->tiles->points; p++)
    {
      g_autofree char *names = heddle_tensor_names_at (self, (int) p);

      if (!is_last_to_read (self->tiles, op, (int) p))
        continue;
      if (self->tiles->under_way > 0)
        {
          heddle_cuda_line (&self->cuda, "// the slot of the step before is free");
          heddle_cuda_line (&self->cuda, "if (%s > %s)",
              heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN),
              heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_FIRST));
          heddle_cuda_line (&self->cuda, "  %s (empty_%u + 8 * behind);", use_release (self, (int) p), p);
        }
      else
        {
          heddle_cuda_line (&self->cuda, "// the slot of %s is free", names);
          heddle_cuda_line (
              &self->cuda, "%s (empty_%u + 8 * %s);", use_release (self, (int) p), p, self->slot);
        }
    }
}
