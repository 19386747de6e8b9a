/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache-key.h"
#include "derive/kernel/search-cache.h"
#include "derive/kernel/search-explain.h"
#include "derive/kernel/search-private.h"
#include "derive/kernel/search-structure.h"
#include "derive/kernel/search-walk.h"
#include "derive/kernel/search.h"
#include "derive/legality/legality.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "derive/region/definition.h"
#include "diagram/analysis/sizes.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* This file finds the best labels of one region: which axis streams, which are grouped, and their tiles.
 *
 * Grouping an axis whole costs nothing, so every axis that may be grouped is, and a tile of the whole axis
 * stands for none. H depends on a tile only through the number of groups ceil (n / g), so the tiles worth
 * trying are the O (sqrt n) least ones of each number. H falls and M rises with each tile: the last axis is
 * solved by bisection, and a branch whose least memory does not fit, or whose H cannot become less, is cut.
 * The result is the exact optimum over whole numbers. By predicted time the tiles are multiples of the tensor
 * core's fragment: first powers of two, then all classes by branch and bound (search-time.c). */

/* A fragment of the tensor cores is 16 wide. */
#define FRAGMENT 16
/* The number of groups for each SM from which a machine counts as filled. */
#define FILLED 2

/* The number of products of sizes that a derivation computes to find labels: one to two seconds. When kernels
 * before it have used them up, a kernel still has the lesser number, which is ten times what one of attention
 * takes. */
#define MOST_WORK 100000000
#define LEAST_WORK 10000000

static void
choice_clear (HeddleChoice *choice)
{
  g_array_unref (choice->sizes);
}

/* Writes the tiling that was found. A tile of a whole axis is no label, unless one was given; if leaving such
 * labels out would not fit (the `operands` convention leaves states out whose axes are all grouped), they
 * stay. */
static void
write_tiling (const HeddleSearch *self, const HeddleScore *best, const GArray *groups, HeddleTiling *tiling,
    gboolean whole)
{
  g_array_set_size (tiling->groups, 0);
  for (guint i = 0; i < groups->len; i++)
    {
      HeddleTile tile = { g_array_index (groups, HeddleTile, i).axis, best->tiles[i] };

      if (whole || heddle_search_get_choice (self, i)->given
          || tile.size < heddle_sizes_get (self->context->sizes, tile.axis))
        g_array_append_val (tiling->groups, tile);
    }
}

static gboolean
fits_tiling (HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling)
{
  g_autoptr (HeddleCost) cost = heddle_search_new_cost (self, plan, tiling);
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  gboolean result;

  heddle_cost_own_tiles (cost, tiles, &chunk);
  result = heddle_kernel_fits (self->context, cost, tiles, chunk);
  heddle_loop_program_unref ((HeddleLoopProgram *) cost->program);
  return result;
}

/* Returns the axes that may stream, most natural first: none, those reduced, then those of the outputs from
 * the last on. */
static GArray *
streams_to_try (const HeddleRegionTerm *region, const HeddleTiling *given)
{
  GArray *streams = heddle_ids_new ();

  heddle_ids_append (streams, given->stream);
  if (given->stream != NULL)
    return streams;
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      for (guint k = 0; k < definition->over->len; k++)
        if (!heddle_ids_contain (streams, heddle_ids_index (definition->over, k)))
          heddle_ids_append (streams, heddle_ids_index (definition->over, k));
    }
  for (guint i = region->axes->len; i-- > 0;)
    if (!heddle_ids_contain (streams, heddle_ids_index (region->axes, i)))
      heddle_ids_append (streams, heddle_ids_index (region->axes, i));
  return streams;
}

/* The best result so far, over all structures. */
typedef struct
{
  HeddleScore score;
  HeddleStreamPlan *plan;
  GArray *groups; /* of HeddleTile, sized */
  gboolean split;
  char *binding;
  HeddleRunnerUp second;
} Best;

/* Keeps the best of the structures that are not the best. */
static void
keep_second (
    const HeddleSearch *self, Best *best, const HeddleScore *score, const char *stream, gboolean split)
{
  if (score->found && heddle_search_is_gain (self, score, &best->second.score))
    best->second = (HeddleRunnerUp){ *score, stream, split };
}

