/* SPDX-License-Identifier: MIT */
#include "derive/cost/window-memory.h"
#include "derive/cost/windows-private.h"
#include "derive/cost/windows.h"
#include "derive/index/saturate.h"
#include "derive/index/window-sum.h"

/* This file computes what buffers with windows hold: together at a time, and as memory is laid out. */

/* The size of a buffer is taken apart once for a walk: into a factor that no step of the walk changes, and the loops that
 * the walk goes through. */
typedef struct
{
  gint64 fixed; /* bytes or elements, but for those loops and the windows */
  guint64 walked; /* bits of places in the walk */
  const HeddleWindows *windows; /* or NULL */
} Held;

static gint64
scale (gint64 elements, gint64 factor)
{
  return heddle_saturating_multiply (elements, factor);
}

static gboolean
has_loop (const HeddleTerms *terms, guint loop)
{
  return loop == HEDDLE_STREAM_LOOP ? terms->stream : (terms->groups >> loop & 1) != 0;
}

static Held
held_of (const HeddleCost *cost, const HeddleTerms *terms, const HeddleWindowWalk *walk, const gint64 *tiles,
    gint64 chunk, gboolean bytes)
{
  Held self = { scale (bytes ? terms->bytes : 1, terms->base), 0, terms->windows };
  guint64 walked = 0;

  for (guint i = 0; i < walk->n; i++)
    {
      walked |= G_GUINT64_CONSTANT (1) << walk->loops[i];
      if (has_loop (terms, walk->loops[i]))
        self.walked |= G_GUINT64_CONSTANT (1) << i;
    }
  for (guint k = 0; k <= cost->n_groups; k++)
    {
      const guint loop = k == cost->n_groups ? HEDDLE_STREAM_LOOP : k;
      const gint64 size = loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop];

      if (has_loop (terms, loop) && (walked >> loop & 1) == 0)
        self.fixed = scale (self.fixed, MIN (size, heddle_cost_length_of_loop (cost, loop)));
    }
  return self;
}

/* Returns what all of @held hold while the current parts are live. */
static gint64
held_at (const Held *held, guint n, const HeddleWindowWalk *walk)
{
  gint64 total = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 elements = held[i].fixed;

      for (guint64 places = held[i].walked; places != 0; places &= places - 1)
        {
          const HeddleWindowPlacePart *part = &walk->place.at[walk->loops[__builtin_ctzll (places)]];
          elements = scale (elements, part->to - part->from);
        }
      if (held[i].windows != NULL)
        elements = scale (elements, heddle_windows_elements_at (held[i].windows, &walk->place, 0));
      total = heddle_saturating_add (total, elements);
    }
  return total;
}

/* Takes all of @terms apart for @walk. What no step changes is one, the first. */
static GArray *
held_in_walk (const HeddleCost *cost, const GArray *terms, const HeddleWindowWalk *walk, const gint64 *tiles,
    gint64 chunk, gboolean bytes)
{
  GArray *held = g_array_sized_new (FALSE, FALSE, sizeof (Held), terms->len + 1);
  Held always = { 0, 0, NULL };

  g_array_append_val (held, always);
  for (guint i = 0; i < terms->len; i++)
    {
      const Held one = held_of (cost, &g_array_index (terms, HeddleTerms, i), walk, tiles, chunk, bytes);

      if (one.walked == 0 && one.windows == NULL)
        g_array_index (held, Held, 0).fixed
            = heddle_saturating_add (g_array_index (held, Held, 0).fixed, one.fixed);
      else
        g_array_append_val (held, one);
    }
  return held;
}

gint64
heddle_windows_peak (
    const HeddleCost *cost, const GArray *terms, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  g_auto (HeddleWindowWalk) walk;
  g_autoptr (GArray) held = NULL;
  HeddleWindowGroup group;
  guint64 loops = 0;
  gint64 peak = 0;
  gboolean middle;

  group.n = walk.n = 0;
  for (guint i = 0; i < terms->len; i++)
    {
      const HeddleWindows *windows = g_array_index (terms, HeddleTerms, i).windows;

      if (windows == NULL)
        continue;
      heddle_window_group_add (&group, windows, windows->loops);
      loops |= windows->loops;
    }
  middle = group.n < G_N_ELEMENTS (group.windows)
           && heddle_window_walk_to_middle (&walk, cost, &group, loops, tiles, chunk);
  if (!middle && !heddle_window_walk_init (&walk, cost, &group, loops, tiles, chunk))
    return G_MAXINT64;
  held = held_in_walk (cost, terms, &walk, tiles, chunk, bytes);
  do
    peak = MAX (peak, held_at ((const Held *) held->data, held->len, &walk));
  while (!middle && heddle_window_walk_next (&walk));
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
