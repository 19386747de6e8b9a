/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/window-parts.h"
#include "derive/cost/window-walk.h"
#include "derive/cost/windows-private.h"
#include "derive/cost/windows.h"
#include "derive/index/interval.h"
#include "derive/index/saturate.h"
#include "derive/index/window.h"

/* A loop that moves a window is gone through tile by tile, or kind of tile by kind of tile. */

/* --- tiles --------------------------------------------------------------------------------------------- */

static HeddleSpan
hull_of_programs (const HeddleCostWindow *self, const HeddleWindowPlace *place)
{
  HeddleInterval slots[HEDDLE_STREAM_LOOP + 1];

  for (guint64 loops = self->loops; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);

      slots[loop] = (HeddleInterval){ (double) place->at[loop].from, (double) (place->at[loop].to - 1) };
    }
  return heddle_window_hull_of (self->programs, slots);
}

HeddleSpan
heddle_window_hull_at (const HeddleCostWindow *self, const HeddleWindowPlace *place)
{
  HeddleSpan hull = { self->least, self->most };

  if (!self->is_sum)
    return hull_of_programs (self, place);
  for (guint64 loops = self->loops; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);
      gint64 factor = self->factors[loop];
      const HeddleWindowPlacePart *part = &place->at[loop];

      hull.from += factor * (factor > 0 ? part->from : part->to - 1);
      hull.to += factor * (factor > 0 ? part->to - 1 : part->from);
    }
  hull.to++;
  return hull;
}

gint64
heddle_window_length_at (const HeddleCostWindow *self, const HeddleWindowPlace *place)
{
  return heddle_window_length (heddle_window_hull_at (self, place), self->n);
}

/* --- through all tiles of some loops ------------------------------------------------------------------ */

void
heddle_window_group_add (HeddleWindowGroup *group, const HeddleWindows *windows, guint64 loops)
{
  for (guint i = 0; i < windows->n && group->n < G_N_ELEMENTS (group->windows); i++)
    if ((windows->windows[i].loops & loops) != 0)
      group->windows[group->n++] = &windows->windows[i];
}

void
heddle_window_walk_clear (HeddleWindowWalk *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->parts[i], g_array_unref);
}

static void
take_part (HeddleWindowWalk *self, guint i)
{
  self->place.at[self->loops[i]] = g_array_index (self->parts[i], HeddleWindowPlacePart, self->at[i]);
}

gboolean
heddle_window_walk_init (HeddleWindowWalk *self, const HeddleCost *cost, const HeddleWindowGroup *group,
    guint64 loops, const gint64 *tiles, gint64 chunk)
{
  double count = 1.;

  self->place.cost = cost;
  self->n = 0;
  for (; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);
      GArray *parts
          = heddle_window_parts_of (group, cost, loop, loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop]);

      if (parts == NULL)
        return FALSE;
      self->loops[self->n] = loop;
      self->parts[self->n] = parts;
      self->at[self->n] = 0;
      take_part (self, self->n++);
      count *= parts->len;
    }
  return count <= cost->most_parts;
}

gint64
heddle_window_walk_count (const HeddleWindowWalk *self)
{
  gint64 count = 1;

  for (guint i = 0; i < self->n; i++)
    count = heddle_saturating_multiply (count, self->place.at[self->loops[i]].count);
  return count;
}

gboolean
heddle_window_walk_next (HeddleWindowWalk *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      gboolean more = ++self->at[i] < self->parts[i]->len;

      self->at[i] = more ? self->at[i] : 0;
      take_part (self, i);
      if (more)
        return TRUE;
    }
  return FALSE;
}

static gint64
size_of_loop (guint loop, const gint64 *tiles, gint64 chunk)
{
  return loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop];
}

gboolean
heddle_window_walk_to_middle (HeddleWindowWalk *walk, const HeddleCost *cost, const HeddleWindowGroup *group,
    guint64 loops, const gint64 *tiles, gint64 chunk)
{
  walk->place.cost = cost;
  walk->n = 0;
  for (; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);
      gint64 n = heddle_cost_length_of_loop (cost, loop), size = MIN (size_of_loop (loop, tiles, chunk), n);
      gint64 middle = n / size / 2;

      walk->parts[walk->n] = NULL;
      walk->loops[walk->n++] = loop;
      walk->place.at[loop] = heddle_window_part_of (cost, loop, size, middle);
      if (walk->place.at[loop].to - walk->place.at[loop].from < size)
        return FALSE;
    }
  for (guint i = 0; i < group->n; i++)
    {
      HeddleSpan hull = heddle_window_hull_at (group->windows[i], &walk->place);

      if (!group->windows[i]->is_sum || hull.from < 0 || hull.to > group->windows[i]->n)
        return FALSE;
    }
  return TRUE;
}
