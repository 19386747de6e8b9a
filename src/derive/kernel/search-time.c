/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/cost/windows.h"
#include "derive/kernel/divisors.h"
#include "derive/kernel/search-tiles.h"
#include "derive/kernel/search-time.h"
#include "derive/kernel/search-walk.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* This file finds the least predicted time of one structure, exactly. Time depends on a tile only by the
 * number of groups, but for guards; so the least tile of each number of groups is enough, and it is the one
 * that holds least. Every unit's time falls with every tile; only the waves do not: a branch is cut where the
 * largest tiles would not be better if the machine were kept as busy as its groups can keep it. What is read
 * with a halo does not fall with the tiles alone: there every tile and chunk is tried, none is cut, as long
 * as they are not too many. */

/* The largest chunk on a GPU: a fragment of the tensor cores is 16 wide, and chunks beyond 128 gain
 * nothing. */
#define MOST_CHUNK 128
/* The number of tiles of a kernel with halos up to which all are tried. */
#define MOST_WINDOWED 20000.
/* The same of each of many kernels that a cut into kernels is searched for. */
#define FEW_WINDOWED 200.

/* --- what is tried ----------------------------------------------------------------------------- */

static gboolean
moves_windows (const HeddleSearch *self)
{
  for (guint i = 0; i < self->cost->n_groups; i++)
    if (heddle_cost_moves_windows (self->cost, i))
      return TRUE;
  return heddle_cost_moves_windows (self->cost, HEDDLE_STREAM_LOOP);
}

static void
set_sizes (HeddleSearch *self, guint i)
{
  HeddleChoice *choice = heddle_search_get_choice (self, i);
  gint64 divisor = heddle_search_divisor (self, choice->axis);

  if (choice->given)
    return;
  if (!choice->free)
    divisor = heddle_common_multiple (divisor, self->least_tile);
  if ((int) i == self->cost->split)
    divisor = heddle_common_multiple (divisor, self->chunk);
  g_array_unref (choice->sizes);
  choice->sizes = heddle_cost_moves_windows (self->cost, i)
                      ? heddle_sizes_of_all (self->cost->n[i], divisor)
                      : heddle_sizes_of_classes (self->cost->n[i], divisor);
}

/* Returns how many combinations of tiles there are with the current chunk. */
static double
count_tiles (const HeddleSearch *self)
{
  double count = 1.;

  for (guint i = 0; i < self->choices->len; i++)
    count *= heddle_search_get_choice (self, i)->sizes->len;
  return count;
}

/* Returns the multiples of the fragment up to the longest, and the whole axis if that is less. */
static GArray *
all_chunks (const HeddleSearch *self, const HeddleTiling *given, const char *stream)
{
  gint64 step = heddle_common_multiple (heddle_search_divisor (self, stream), self->least_tile);
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (given->stream == stream && given->chunk > 0)
    {
      g_array_append_val (sizes, given->chunk);
      return sizes;
    }
  for (gint64 size = step; size <= MAX (step, MOST_CHUNK); size += step)
    {
      g_array_append_val (sizes, size);
      if (size >= self->cost->n_stream)
        break;
    }
  return sizes;
}

/* Returns whether time depends on the chunk: something is moved or computed again in every step. */
static gboolean
depends_on_chunk (const HeddleSearch *self)
{
  for (guint i = 0; i < self->cost->transfers->len; i++)
    if (heddle_terms_depend (&g_array_index (self->cost->transfers, HeddleTerms, i), HEDDLE_STREAM_LOOP))
      return TRUE;
  for (guint i = 0; i < self->cost->works->len; i++)
    if (g_array_index (self->cost->works, HeddleWork, i).stream)
      return TRUE;
  return FALSE;
}

/* --- branch and bound ---------------------------------------------------------------------------- */

/* Returns a lower bound of the time for the choices from @from on. @busy: with as many groups as they can
 * make, else with the machine full. */
static HeddleTime
bound (const HeddleSearch *self, guint from, gboolean busy)
{
  gint64 tiles[HEDDLE_MAX_GROUPS], least[HEDDLE_MAX_GROUPS];

  memcpy (tiles, self->tiles, sizeof tiles);
  memcpy (least, self->tiles, sizeof least);
  for (guint i = from; i < self->choices->len; i++)
    {
      const GArray *sizes = heddle_search_get_choice ((HeddleSearch *) self, i)->sizes;

      tiles[i] = heddle_size_at (sizes, sizes->len - 1);
      least[i] = heddle_size_at (sizes, 0);
    }
  return heddle_time_bound (self->context, self->cost, tiles, self->chunk,
      busy ? heddle_cost_groups (self->cost, least) : G_MAXINT64);
}

static double
to_beat (const HeddleSearch *self)
{
  return self->best.found && self->best.fits ? MIN (self->best.time, self->limit) : self->limit;
}

/* Returns whether all tiles are chosen and their waves make them slower than the best; @least is their time
 * with the machine full. */
static gboolean
loses_by_waves (const HeddleSearch *self, guint next, const HeddleTime *least)
{
  double groups = (double) heddle_cost_groups (self->cost, self->tiles);
  double sms = self->context->options->machine->sms;
  double work = least->parts[HEDDLE_TIME_LONGEST] + least->parts[HEDDLE_TIME_EXPOSED]
                + least->parts[HEDDLE_TIME_CLOCK];

  return next == self->choices->len && groups > 0.
         && work * ceil (groups / sms) * sms / groups + least->parts[HEDDLE_TIME_LAUNCH]
                > to_beat (self) * (1. + 1e-12);
}

