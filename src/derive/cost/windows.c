/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/window-walk.h"
#include "derive/cost/windows-private.h"
#include "derive/cost/windows.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

#include <string.h>

/* What windows add to a cost: see window-walk.c for how tiles are gone through. */

/* --- what moves ----------------------------------------------------------------------------------- */

int
heddle_cost_find_loop (const HeddleCost *cost, const char *axis, gboolean streamed)
{
  if (streamed && cost->stream != NULL && cost->stream->axis == axis)
    return HEDDLE_STREAM_LOOP;
  for (guint i = 0; i < cost->n_groups; i++)
    if (cost->bands[i]->axis == axis)
      return (int) i;
  return -1;
}

static int
slot_of_loop (const char *axis, gpointer cost)
{
  return heddle_cost_find_loop (cost, axis, TRUE);
}

/* As a sum, or else compiled. */
static void
set_indices (const HeddleCost *cost, HeddleCostWindow *self)
{
  g_autoptr (HeddleWindowSum) sum = heddle_window_sum_new (self->exprs, cost->sizes);

  self->is_sum = sum != NULL;
  if (sum == NULL)
    {
      self->programs = heddle_window_compile (self->exprs, cost->sizes, slot_of_loop, (gpointer) cost);
      self->laid_out = g_new0 (HeddleWindowMemo, HEDDLE_WINDOW_MEMOS);
      return;
    }
  self->least = sum->offset;
  self->most = sum->offset + sum->spread;
  for (guint i = 0; i < sum->axes->len; i++)
    {
      const char *axis = heddle_ids_index (sum->axes, i);
      gint64 factor = g_array_index (sum->factors, gint64, i);
      gint64 far = heddle_saturating_multiply (ABS (factor), heddle_sizes_get (cost->sizes, axis) - 1);
      int loop = heddle_cost_find_loop (cost, axis, TRUE);

      if (loop >= 0)
        self->factors[loop] = factor;
      else if (factor > 0)
        self->most = heddle_saturating_add (self->most, far);
      else
        self->least -= far;
    }
}

static void
add_window (const HeddleCost *cost, HeddleWindows *self, const HeddleBuffer *buffer, guint position,
    const GPtrArray *exprs)
{
  const char *axis = heddle_ids_index (buffer->axes, position);
  HeddleCostWindow *window = &self->windows[self->n++];
  g_autoptr (GArray) axes = heddle_window_axes (exprs);

  window->axis = axis;
  window->position = position;
  window->exprs = exprs;
  window->n = heddle_sizes_get (cost->sizes, axis);
  for (guint i = 0; i < axes->len; i++)
    {
      int loop = heddle_cost_find_loop (cost, heddle_ids_index (axes, i), TRUE);

      window->loops |= loop >= 0 ? G_GUINT64_CONSTANT (1) << loop : 0;
    }
  set_indices (cost, window);
  self->loops |= window->loops;
}

static HeddleWindows *
windows_alloc (guint n)
{
  HeddleWindows *self = g_new0 (HeddleWindows, 1);

  self->windows = g_new0 (HeddleCostWindow, n);
  self->own = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
heddle_windows_free (HeddleWindows *self)
{
  if (self == NULL)
    return;
  g_free (self->memos);
  for (guint i = 0; i < self->n; i++)
    {
      g_clear_pointer (&self->windows[i].programs, g_ptr_array_unref);
      g_free (self->windows[i].laid_out);
    }
  g_free (self->windows);
  g_ptr_array_unref (self->own);
  g_free (self);
}

/* The tile of an axis as a window of its own. */
static const GPtrArray *
own_tile (HeddleWindows *self, const char *axis)
{
  GPtrArray *exprs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  g_ptr_array_add (exprs, heddle_expr_index (axis));
  g_ptr_array_add (self->own, exprs);
  return exprs;
}

/* The loops that go with @loop: windows that share one depend on both. */
static guint64
joined (const HeddleWindows *self, guint loop)
{
  guint64 loops = G_GUINT64_CONSTANT (1) << loop, before = 0;

  while (loops != before)
    {
      before = loops;
      for (guint i = 0; i < self->n; i++)
        if ((self->windows[i].loops & loops) != 0)
          loops |= self->windows[i].loops;
    }
  return loops;
}

HeddleWindows *
heddle_windows_new (const HeddleCost *cost, const HeddleBuffer *buffer)
{
  HeddleWindows *self;

  if (buffer->windows == NULL)
    return NULL;
  self = windows_alloc (buffer->axes->len);
  for (guint i = 0; i < buffer->axes->len; i++)
    if (g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW)
      add_window (cost, self, buffer, i, g_ptr_array_index (buffer->windows, i));
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, i);
      int loop = heddle_cost_find_loop (cost, axis, extent == HEDDLE_EXTENT_CHUNK);

      if ((extent == HEDDLE_EXTENT_TILE || extent == HEDDLE_EXTENT_CHUNK) && loop >= 0
          && (self->loops >> loop & 1) != 0)
        add_window (cost, self, buffer, i, own_tile (self, axis));
    }
  self->memos = g_new0 (HeddleWindowMemo, HEDDLE_WINDOW_MEMOS);
  return self;
}

gint64
heddle_cost_length_of_loop (const HeddleCost *cost, guint loop)
{
  return loop == HEDDLE_STREAM_LOOP ? cost->n_stream : cost->n[loop];
}

