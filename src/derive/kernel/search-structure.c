/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/context.h"
#include "derive/cost/windows.h"
#include "derive/kernel/search-structure.h"
#include "derive/kernel/search-tiles.h"
#include "derive/kernel/search-time.h"
#include "derive/kernel/search-walk.h"
#include "derive/legality/legality.h"
#include "derive/program/build.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* The best tiles of one structure: a stream axis, or none, and what is grouped. */

/* The number of sums of products for a structure, about a second's worth, beyond which the search stops and
 * says that it is not exact. */
#define MAX_WORK 300000000
#define MAX_PLAIN_WORK 400000 /* of a suggestion for kernels, of which a plan asks for many */
/* The largest chunk on a GPU: longer ones gain nothing. */
#define MOST_CHUNK 128

gboolean
heddle_tiling_gives (const HeddleTiling *tiling, const char *axis, gint64 *size)
{
  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);

      if (tile->axis != axis)
        continue;
      *size = tile->size;
      return TRUE;
    }
  return FALSE;
}

/* Returns every axis that may be grouped, in the order of the region's axes, with a tile of 1 for now; the
 * streamed axis only if it is @split. */
GArray *
heddle_search_groups_to_try (
    const HeddleSearch *self, const HeddleTiling *given, const char *stream, gboolean split)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (HeddleTile));

  for (guint i = 0; i < self->region->axes->len && groups->len < HEDDLE_MAX_GROUPS; i++)
    {
      HeddleTile tile = { heddle_ids_index (self->region->axes, i), 1 };

      if (tile.axis == stream)
        {
          heddle_tiling_gives (given, stream, &tile.size);
          if (split)
            g_array_append_val (groups, tile);
          continue;
        }
      if (heddle_tiling_gives (given, tile.axis, &tile.size)
          || heddle_legality_can_group (self->region, tile.axis))
        g_array_append_val (groups, tile);
    }
  return groups;
}

static gboolean
is_free (const HeddleSearch *self, guint group)
{
  for (guint i = 0; i < self->cost->transfers->len; i++)
    if (heddle_terms_depend (&g_array_index (self->cost->transfers, HeddleTerms, i), group))
      return FALSE;
  return TRUE;
}

static HeddleChoice
choice_new (const HeddleSearch *self, const HeddleTiling *given, const HeddleTile *tile, guint group)
{
  gint64 n = heddle_sizes_get (self->context->sizes, tile->axis), size = 1;
  gint64 divisor = heddle_search_divisor (self, tile->axis);
  HeddleChoice choice = { tile->axis };

  choice.given = heddle_tiling_gives (given, tile->axis, &size);
  choice.free = is_free (self, group);
  if (choice.given)
    choice.sizes = heddle_one_size (size);
  else if (self->by_time)
    choice.sizes = heddle_sizes_of_powers (n, divisor, choice.free ? 1 : self->least_tile, G_MAXINT64);
  else if (heddle_cost_moves_windows (self->cost, group))
    choice.sizes = heddle_sizes_of_all (n, divisor);
  else
    choice.sizes = heddle_sizes_of_classes (n, divisor);
  return choice;
}

/* Makes the choices in the order of the program's bands; in the search those come first that H depends on,
 * see reorder(). */
static void
make_choices (HeddleSearch *self, const HeddleTiling *given, const GArray *groups)
{
  g_array_set_size (self->choices, 0);
  for (guint i = 0; i < groups->len; i++)
    {
      HeddleChoice choice = choice_new (self, given, &g_array_index (groups, HeddleTile, i), i);

      g_array_append_val (self->choices, choice);
    }
}

/* Keeps the chunks that divide the given group of the axis; the group itself if there is none. */
static void
fit_chunks (HeddleSearch *self, gint64 group)
{
  for (guint i = self->chunks->len; i-- > 0;)
    if (group % heddle_size_at (self->chunks, i) != 0)
      g_array_remove_index (self->chunks, i);
  if (self->chunks->len == 0)
    g_array_append_val (self->chunks, group);
}

static void
make_chunks (HeddleSearch *self, const HeddleTiling *given, const char *stream)
{
  gint64 group;

  g_clear_pointer (&self->chunks, g_array_unref);
  if (stream == NULL)
    self->chunks = heddle_one_size (1);
  else if (given->stream == stream && given->chunk > 0)
    self->chunks = heddle_one_size (given->chunk);
  else if (self->by_time)
    self->chunks = heddle_sizes_of_powers (heddle_sizes_get (self->context->sizes, stream),
        heddle_search_divisor (self, stream), self->least_tile, MOST_CHUNK);
  else
    self->chunks = heddle_one_size (heddle_search_divisor (self, stream));
  if (stream != NULL && heddle_tiling_gives (given, stream, &group)
      && group < heddle_sizes_get (self->context->sizes, stream))
    fit_chunks (self, group);
}

/* Compares groups by the order of the region's axes. */
static gint
compare_groups (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleSearch *self = data;
  const HeddleTile *x = a, *y = b;

  return heddle_ids_find (self->region->axes, x->axis) - heddle_ids_find (self->region->axes, y->axis);
}

/* Puts bound axes before free ones: the search goes through the first and enlarges the others afterwards.
 * Returns FALSE if they were in that order. */