/* Returns whether what is left can be at most as fast as the best, and moves more. */
static gboolean
loses_by_transfers (HeddleSearch *self, guint next, double least)
{
  return self->best.found && self->best.fits && least >= self->best.time
         && !heddle_cost_has_windows (self->cost)
         && heddle_search_least_transfers (self, next) > self->best.transfers;
}

/* Tries the tiles of choice @i from the largest down: below one that could not be better with the machine
 * full, none is. */
static void
branch (HeddleSearch *self, guint i)
{
  const GArray *sizes;
  HeddleTime least;

  if (i == self->choices->len)
    {
      heddle_search_consider_time (self);
      return;
    }
  sizes = heddle_search_get_choice (self, i)->sizes;
  for (guint k = sizes->len; k-- > 0 && heddle_search_go_on (self);)
    {
      self->tiles[i] = heddle_size_at (sizes, k);
      heddle_search_set_least (self, i + 1);
      if (heddle_search_is_ragged (self, i) || !heddle_search_fits (self))
        continue;
      least = bound (self, i + 1, FALSE);
      if (least.expected_s > to_beat (self) || loses_by_transfers (self, i + 1, least.expected_s))
        break;
      if (loses_by_waves (self, i + 1, &least))
        continue;
      if (i + 1 == self->choices->len || bound (self, i + 1, TRUE).expected_s <= to_beat (self))
        branch (self, i + 1);
    }
}

static void
try_all (HeddleSearch *self, guint i)
{
  const GArray *sizes;

  if (i == self->choices->len)
    {
      if (heddle_search_fits (self))
        heddle_search_consider_time (self);
      return;
    }
  sizes = heddle_search_get_choice (self, i)->sizes;
  for (guint k = 0; k < sizes->len && heddle_search_go_on (self); k++)
    {
      self->tiles[i] = heddle_size_at (sizes, k);
      if (!heddle_search_is_ragged (self, i))
        try_all (self, i + 1);
    }
}

/* Tries every tile and chunk, where some move windows; if there are too many, the result so far stands. */
static void
try_windows (HeddleSearch *self, const GArray *chunks)
{
  double count = 0.;

  for (guint k = 0; k < chunks->len; k++)
    {
      self->chunk = heddle_size_at (chunks, k);
      for (guint i = 0; i < self->choices->len; i++)
        set_sizes (self, i);
      count += count_tiles (self);
    }
  if (count > (self->context->most_work != 0 ? FEW_WINDOWED : MOST_WINDOWED))
    {
      heddle_search_leave_unproved (self, N_ ("what is read with a halo does not rise and fall with the "
                                              "tiles alone, and not all were tried"));
      return;
    }
  for (guint k = chunks->len; k-- > 0 && heddle_search_go_on (self);)
    {
      self->chunk = heddle_size_at (chunks, k);
      for (guint i = 0; i < self->choices->len; i++)
        set_sizes (self, i);
      try_all (self, 0);
    }
}

/* Takes the longest chunk that fits beside the tiles found, where time does not depend on the chunk. */
static void
lengthen_chunk (HeddleSearch *self, const GArray *chunks)
{
  if (!self->best.found || !self->best.fits)
    return;
  memcpy (self->tiles, self->best.tiles, sizeof self->tiles);
  for (guint k = 0; k < chunks->len; k++)
    {
      gboolean ragged = FALSE;

      self->chunk = heddle_size_at (chunks, k);
      for (guint i = 0; i < self->choices->len; i++)
        ragged = ragged || heddle_search_is_ragged (self, i);
      if (!ragged && heddle_search_fits (self))
        heddle_search_consider_time (self);
    }
}

static void
try_chunk (HeddleSearch *self, gint64 chunk)
{
  self->chunk = chunk;
  for (guint i = 0; i < self->choices->len; i++)
    set_sizes (self, i);
  heddle_search_set_least (self, 0);
  branch (self, 0);
}

/* Searches by time. If time does not depend on the chunk, any chunk finds the tiles; but parts of a split
 * axis are multiples of it, so that the longest chunk has tiles of its own. */
void
heddle_search_by_time (HeddleSearch *self, const HeddleTiling *given, const char *stream)
{
  g_autoptr (GArray) chunks = stream != NULL ? all_chunks (self, given, stream) : heddle_one_size (1);
  guint n = depends_on_chunk (self) ? chunks->len : 1;

  if (self->cost->guard != NULL || self->context->options->plain)
    {
      if (self->cost->guard == NULL)
        heddle_search_leave_unproved (self, N_ ("only kernels that stream whole axes were tried"));
      return;
    }
  if (self->best.found && !self->best.fits)
    return;
  if (moves_windows (self))
    {
      try_windows (self, chunks);
      return;
    }
  if (n == 1 && self->cost->split >= 0 && chunks->len > 1)
    try_chunk (self, heddle_size_at (chunks, chunks->len - 1));
  for (guint k = n; k-- > 0 && heddle_search_go_on (self);)
    try_chunk (self, heddle_size_at (chunks, k));
  if (n == 1)
    lengthen_chunk (self, chunks);
}
