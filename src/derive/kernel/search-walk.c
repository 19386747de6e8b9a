/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/cost/windows.h"
#include "derive/index/saturate.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors.h"
#include "derive/kernel/search-tiles.h"
#include "derive/kernel/search-walk.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define CHECK_EVERY 1024

HeddleChoice *
heddle_search_get_choice (const HeddleSearch *self, guint i)
{
  return &g_array_index (self->choices, HeddleChoice, i);
}

/* --- scoring ------------------------------------------------------------------------------------------ */

static int
compare_tiles (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b)
{
  for (guint i = 0; i < self->choices->len; i++)
    if (a->tiles[i] != b->tiles[i])
      return a->tiles[i] < b->tiles[i] ? -1 : 1;
  if (a->chunk == b->chunk)
    return 0;
  return (a->chunk < b->chunk) != self->by_time ? -1 : 1;
}

/* The cost of a step beside its elements (barriers, the merge of a state), in elements of the axis: about a
 * fragment. */
#define STEP_COSTS 16

/* Returns how long the loop of one group is if a split axis streams (the longest chunk and the most even
 * parts give the shortest one); else 0. */
static gint64
loop_length (const HeddleSearch *self, const HeddleScore *score)
{
  gint64 length, chunk;

  if (!self->by_time || self->cost->split < 0)
    return 0;
  length = MIN (score->tiles[self->cost->split], self->cost->n[self->cost->split]);
  chunk = MIN (score->chunk, length);
  return heddle_saturating_multiply (length / chunk + (length % chunk != 0), chunk + STEP_COSTS);
}

#define COMPARE(a, b)                                                                                        \
  if ((a) != (b))                                                                                            \
  return (a) < (b)

/* Returns whether @a is better than @b. Ties are broken by fewer groups, then by the smaller tile, then by
 * the outputs' axes. On a GPU the shorter loop comes before the smaller tile, and of equal tiles the larger
 * chunk, whose loop has fewer barriers. */
static gboolean
is_better (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b)
{
  if (!b->found)
    return TRUE;
  COMPARE (b->fits, a->fits);
  if (!a->fits)
    COMPARE (a->memory, b->memory);
  if (self->by_time)
    COMPARE (a->time, b->time);
  COMPARE (a->transfers, b->transfers);
  COMPARE (a->groups, b->groups);
  COMPARE (loop_length (self, a), loop_length (self, b));
  return compare_tiles (self, a, b) < 0;
}

/* Returns whether a structure is better than one tried before it, and not only as good. */
gboolean
heddle_search_is_gain (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b)
{
  if (!b->found || a->fits != b->fits)
    return !b->found || a->fits;
  if (!a->fits)
    return a->memory < b->memory;
  return self->by_time ? a->time < b->time : a->transfers < b->transfers;
}

gboolean
heddle_search_fits (const HeddleSearch *self)
{
  return heddle_kernel_fits (self->context, self->cost, self->tiles, self->chunk);
}

static void
consider (HeddleSearch *self)
{
  HeddleScore score = { TRUE, heddle_search_fits (self) };

  self->report->candidates++;
  score.transfers = heddle_cost_transfers (self->cost, self->tiles, self->chunk, FALSE);
  score.groups = heddle_cost_groups (self->cost, self->tiles);
  score.memory = score.fits ? 0 : heddle_cost_memory (self->cost, self->tiles, self->chunk, FALSE);
  score.time
      = self->by_time ? heddle_time_expected (self->context, self->cost, self->tiles, self->chunk) : 0.;
  score.chunk = self->chunk;
  memcpy (score.tiles, self->tiles, sizeof score.tiles);
  if (is_better (self, &score, &self->best))
    self->best = score;
}

void
heddle_search_consider_time (HeddleSearch *self)
{
  HeddleScore score = { TRUE, TRUE };

  self->report->candidates++;
  score.time = heddle_time_expected (self->context, self->cost, self->tiles, self->chunk);
  if (score.time >= self->limit || (self->best.found && self->best.fits && score.time > self->best.time))
    return;
  score.transfers = heddle_cost_transfers (self->cost, self->tiles, self->chunk, FALSE);
  score.groups = heddle_cost_groups (self->cost, self->tiles);
  score.chunk = self->chunk;
  memcpy (score.tiles, self->tiles, sizeof score.tiles);
  if (is_better (self, &score, &self->best))
    self->best = score;
}

/* The number of parts that one evaluation visits where windows are not alike in all parts. */
#define PARTS_OF_A_LOOK 64

/* Returns roughly how many products one evaluation of the cost takes. */
guint64
heddle_search_work_of_look (const HeddleSearch *self)
{
  guint64 work = self->cost->transfers->len + self->cost->works->len + self->cost->shared->len;

  for (guint i = 0; i < self->cost->moments->len; i++)
    work += ((HeddleMoment *) g_ptr_array_index (self->cost->moments, i))->terms->len;
  return heddle_cost_has_windows (self->cost) ? work * PARTS_OF_A_LOOK : work;
}