static gboolean
order_groups (HeddleSearch *self, GArray *groups)
{
  g_autoptr (GArray) before = g_array_copy (groups);
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof (HeddleTile));
  g_autoptr (GArray) unbound = g_array_new (FALSE, FALSE, sizeof (HeddleTile));

  g_array_sort_with_data (groups, compare_groups, self);
  for (guint i = 0; i < groups->len; i++)
    g_array_append_val (is_free (self, i) ? unbound : bound, g_array_index (groups, HeddleTile, i));
  self->n_bound = bound->len;
  g_array_set_size (groups, 0);
  g_array_append_vals (groups, bound->data, bound->len);
  g_array_append_vals (groups, unbound->data, unbound->len);
  for (guint i = 0; i < groups->len; i++)
    if (g_array_index (before, HeddleTile, i).axis != g_array_index (groups, HeddleTile, i).axis)
      return TRUE;
  return FALSE;
}

HeddleCost *
heddle_search_new_cost (const HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling)
{
  HeddleLoopProgram *program = heddle_loop_program_new (self->region, plan, tiling, "");
  HeddleCost *cost = heddle_cost_new (program, self->context->sizes, self->context->options->columns);

  heddle_cost_hurry (cost);
  return cost;
}

void
heddle_search_drop_cost (HeddleSearch *self)
{
  if (self->cost == NULL)
    return;
  heddle_loop_program_unref ((HeddleLoopProgram *) self->cost->program);
  g_clear_pointer (&self->cost, heddle_cost_free);
}

/* Returns whether every tile of the loops that move windows is tried: classes of tiles and bounds serve the
 * others. */
static gboolean
goes_through_windows (const HeddleSearch *self)
{
  if (!heddle_cost_has_windows (self->cost))
    return TRUE;
  for (guint i = 0; i < self->cost->n_groups; i++)
    if (heddle_cost_moves_windows (self->cost, i)
        && !heddle_sizes_are_all (
            self->cost->n[i], heddle_search_divisor (self, heddle_search_get_choice (self, i)->axis)))
      return FALSE;
  return !heddle_cost_moves_windows (self->cost, HEDDLE_STREAM_LOOP);
}

/* Records why the result is not proved to be the best; for the search by time see search-time.c. */
static void
check_proof (HeddleSearch *self)
{
  if (self->cost->guard != NULL)
    heddle_search_leave_unproved (
        self, N_ ("how much of the steps a mask leaves out does not rise and fall with the tiles alone"));
  else if (!self->by_time && !goes_through_windows (self))
    heddle_search_leave_unproved (self,
        N_ ("what is read with a halo does not rise and fall with the tiles alone, and not all were tried"));
}

/* The number of evaluations that each structure may use even if those before it have used the work up: enough
 * to find tiles of every axis. */
#define LEAST_LOOKS 1024

/* Returns roughly how many products of sizes one evaluation of the cost takes: every term goes through the
 * groups. */
static guint64
work_of_groups (const HeddleSearch *self)
{
  guint64 terms = self->cost->transfers->len + self->cost->works->len + self->cost->shared->len + 1;

  for (guint i = 0; i < self->cost->moments->len; i++)
    terms += ((HeddleMoment *) g_ptr_array_index (self->cost->moments, i))->terms->len;
  return terms * (self->choices->len + 1);
}

/* Returns the evaluations that a structure may use. Structures share the work of a search: with many axes
 * there are many of them, and many tiles in each. */
static guint64
shared_looks (const HeddleSearch *self)
{
  const guint64 share = self->work_left / MAX (self->structures_left, 1);

  return MAX (share / work_of_groups (self), LEAST_LOOKS);
}

static void
use_work (HeddleSearch *self)
{
  const guint64 work = self->looks * work_of_groups (self);

  self->work_left -= MIN (self->work_left, work);
  self->structures_left -= self->structures_left > 0;
  self->report->work += work;
}

static guint64
most_work (const HeddleDeriveContext *context)
{
  if (context->most_work != 0)
    return context->most_work;
  return context->options->plain ? MAX_PLAIN_WORK : MAX_WORK;
}

void
heddle_search_structure (
    HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *given, GArray *groups)
{
  HeddleTiling tiling = *given;

  tiling.groups = groups;
  tiling.stream = plan->axis;
  self->cost = heddle_search_new_cost (self, plan, &tiling);
  if (order_groups (self, groups))
    {
      heddle_search_drop_cost (self);
      self->cost = heddle_search_new_cost (self, plan, &tiling);
    }
  make_choices (self, given, groups);
  make_chunks (self, given, plan->axis);
  self->best = (HeddleScore){ 0 };
  self->looks = 0;
  self->most_looks = MIN (most_work (self->context) / heddle_search_work_of_look (self), shared_looks (self));
  for (guint i = 0; i < self->chunks->len && heddle_search_go_on (self); i++)
    {
      check_proof (self);
      self->chunk = heddle_size_at (self->chunks, i);
      heddle_search_set_least (self, 0);
      if (!self->by_time)
        heddle_search_exactly (self, 0);
      else if (isinf (self->limit))
        heddle_search_grid (self, 0);
    }
  if (!self->by_time)
    heddle_search_enlarge_free (self);
  else
    heddle_search_by_time (self, given, plan->axis);
  use_work (self);
}
