/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "derive/cost/cost.h"
#include "derive/cost/window-parts.h"
#include "derive/cost/window-walk.h"
#include "derive/cost/windows-private.h"
#include "derive/cost/windows.h"
#include "derive/index/window.h"

/* The tiles of a loop that moves windows: neighbouring tiles read some of the same indices, and those at the ends of an array fewer. Where the window
 * is a sum, all tiles that lie inside alike count at once. A search comes back to the same sizes again and again, so that what was found is kept. */

HeddleWindowPlacePart
heddle_window_part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop), from = number * size;

  return (HeddleWindowPlacePart){ from, MIN (size, n - from) + from, 1 };
}

/* Whether no window is cut, and the tile is whole: as all those between two such are. */
static gboolean
is_inside (const HeddleWindowGroup *group, HeddleWindowPlace *place, guint loop, gint64 size, gint64 number)
{
  place->at[loop] = heddle_window_part_of (place->cost, loop, size, number);
  if (place->at[loop].to - place->at[loop].from < size)
    return FALSE;
  for (guint i = 0; i < group->n; i++)
    {
      const HeddleCostWindow *window = group->windows[i];
      HeddleSpan hull;

      if ((window->loops >> loop & 1) == 0)
        continue;
      hull = heddle_window_hull_at (window, place);
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

      place.at[loop] = heddle_window_part_of (cost, loop, size, number);
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
find_parts (const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size, gint64 n)
{
  gint64 count, front = 0, back;
  gboolean simple = is_simple (group, loop);
  GArray *parts = NULL;
  HeddleWindowPlace place;

  count = n / size + (n % size != 0);
  if (!simple && is_alone (group, loop))
    return kinds_of_parts (group, cost, loop, size, count);
  parts = g_array_new (FALSE, FALSE, sizeof (HeddleWindowPlacePart));
  place.cost = cost;
  back = count;
  while (
      front < count && front < cost->most_parts && !(simple && is_inside (group, &place, loop, size, front)))
    {
      HeddleWindowPlacePart part = heddle_window_part_of (cost, loop, size, front++);

      g_array_append_val (parts, part);
    }
  while (front < back && back > count - cost->most_parts && !is_inside (group, &place, loop, size, back - 1))
    {
      HeddleWindowPlacePart part = heddle_window_part_of (cost, loop, size, --back);

      g_array_append_val (parts, part);
    }
  if (parts->len >= cost->most_parts)
    g_clear_pointer (&parts, g_array_unref);
  else if (front < back)
    {
      HeddleWindowPlacePart inside = heddle_window_part_of (cost, loop, size, front);

      inside.count = back - front;
      g_array_append_val (parts, inside);
    }
  return parts;
}

/* --- remembered ------------------------------------------------------------------------------------ */

/* What the tiles of a loop depend on. */
typedef struct
{
  guint loop, most_parts, n_windows;
  gboolean full; /* there were more than a group has room for */
  gint64 size, n;
  const HeddleCostWindow
      *windows[G_N_ELEMENTS (((HeddleWindowGroup *) NULL)->windows)]; /* those the loop moves */
} Key;

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = key->loop * 31 + (guint64) key->size;

  for (guint i = 0; i < key->n_windows; i++)
    hash = hash * 31 + (guint64) (gsize) key->windows[i];
  return (guint) (hash ^ hash >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

static void
parts_free (gpointer parts)
{
  g_clear_pointer ((GArray **) &parts, g_array_unref);
}

GHashTable *
heddle_window_parts_table_new (void)
{
  return g_hash_table_new_full (key_hash, key_equal, g_free, parts_free);
}

GArray *
heddle_window_parts_of (const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop);
  gpointer parts;
  Key key;

  memset (&key, 0, sizeof key);
  /* Below a stream whose chunk is still looked for, there is no size yet. */
  key.size = size > 0 ? MIN (size, n) : n;
  key.loop = loop;
  key.n = n;
  key.most_parts = cost->most_parts;
  key.full = group->n == G_N_ELEMENTS (group->windows);
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0)
      key.windows[key.n_windows++] = group->windows[i];
  if (!g_hash_table_lookup_extended (cost->window_parts, &key, NULL, &parts))
    {
      parts = find_parts (group, cost, loop, key.size, n);
      g_hash_table_insert (cost->window_parts, g_memdup2 (&key, sizeof key), parts);
    }
  return parts != NULL ? g_array_ref (parts) : NULL;
}