static void
try_structure (HeddleSearch *self, const char *stream, gboolean split, const HeddleTiling *given, Best *best)
{
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (self->region, stream, &obstacle);
  g_autoptr (GArray) groups = NULL;

  if (plan == NULL)
    return;
  groups = heddle_search_groups_to_try (self, given, stream, split);
  heddle_search_structure (self, plan, given, groups);
  if (self->best.found && heddle_search_is_gain (self, &self->best, &best->score))
    {
      HeddleTiling tiling = *given;

      tiling.groups = g_array_new (FALSE, FALSE, sizeof (HeddleTile));
      tiling.stream = stream;
      tiling.chunk = self->best.chunk;
      write_tiling (self, &self->best, groups, &tiling, FALSE);
      if (self->best.fits && !fits_tiling (self, plan, &tiling))
        write_tiling (self, &self->best, groups, &tiling, TRUE);
      if (best->plan != NULL)
        keep_second (self, best, &best->score, best->plan->axis, best->split);
      g_clear_pointer (&best->groups, g_array_unref);
      g_clear_pointer (&best->plan, heddle_stream_plan_free);
      g_free (best->binding);
      *best = (Best){ self->best, g_steal_pointer (&plan), tiling.groups, split, heddle_search_explain (self),
        best->second };
    }
  else
    keep_second (self, best, &self->best, stream, split);
  heddle_search_drop_cost (self);
}

/* Returns whether cutting the streamed axis for more groups to run in parallel (split-K) may pay. It moves
 * more and takes a second kernel, so it is tried where the best without it has not a group for every SM, or
 * has small tiles only to have one. */
static gboolean
may_split (const HeddleSearch *self, const char *stream, const HeddleTiling *given, const Best *best)
{
  return self->by_time && given->stream == NULL && best->score.found
         && (self->context->options->plain ? 2 * best->score.groups : best->score.groups / FILLED)
                < (gint64) self->context->options->machine->sms
         && heddle_legality_can_split (self->region, stream);
}

/* Tries a split. If there are enough groups already, only fuller waves can make it better than what there
 * is. */
static void
try_split (HeddleSearch *self, const char *stream, const HeddleTiling *given, Best *best)
{
  gboolean likely = may_split (self, stream, given, best);

  if (!likely
      && (!self->by_time || self->context->options->plain || given->stream != NULL || !best->score.fits
          || self->context->most_work != 0 || !heddle_legality_can_split (self->region, stream)))
    return;
  self->limit = likely ? INFINITY : best->score.time;
  try_structure (self, stream, TRUE, given, best);
  self->limit = INFINITY;
}

static gboolean
has_windows (const HeddleRegionTerm *region)
{
  for (guint i = 0; i < region->definitions->len; i++)
    if (heddle_region_term_get (region, i)->windows != NULL)
      return TRUE;
  return FALSE;
}

/* Tries groups of the axis that each stream their part of it. They hold the halo of a chunk alone, and read
 * what does not depend on the axis once. */
static void
try_stream_in_groups (HeddleSearch *self, const char *stream, const HeddleTiling *given, Best *best)
{
  if (!self->by_time || self->context->options->plain || self->context->most_work != 0
      || given->stream != NULL || !has_windows (self->region)
      || !heddle_legality_can_group (self->region, stream))
    return;
  self->limit = best->score.found && best->score.fits ? best->score.time : INFINITY;
  try_structure (self, stream, TRUE, given, best);
  self->limit = INFINITY;
}

static void
try_stream (HeddleSearch *self, const char *stream, const HeddleTiling *given, Best *best)
{
  gint64 size;
  gboolean split = stream != NULL && heddle_tiling_gives (given, stream, &size);

  if (split && given->stream != stream)
    return;
  try_structure (self, stream, split, given, best);
  if (stream != NULL && !split)
    {
      try_split (self, stream, given, best);
      try_stream_in_groups (self, stream, given, best);
    }
}

static void
try_streams (
    HeddleSearch *self, gint64 least_tile, const GArray *streams, const HeddleTiling *given, Best *best)
{
  self->least_tile = least_tile;
  self->structures_left = 2 * streams->len;
  for (guint i = 0; i < streams->len && !self->cancelled; i++)
    try_stream (self, heddle_ids_index (streams, i), given, best);
}

