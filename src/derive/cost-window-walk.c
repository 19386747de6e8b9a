/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "derive/cost-windows-private.h"

/* Neighbouring tiles read some of the same indices, and those at the ends of an array fewer, so that a loop that moves a window is gone through tile by
 * tile: where the window is a sum, all tiles that lie inside alike count at once. */

/* --- tiles --------------------------------------------------------------------------------------------- */

static HeddleSpan
axis_at (const char *axis, gpointer data)
{
  const HeddleWindowPlace *self = data;
  int loop = heddle_cost_find_loop (self->cost, axis, TRUE);

  return loop >= 0 ? (HeddleSpan){ self->at[loop].from, self->at[loop].to }
                   : (HeddleSpan){ 0, heddle_sizes_get (self->cost->sizes, axis) };
}

/* From the least to the largest index, as far as they would go. */
static HeddleSpan
hull_at (const HeddleWindow *self, const HeddleWindowPlace *place)
{
  HeddleSpan hull = { self->least, self->most };

  if (!self->is_sum)
    return heddle_window_hull (self->exprs, place->cost->sizes, axis_at, (gpointer) place);
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
heddle_window_length_at (const HeddleWindow *self, const HeddleWindowPlace *place)
{
  HeddleSpan hull = hull_at (self, place);
  gint64 from = CLAMP (hull.from, 0, self->n), to = CLAMP (hull.to, 0, self->n);

  return MAX (to - from, 0);
}

/* --- all tiles of a loop ------------------------------------------------------------------------------------ */

void
heddle_window_group_add (HeddleWindowGroup *group, const HeddleWindows *windows, guint64 loops)
{
  for (guint i = 0; i < windows->n && group->n < G_N_ELEMENTS (group->windows); i++)
    if ((windows->windows[i].loops & loops) != 0)
      group->windows[group->n++] = &windows->windows[i];
}

static HeddleWindowPlacePart
part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop), from = number * size;

  return (HeddleWindowPlacePart){ from, MIN (size, n - from) + from, 1 };
}

/* Whether no window is cut, and the tile is whole: as all those between two such are. */
static gboolean
is_inside (const HeddleWindowGroup *group, HeddleWindowPlace *place, guint loop, gint64 size, gint64 number)
{
  place->at[loop] = part_of (place->cost, loop, size, number);
  if (place->at[loop].to - place->at[loop].from < size)
    return FALSE;
  for (guint i = 0; i < group->n; i++)
    {
      const HeddleWindow *window = group->windows[i];
      HeddleSpan hull;

      if ((window->loops >> loop & 1) == 0)
        continue;
      hull = hull_at (window, place);
      if (hull.from < 0 || hull.to > window->n)
        return FALSE;
    }
  return TRUE;
}

/* Where tiles that lie inside are alike. */
static gboolean
is_simple (const HeddleWindowGroup *group, guint loop)
{
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0
        && (!group->windows[i]->is_sum || group->windows[i]->loops != G_GUINT64_CONSTANT (1) << loop))
      return FALSE;
  return TRUE;
}

/* Whether what moves with the loop moves with no other, so that a tile says how long its windows are. */
static gboolean
is_alone (const HeddleWindowGroup *group, guint loop)
{
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0
        && group->windows[i]->loops != G_GUINT64_CONSTANT (1) << loop)
      return FALSE;
  return group->n < G_N_ELEMENTS (group->windows);
}

/* How long the tile at hand and the windows that move with it are. */
typedef struct
{
  gint64 tile, windows[G_N_ELEMENTS (((HeddleWindowGroup *) NULL)->windows)];
} Lengths;

static void
find_lengths (const HeddleWindowGroup *group, const HeddleWindowPlace *place, guint loop, Lengths *lengths)
{
  memset (lengths, 0, sizeof *lengths);
  lengths->tile = place->at[loop].to - place->at[loop].from;
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0)
      lengths->windows[i] = heddle_window_length_at (group->windows[i], place);
}

/* The tiles of a loop that is alone, those of the same lengths once: those of a window that is no sum repeat themselves. NULL: there are too
 * many. */
static GArray *
kinds_of_parts (const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size, gint64 count)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (HeddleWindowPlacePart));
  g_autoptr (GArray) kinds = g_array_new (FALSE, FALSE, sizeof (Lengths));
  HeddleWindowPlace place;

  place.cost = cost;
  if (count > cost->most_parts)
    g_clear_pointer (&parts, g_array_unref);
  for (gint64 number = 0; parts != NULL && number < count; number++)
    {
      Lengths lengths;
      guint k = kinds->len;

      place.at[loop] = part_of (cost, loop, size, number);
      find_lengths (group, &place, loop, &lengths);
      while (k > 0 && memcmp (&g_array_index (kinds, Lengths, k - 1), &lengths, sizeof lengths) != 0)
        k--;
      if (k > 0)
        {
          g_array_index (parts, HeddleWindowPlacePart, k - 1).count++;
          continue;
        }
      g_array_append_val (kinds, lengths);
      g_array_append_val (parts, place.at[loop]);
    }
  return parts;
}

/* The tiles of a loop, those that are alike once; NULL: there are too many. */
static GArray *
parts_of (const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop), count, front = 0, back;
  gboolean simple = is_simple (group, loop);
  GArray *parts = NULL;
  HeddleWindowPlace place;

  /* Below a stream whose chunk is still looked for. */
  size = size > 0 ? MIN (size, n) : n;
  count = n / size + (n % size != 0);
  if (!simple && is_alone (group, loop))
    return kinds_of_parts (group, cost, loop, size, count);
  parts = g_array_new (FALSE, FALSE, sizeof (HeddleWindowPlacePart));
  place.cost = cost;
  back = count;
  while (
      front < count && front < cost->most_parts && !(simple && is_inside (group, &place, loop, size, front)))
    {
      HeddleWindowPlacePart part = part_of (cost, loop, size, front++);

      g_array_append_val (parts, part);
    }
  while (front < back && back > count - cost->most_parts && !is_inside (group, &place, loop, size, back - 1))
    {
      HeddleWindowPlacePart part = part_of (cost, loop, size, --back);

      g_array_append_val (parts, part);
    }
  if (parts->len >= cost->most_parts)
    g_clear_pointer (&parts, g_array_unref);
  else if (front < back)
    {
      HeddleWindowPlacePart inside = part_of (cost, loop, size, front);

      inside.count = back - front;
      g_array_append_val (parts, inside);
    }
  return parts;
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
      GArray *parts = parts_of (group, cost, loop, loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop]);

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
      walk->place.at[loop] = part_of (cost, loop, size, middle);
      if (walk->place.at[loop].to - walk->place.at[loop].from < size)
        return FALSE;
    }
  for (guint i = 0; i < group->n; i++)
    {
      HeddleSpan hull = hull_at (group->windows[i], &walk->place);

      if (!group->windows[i]->is_sum || hull.from < 0 || hull.to > group->windows[i]->n)
        return FALSE;
    }
  return TRUE;
}
