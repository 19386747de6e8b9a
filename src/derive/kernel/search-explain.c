/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-explain.h"
#include "derive/kernel/search-tiles.h"
#include "derive/kernel/search-walk.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

#define NEGLIGIBLE 5e-6 /* a difference that three digits do not show */

/* This file explains why the labels found are the best: what keeps a tile from being larger, and what the
 * best other structure would cost. */

static const char *
axis_name (const HeddleSearch *self, const char *axis)
{
  return heddle_diagram_get_axis (self->region->diagram, axis)->name;
}

/* Returns the next larger tile that was considered; 0 if it is the largest. */
static gint64
next_size (const HeddleSearch *self, guint i)
{
  const GArray *sizes = heddle_search_get_choice (self, i)->sizes;

  for (guint k = 0; k < sizes->len; k++)
    if (heddle_size_at (sizes, k) > self->best.tiles[i])
      return heddle_size_at (sizes, k);
  return 0;
}

static gint64
held (const HeddleSearch *self, const gint64 *tiles)
{
  gint64 memory = heddle_cost_memory (self->cost, tiles, self->best.chunk, !self->context->abstract);
  gint64 shared = self->context->abstract ? 0 : heddle_cost_shared (self->cost, tiles, self->best.chunk);

  return MAX (memory, shared);
}

static char *
explain_capacity (const HeddleSearch *self, guint i, gint64 size, const gint64 *tiles)
{
  return g_strdup_printf (self->context->abstract
                              ? _ ("capacity: %s in tiles of %lld would hold %lld of %lld elements")
                              : _ ("capacity: %s in tiles of %lld would hold %lld of %lld bytes"),
      axis_name (self, heddle_search_get_choice (self, i)->axis), (long long) size,
      (long long) held (self, tiles), (long long) self->context->capacity);
}

static char *
explain_waves (const HeddleSearch *self, guint i, gint64 size, const gint64 *tiles)
{
  return g_strdup_printf (_ ("waves: %s in tiles of %lld would make %lld groups for %u SMs"),
      axis_name (self, heddle_search_get_choice (self, i)->axis), (long long) size,
      (long long) heddle_cost_groups (self->cost, tiles), self->context->options->machine->sms);
}

/* Returns the reason why tile @i is not larger; NULL if it is as large as it may be. */
static char *
explain_tile (const HeddleSearch *self, guint i)
{
  gint64 tiles[HEDDLE_MAX_GROUPS], size = next_size (self, i);

  if (size == 0)
    return NULL;
  memcpy (tiles, self->best.tiles, sizeof tiles);
  tiles[i] = size;
  if (!heddle_kernel_fits (self->context, self->cost, tiles, self->best.chunk))
    return explain_capacity (self, i, size, tiles);
  return self->by_time ? explain_waves (self, i, size, tiles) : NULL;
}

char *
heddle_search_explain (const HeddleSearch *self)
{
  char *first = NULL;

  if (!self->best.fits)
    return g_strdup (_ ("capacity: nothing fits"));
  for (guint i = 0; i < self->choices->len; i++)
    {
      const HeddleChoice *choice = heddle_search_get_choice (self, i);
      char *reason = choice->given || choice->free ? NULL : explain_tile (self, i);

      if (first == NULL)
        first = reason;
      else
        g_free (reason);
    }
  return first != NULL ? first : g_strdup (_ ("nothing: what is read is read once"));
}

/* --- the best other structure ---------------------------------------------------------------- */

static char *
name_structure (const HeddleSearch *self, const HeddleRunnerUp *other)
{
  if (other->stream == NULL)
    return g_strdup (_ ("nothing streams"));
  return g_strdup_printf (
      other->split ? _ ("%s is split over groups") : _ ("%s streams"), axis_name (self, other->stream));
}

char *
heddle_search_explain_runner_up (
    const HeddleSearch *self, const HeddleScore *best, const HeddleRunnerUp *other)
{
  g_autofree char *name = NULL;
  double more;

  if (!other->score.found)
    return NULL;
  name = name_structure (self, other);
  if (best->fits && !other->score.fits)
    return g_strdup_printf (_ ("%s, which does not fit"), name);
  more = self->by_time ? other->score.time / best->time
                       : (double) other->score.transfers / (double) best->transfers;
  if (more < 1. + NEGLIGIBLE)
    return g_strdup_printf (
        self->by_time ? _ ("%s, which takes as long") : _ ("%s, which transfers as much"), name);
  return g_strdup_printf (
      self->by_time ? _ ("%s, which takes %.3g %% longer") : _ ("%s, which transfers %.3g %% more"), name,
      100. * (more - 1.));
}