/* Says why nothing was found, and what to do: labels by hand need no search, and a smaller kernel a shorter
 * one. */
static void
fail (const HeddleSearch *self, GError **error)
{
  g_autofree char *name = heddle_kernel_name (self->context->diagram, self->region->operations);

  if (self->cut_short)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY,
        _ ("no labels were found for kernel “%s”: one look at its cost already takes longer than its search "
           "may; "
           "fuse less, or label it by hand"),
        name);
  else
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY,
        _ ("no labels were found for kernel “%s”: no tiles go with the labels and divisors that are given; "
           "change "
           "or remove some"),
        name);
}

static void
take_best (const HeddleSearch *self, Best *best, HeddleTiling *tiling)
{
  g_array_set_size (tiling->groups, 0);
  g_array_append_vals (tiling->groups, best->groups->data, best->groups->len);
  tiling->stream = best->plan->axis;
  tiling->chunk = best->score.chunk;
  self->report->binding = g_steal_pointer (&best->binding);
  self->report->runner_up = heddle_search_explain_runner_up (self, &best->score, &best->second);
}

static HeddleStreamPlan *
search (const HeddleDeriveContext *context, const HeddleRegionTerm *region, HeddleTiling *tiling,
    const GPtrArray *divisors, HeddleSearchReport *report, GError **error)
{
  g_autoptr (GArray) streams = streams_to_try (region, tiling);
  g_autoptr (GArray) choices = g_array_new (FALSE, FALSE, sizeof (HeddleChoice));
  HeddleSearch self = { context, region, divisors, .choices = choices, .report = report };
  Best best = { 0 };

  g_array_set_clear_func (choices, (GDestroyNotify) choice_clear);
  self.by_time = !context->abstract && context->options->objective == HEDDLE_OBJECTIVE_TIME;
  self.limit = INFINITY;
  self.work_left = MAX (MOST_WORK - MIN (report->work, MOST_WORK), LEAST_WORK);
  report->exact = TRUE;
  try_streams (&self, FRAGMENT, streams, tiling, &best);
  if (self.by_time && best.plan != NULL && !best.score.fits)
    try_streams (&self, 1, streams, tiling, &best);
  g_clear_pointer (&self.chunks, g_array_unref);
  heddle_search_drop_cost (&self);
  if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
    g_clear_pointer (&best.plan, heddle_stream_plan_free);
  else if (best.plan != NULL)
    take_best (&self, &best, tiling);
  else
    fail (&self, error);
  g_free (best.binding);
  g_clear_pointer (&best.groups, g_array_unref);
  return best.plan;
}

/* Returns a plan for a kernel that stores nothing, because no output needs what it makes. It moves nothing
 * and takes no time: no label is better than another. */
static HeddleStreamPlan *
leave_as_is (const HeddleRegionTerm *region, HeddleTiling *tiling, HeddleSearchReport *report)
{
  HeddleObstacle obstacle;

  report->binding = g_strdup (_ ("nothing: no output needs what it makes"));
  return heddle_stream_plan_new (region, tiling->stream, &obstacle);
}

HeddleStreamPlan *
heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region, HeddleTiling *tiling,
    const GPtrArray *divisors, HeddleSearchReport *report, GError **error)
{
  /* Only the explanation of the choice names axes. */
  g_autoptr (GBytes) key = context->search_cache != NULL ? heddle_search_cache_key (
                               context, region, tiling, divisors, !context->options->lean)
                                                         : NULL;
  HeddleObstacle obstacle;
  HeddleStreamPlan *plan;

  if (region->outputs->len == 0)
    return leave_as_is (region, tiling, report);
  if (key != NULL && heddle_search_cache_lookup_tiling (context->search_cache, key, region, tiling, report))
    return heddle_stream_plan_new (region, tiling->stream, &obstacle);
  if (context->search_cache != NULL)
    heddle_search_cache_count (context->search_cache, region->operations->len);
  plan = search (context, region, tiling, divisors, report, error);
  if (key != NULL && plan != NULL)
    heddle_search_cache_store_tiling (context->search_cache, key, region, tiling, report);
  return plan;
}
