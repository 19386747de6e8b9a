/* SPDX-License-Identifier: MIT */
#include "derive/cost/window-memory.h"
#include "derive/cost/windows-private.h"
#include "derive/cost/windows.h"
#include "derive/index/saturate.h"
#include "derive/index/window-sum.h"

/* This file computes what buffers with windows hold: together at a time, and as memory is laid out. */

/* Returns what a buffer holds while the current parts are live. */
static gint64
held_at (const HeddleCost *cost, const HeddleTerms *terms, const HeddleWindowWalk *walk, const gint64 *tiles,
    gint64 chunk)
{
  guint64 walked = 0;
  gint64 elements = terms->base;

  for (guint i = 0; i < walk->n; i++)
    walked |= G_GUINT64_CONSTANT (1) << walk->loops[i];
  for (guint k = 0; k <= cost->n_groups; k++)
    {
      guint i = k == cost->n_groups ? HEDDLE_STREAM_LOOP : k;
      gboolean has = i == HEDDLE_STREAM_LOOP ? terms->stream : (terms->groups >> i & 1) != 0;
      gint64 size = i == HEDDLE_STREAM_LOOP ? chunk : tiles[i];

      if (has && (walked >> i & 1) != 0)
        elements = heddle_saturating_multiply (elements, walk->place.at[i].to - walk->place.at[i].from);
      else if (has)
        elements = heddle_saturating_multiply (elements, MIN (size, heddle_cost_length_of_loop (cost, i)));
    }
  return terms->windows != NULL ? heddle_saturating_multiply (
             elements, heddle_windows_elements_at (terms->windows, &walk->place, 0))
                                : elements;
}

static gint64
held_in_all (const HeddleCost *cost, const GArray *terms, const HeddleWindowWalk *walk, const gint64 *tiles,
    gint64 chunk, gboolean bytes)
{
  gint64 total = 0;

  for (guint i = 0; i < terms->len; i++)
    {
      const HeddleTerms *held = &g_array_index (terms, HeddleTerms, i);

      total = heddle_saturating_add (total,
          heddle_saturating_multiply (bytes ? held->bytes : 1, held_at (cost, held, walk, tiles, chunk)));
    }
  return total;
}

gint64
heddle_windows_peak (
    const HeddleCost *cost, const GArray *terms, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  g_auto (HeddleWindowWalk) walk;
  HeddleWindowGroup group;
  guint64 loops = 0;
  gint64 peak = 0;

  group.n = walk.n = 0;
  for (guint i = 0; i < terms->len; i++)
    {
      const HeddleWindows *windows = g_array_index (terms, HeddleTerms, i).windows;

      if (windows == NULL)
        continue;
      heddle_window_group_add (&group, windows, windows->loops);
      loops |= windows->loops;
    }
  if (group.n < G_N_ELEMENTS (group.windows)
      && heddle_window_walk_to_middle (&walk, cost, &group, loops, tiles, chunk))
    return held_in_all (cost, terms, &walk, tiles, chunk, bytes);
  if (!heddle_window_walk_init (&walk, cost, &group, loops, tiles, chunk))
    return G_MAXINT64;
  do
    peak = MAX (peak, held_in_all (cost, terms, &walk, tiles, chunk, bytes));
  while (heddle_window_walk_next (&walk));
  return peak;
}

typedef struct
{
  const HeddleCost *cost;
  const gint64 *tiles;
  gint64 chunk;
} Sizes;

static gint64
part_size (const char *axis, gpointer data)
{
  const Sizes *self = data;
  int loop = heddle_cost_find_loop (self->cost, axis, TRUE);

  return loop < 0 ? G_MAXINT64 : loop == HEDDLE_STREAM_LOOP ? self->chunk : self->tiles[loop];
}

/* Returns the length of a window that is a sum, for full parts of all loops. */
static gint64
longest (const HeddleCostWindow *self, const Sizes *sizes)
{
  gint64 length = self->most - self->least + 1;

  for (guint64 loops = self->loops; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);
      gint64 size = MIN (loop == HEDDLE_STREAM_LOOP ? sizes->chunk : sizes->tiles[loop],
          heddle_cost_length_of_loop (sizes->cost, loop));

      length
          = heddle_saturating_add (length, heddle_saturating_multiply (ABS (self->factors[loop]), size - 1));
    }
  return MIN (length, self->n);
}

/* Returns the greatest length of a window that is no sum; it is kept for sizes that a search comes back
 * to. */
static gint64
most_of (const HeddleCostWindow *self, const Sizes *sizes)
{
  HeddleWindowMemo wanted,
      *memo = heddle_window_memo_of (self->laid_out, self->loops, sizes->tiles, sizes->chunk, &wanted);

  if (heddle_window_memo_has (memo, &wanted))
    return memo->held;
  wanted.held = heddle_window_most (self->exprs, sizes->cost->sizes, self->n, part_size, (gpointer) sizes);
  if (memo != NULL)
    *memo = wanted;
  return wanted.held;
}

gint64
heddle_windows_laid_out (const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk)
{
  Sizes sizes = { cost, tiles, chunk };
  gint64 product = 1;

  for (guint i = 0; i < self->n; i++)
    {
      const HeddleCostWindow *window = &self->windows[i];

      product = heddle_saturating_multiply (
          product, window->is_sum ? longest (window, &sizes) : most_of (window, &sizes));
    }
  return product;
}
