/* SPDX-License-Identifier: MIT */
#include "derive/cost/windows.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/index/window-sum.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "derive/index/interval.h"

#include <string.h>

/* This file computes what windows add to a cost: see window-walk.c for the order in which tiles are
 * visited. */

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

/* Stores the indices as a sum if they are one, else compiled. */
static void
set_indices (const HeddleCost *cost, HeddleCostWindow *self)
{
  g_autoptr (HeddleWindowSum) sum = heddle_window_sum_new (self->exprs, cost->sizes);

  self->is_sum = sum != NULL;
  if (sum == NULL)
    {
      self->programs = heddle_window_compile (self->exprs, cost->sizes, slot_of_loop, (gpointer) cost);
      self->laid_out = g_new0 (HeddleWindowMemo, HEDDLE_WINDOW_MEMOS);
      if (__builtin_popcountll (self->loops) <= HEDDLE_WINDOW_HULL_LOOPS)
        self->hulls = g_new0 (HeddleWindowHull, HEDDLE_WINDOW_HULLS);
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
      g_free (self->windows[i].hulls);
    }
  g_free (self->windows);
  g_ptr_array_unref (self->own);
  g_free (self);
}

/* Returns the tile of an axis as a window of its own. */
static const GPtrArray *
own_tile (HeddleWindows *self, const char *axis)
{
  GPtrArray *exprs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  g_ptr_array_add (exprs, heddle_expr_index (axis));
  g_ptr_array_add (self->own, exprs);
  return exprs;
}

/* Returns the loops that are joined with @loop: windows that share one depend on both. */
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

static gint64 window_length_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);

/* Returns the elements of the windows along @loops, or of all windows if that is 0. */
gint64
heddle_windows_elements_at (const HeddleWindows *self, const HeddleWindowPlace *place, guint64 loops)
{
  gint64 product = 1;

  for (guint i = 0; i < self->n; i++)
    if (loops == 0 || (self->windows[i].loops & loops) != 0)
      product = heddle_saturating_multiply (product, window_length_at (&self->windows[i], place));
  return product;
}

static gint64 window_walk_count (const HeddleWindowWalk *self);

/* --- what crosses and what is held ---------------------------------------------------------------------------- */

/* Returns the sum or the maximum, over all parts of @loops, of the elements of the windows along them. */
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
                        result, heddle_saturating_multiply (elements, window_walk_count (&walk)));
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

/* Returns the elements of windows that some loops move; they are kept for sizes that a search comes back
 * to. */
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
      product = heddle_saturating_multiply (product, window_length_at (&self->windows[i], &place));
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

/* This part classifies the tiles of a loop that moves windows: neighbouring tiles read some of the same
 * indices, and those at the ends of an array fewer. If the window is a sum, all tiles that lie inside alike
 * count at once. A search comes back to the same sizes again and again, so that what was found is kept. */

/* Returns part number @number of a loop that is cut into tiles of @size: its first index and the one after
 * its last, cut at the end of the axis. */
static HeddleWindowPlacePart
window_part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop), from = number * size;

  return (HeddleWindowPlacePart){ from, MIN (size, n - from) + from, 1 };
}

static HeddleSpan window_hull_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);

/* Returns whether no window is cut, and the tile is whole: then this holds for all tiles between two such
 * ones. */
static gboolean
is_inside (const HeddleWindowGroup *group, HeddleWindowPlace *place, guint loop, gint64 size, gint64 number)
{
  place->at[loop] = window_part_of (place->cost, loop, size, number);
  if (place->at[loop].to - place->at[loop].from < size)
    return FALSE;
  for (guint i = 0; i < group->n; i++)
    {
      const HeddleCostWindow *window = group->windows[i];
      HeddleSpan hull;

      if ((window->loops >> loop & 1) == 0)
        continue;
      hull = window_hull_at (window, place);
      if (hull.from < 0 || hull.to > window->n)
        return FALSE;
    }
  return TRUE;
}

/* Returns whether all tiles of the loop that lie inside are alike. */
static gboolean
is_simple (const HeddleWindowGroup *group, guint loop)
{
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0
        && (!group->windows[i]->is_sum || group->windows[i]->loops != G_GUINT64_CONSTANT (1) << loop))
      return FALSE;
  return TRUE;
}

/* Returns whether what moves with the loop moves with no other loop, so that a tile says how long its windows
 * are. */
static gboolean
is_alone (const HeddleWindowGroup *group, guint loop)
{
  for (guint i = 0; i < group->n; i++)
    if ((group->windows[i]->loops >> loop & 1) != 0
        && group->windows[i]->loops != G_GUINT64_CONSTANT (1) << loop)
      return FALSE;
  return group->n < G_N_ELEMENTS (group->windows);
}

/* The lengths of the current tile and of the windows that move with it. */
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
      lengths->windows[i] = window_length_at (group->windows[i], place);
}