void
heddle_search_leave_unproved (HeddleSearch *self, const char *reason)
{
  self->report->exact = FALSE;
  if (self->report->unproved == NULL)
    self->report->unproved = reason;
}

/* Counts an evaluation of the cost. Returns FALSE if the search must end. */
gboolean
heddle_search_go_on (HeddleSearch *self)
{
  if (++self->looks % CHECK_EVERY == 0 && g_cancellable_is_cancelled (self->context->cancellable))
    self->cancelled = TRUE;
  if (self->looks >= self->most_looks)
    {
      self->cut_short = TRUE;
      heddle_search_leave_unproved (self, N_ ("there are too many tiles to try in a reasonable time"));
    }
  return !self->cancelled && self->looks < self->most_looks;
}

/* --- by transfers: exact ---------------------------------------------------------------------------------- */

void
heddle_search_set_least (HeddleSearch *self, guint from)
{
  for (guint i = from; i < self->choices->len; i++)
    self->tiles[i] = heddle_size_at (heddle_search_get_choice (self, i)->sizes, 0);
}

gint64
heddle_search_least_transfers (HeddleSearch *self, guint from)
{
  gint64 tiles[HEDDLE_MAX_GROUPS];

  memcpy (tiles, self->tiles, sizeof tiles);
  for (guint i = from; i < self->choices->len; i++)
    {
      const GArray *sizes = heddle_search_get_choice (self, i)->sizes;

      tiles[i] = heddle_size_at (sizes, sizes->len - 1);
    }
  return heddle_cost_transfers (self->cost, tiles, self->chunk, FALSE);
}

/* Finds the largest tile of choice @i that fits; the least if none does. */
static void
solve_by_bisection (HeddleSearch *self, guint i)
{
  const GArray *sizes = heddle_search_get_choice (self, i)->sizes;
  guint low = 0, high = sizes->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      self->tiles[i] = heddle_size_at (sizes, middle);
      if (heddle_search_fits (self))
        low = middle;
      else
        high = middle;
    }
  self->tiles[i] = heddle_size_at (sizes, low);
}

/* Tries the tiles of the choices from @i on; the last one is found by bisection. The memory of windows does
 * not always rise with their tiles, so all of those are tried. */
void
heddle_search_exactly (HeddleSearch *self, guint i)
{
  const GArray *sizes;
  gboolean windows = heddle_cost_has_windows (self->cost);

  if (windows ? i >= self->n_bound : i + 1 >= self->n_bound)
    {
      if (i < self->n_bound)
        solve_by_bisection (self, i);
      consider (self);
      return;
    }
  sizes = heddle_search_get_choice (self, i)->sizes;
  for (guint k = 0; k < sizes->len && heddle_search_go_on (self); k++)
    {
      self->tiles[i] = heddle_size_at (sizes, k);
      heddle_search_set_least (self, i + 1);
      if (!windows && k > 0 && !heddle_search_fits (self))
        break;
      if (windows || !self->best.found || !self->best.fits
          || heddle_search_least_transfers (self, i + 1) <= self->best.transfers)
        heddle_search_exactly (self, i + 1);
    }
}

/* Enlarges the tiles of axes that every operand has: they only make fewer groups. */
void
heddle_search_enlarge_free (HeddleSearch *self)
{
  if (!self->best.found || !self->best.fits)
    return;
  memcpy (self->tiles, self->best.tiles, sizeof self->tiles);
  self->chunk = self->best.chunk;
  for (guint i = self->n_bound; i < self->choices->len; i++)
    solve_by_bisection (self, i);
  consider (self);
}

/* --- by time: through all of a coarse grid -------------------------------------------------------------------- */

/* Returns whether a group of a split axis would not have whole chunks. */
gboolean
heddle_search_is_ragged (const HeddleSearch *self, guint i)
{
  return (int) i == self->cost->split && self->tiles[i] < self->cost->n[i]
         && self->tiles[i] % self->chunk != 0;
}

void
heddle_search_grid (HeddleSearch *self, guint i)
{
  const GArray *sizes;

  if (i == self->choices->len)
    {
      consider (self);
      return;
    }
  sizes = heddle_search_get_choice (self, i)->sizes;
  for (guint k = 0; k < sizes->len && heddle_search_go_on (self); k++)
    {
      self->tiles[i] = heddle_size_at (sizes, k);
      if (heddle_search_is_ragged (self, i))
        continue;
      heddle_search_set_least (self, i + 1);
      if (self->best.found && !heddle_search_fits (self))
        break;
      heddle_search_grid (self, i + 1);
    }
}

gint64
heddle_search_divisor (const HeddleSearch *self, const char *axis)
{
  return heddle_divisors_get (self->divisors, axis, 0);
}