gboolean
heddle_cost_moves_windows (const HeddleCost *self, guint loop)
{
  for (guint i = 0; i < self->windows->len; i++)
    {
      const HeddleWindows *windows = g_ptr_array_index (self->windows, i);

      if (windows != NULL && (windows->loops >> loop & 1) != 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_cost_has_windows (const HeddleCost *self)
{
  for (guint i = 0; i < self->windows->len; i++)
    {
      const HeddleWindows *windows = g_ptr_array_index (self->windows, i);

      if (windows != NULL && windows->loops != 0)
        return TRUE;
    }
  return FALSE;
}

/* Of the windows along @loops; of all: 0. */
gint64
heddle_windows_elements_at (const HeddleWindows *self, const HeddleWindowPlace *place, guint64 loops)
{
  gint64 product = 1;

  for (guint i = 0; i < self->n; i++)
    if (loops == 0 || (self->windows[i].loops & loops) != 0)
      product = heddle_saturating_multiply (product, heddle_window_length_at (&self->windows[i], place));
  return product;
}

/* --- what crosses and what is held ---------------------------------------------------------------------------- */

/* Over all parts of @loops the sum of what the windows along them have, or the most of it. */
static gint64
sum_or_most (const HeddleCost *cost, const HeddleWindows *self, guint64 loops, const gint64 *tiles,
    gint64 chunk, gboolean most)
{
  g_auto (HeddleWindowWalk) walk;
  HeddleWindowGroup group;
  gint64 result = 0;

  group.n = 0;

  heddle_window_group_add (&group, self, loops);
  if (!heddle_window_walk_init (&walk, cost, &group, loops, tiles, chunk))
    return G_MAXINT64;
  do
    {
      gint64 elements = heddle_windows_elements_at (self, &walk.place, loops);

      result = most ? MAX (result, elements)
                    : heddle_saturating_add (
                        result, heddle_saturating_multiply (elements, heddle_window_walk_count (&walk)));
    }
  while (heddle_window_walk_next (&walk));
  return result;
}

HeddleWindowMemo *
heddle_window_memo_of (
    HeddleWindowMemo *memos, guint64 loops, const gint64 *tiles, gint64 chunk, HeddleWindowMemo *wanted)
{
  guint64 left = loops, hash = loops;

  *wanted = (HeddleWindowMemo){ .loops = loops };
  for (guint i = 0; left != 0 && i < HEDDLE_WINDOW_LOOPS; i++, left &= left - 1)
    {
      guint loop = (guint) __builtin_ctzll (left);

      wanted->sizes[i] = loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop];
      hash = hash * 31 + (guint64) wanted->sizes[i];
    }
  return memos != NULL && loops != 0 && left == 0 ? &memos[hash % HEDDLE_WINDOW_MEMOS] : NULL;
}

gboolean
heddle_window_memo_has (const HeddleWindowMemo *memo, const HeddleWindowMemo *wanted)
{
  return memo != NULL && memo->loops == wanted->loops
         && memcmp (memo->sizes, wanted->sizes, sizeof wanted->sizes) == 0;
}

/* Of windows that some loops move: kept for sizes that a search comes back to. */
static HeddleWindowMemo
look_up (const HeddleCost *cost, const HeddleWindows *self, guint64 loops, const gint64 *tiles, gint64 chunk)
{
  HeddleWindowMemo wanted, *memo = heddle_window_memo_of (self->memos, loops, tiles, chunk, &wanted);

  if (heddle_window_memo_has (memo, &wanted))
    return *memo;
  wanted.moved = sum_or_most (cost, self, loops, tiles, chunk, FALSE);
  wanted.held = sum_or_most (cost, self, loops, tiles, chunk, TRUE);
  if (memo != NULL)
    *memo = wanted;
  return wanted;
}

static gint64
all_windows (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk, gboolean most)
{
  guint64 left = self->loops;
  HeddleWindowPlace place;
  gint64 product = 1;

  place.cost = cost;
  for (guint i = 0; i < self->n; i++)
    if (self->windows[i].loops == 0)
      product = heddle_saturating_multiply (product, heddle_window_length_at (&self->windows[i], &place));
  while (left != 0)
    {
      guint64 loops = joined (self, (guint) __builtin_ctzll (left));
      HeddleWindowMemo found = look_up (cost, self, loops, tiles, chunk);

      product = heddle_saturating_multiply (product, most ? found.held : found.moved);
      left &= ~loops;
    }
  return product;
}

gint64
heddle_windows_moved (const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk)
{
  return all_windows (cost, self, tiles, chunk, FALSE);
}

gint64
heddle_windows_held (const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk)
{
  return all_windows (cost, self, tiles, chunk, TRUE);
}

gint64
heddle_windows_moved_once (const HeddleCost *cost, const HeddleWindows *self)
{
  return all_windows (cost, self, cost->n, cost->n_stream, FALSE);
}

gint64
heddle_window_moved (
    const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk)
{
  const HeddleWindows alone = { 1, (HeddleCostWindow *) window, window->loops };

  return tiles != NULL ? heddle_windows_moved (cost, &alone, tiles, chunk)
                       : heddle_windows_moved_once (cost, &alone);
}

gint64
heddle_window_held (const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk)
{
  HeddleWindows alone = { 1, (HeddleCostWindow *) window, window->loops };

  return heddle_windows_held (cost, &alone, tiles, chunk);
}

gint64
heddle_windows_moved_with (const HeddleCost *cost, const HeddleWindows *self, const HeddleCostWindow *window,
    const gint64 *tiles, gint64 chunk)
{
  return sum_or_most (
      cost, self, joined (self, (guint) __builtin_ctzll (window->loops)), tiles, chunk, FALSE);
}