/* Returns the tiles of a loop that is alone, one for each set of lengths: those of a window that is no sum
 * repeat themselves. Returns NULL if there are too many. */
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

      place.at[loop] = window_part_of (cost, loop, size, number);
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

/* Returns the tiles of a loop, one of each kind; NULL if there are too many. */
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
      HeddleWindowPlacePart part = window_part_of (cost, loop, size, front++);

      g_array_append_val (parts, part);
    }
  while (front < back && back > count - cost->most_parts && !is_inside (group, &place, loop, size, back - 1))
    {
      HeddleWindowPlacePart part = window_part_of (cost, loop, size, --back);

      g_array_append_val (parts, part);
    }
  if (parts->len >= cost->most_parts)
    g_clear_pointer (&parts, g_array_unref);
  else if (front < back)
    {
      HeddleWindowPlacePart inside = window_part_of (cost, loop, size, front);

      inside.count = back - front;
      g_array_append_val (parts, inside);
    }
  return parts;
}

/* --- remembered ------------------------------------------------------------------------------------ */

/* The quantities that the tiles of a loop depend on. */
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

/* Returns a new array of HeddleWindowPlacePart with the tiles of @size of a loop, those that are alike once
 * with their number; %NULL where there are too many. */
static GArray *
window_parts_of (const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size)
{
  gint64 n = heddle_cost_length_of_loop (cost, loop);
  gpointer parts;
  Key key;

  memset (&key, 0, sizeof key);
  /* Below a stream whose chunk is not known yet, there is no size. */
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

/* This part goes through a loop that moves a window, tile by tile or kind of tile by kind of tile. */

/* --- tiles --------------------------------------------------------------------------------------------- */

/* Fills @wanted with the parts of the window's loops, and returns the place where their hull is kept; NULL if
 * none is. */
static HeddleWindowHull *
find_hull (const HeddleCostWindow *self, const HeddleWindowPlace *place, HeddleWindowHull *wanted)
{
  guint64 hash = 0;
  guint n = 0;

  memset (wanted, 0, sizeof *wanted);
  if (self->hulls == NULL)
    return NULL;
  for (guint64 loops = self->loops; loops != 0; loops &= loops - 1)
    {
      const HeddleWindowPlacePart *part = &place->at[__builtin_ctzll (loops)];

      wanted->parts[n++] = (HeddleSpan){ part->from, part->to };
      hash = (hash + (guint64) part->from) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (guint64) part->to;
    }
  return &self->hulls[(hash ^ hash >> 32) % HEDDLE_WINDOW_HULLS];
}

/* Returns the hull of a window that is no sum; it is kept for parts that a walk comes back to, as it does
 * wherever another loop goes on. */
static HeddleSpan
hull_of_programs (const HeddleCostWindow *self, const HeddleWindowPlace *place)
{
  HeddleInterval slots[HEDDLE_STREAM_LOOP + 1] = { { 0., 0. } };
  HeddleWindowHull wanted, *hull = find_hull (self, place, &wanted);

  if (hull != NULL && wanted.parts[0].to > 0 && memcmp (hull->parts, wanted.parts, sizeof wanted.parts) == 0)
    return hull->hull;
  for (guint64 loops = self->loops; loops != 0; loops &= loops - 1)
    {
      guint loop = (guint) __builtin_ctzll (loops);

      slots[loop] = (HeddleInterval){ (double) place->at[loop].from, (double) (place->at[loop].to - 1) };
    }
  wanted.hull = heddle_window_hull_of (self->programs, slots);
  if (hull != NULL)
    *hull = wanted;
  return wanted.hull;
}

/* Returns the indices that a window reaches at the current parts, from the least to the largest, not cut at
 * the ends of the array. */
static HeddleSpan
window_hull_at (const HeddleCostWindow *self, const HeddleWindowPlace *place)
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

/* Returns how many indices of its axis the window has at the current parts, cut at the ends of the array. */
static gint64
window_length_at (const HeddleCostWindow *self, const HeddleWindowPlace *place)
{
  return heddle_window_length (window_hull_at (self, place), self->n);
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
      GArray *parts = window_parts_of (group, cost, loop, loop == HEDDLE_STREAM_LOOP ? chunk : tiles[loop]);

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

/* Returns how many combinations of parts are like the current one. */
static gint64
window_walk_count (const HeddleWindowWalk *self)
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
      walk->place.at[loop] = window_part_of (cost, loop, size, middle);
      if (walk->place.at[loop].to - walk->place.at[loop].from < size)
        return FALSE;
    }
  for (guint i = 0; i < group->n; i++)
    {
      HeddleSpan hull = window_hull_at (group->windows[i], &walk->place);

      if (!group->windows[i]->is_sum || hull.from < 0 || hull.to > group->windows[i]->n)
        return FALSE;
    }
  return TRUE;
}
