/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/combine.h"
#include "derive/cost/cost.h"
#include "derive/cost/evaluate.h"
#include "derive/cost/steps.h"
#include "derive/cost/window-memory.h"
#include "derive/cost/windows.h"
#include "derive/index/saturate.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

#include <string.h>

/* The cost at given tiles. Ragged tiles are exact: over all groups the tiles of an axis add up to the axis, and none is larger than the first. */

static gint64
ceil_divide (gint64 n, gint64 size)
{
  return n / size + (n % size != 0);
}

/* How often the loops that repeat it run. */
static gint64
repeats (const HeddleCost *self, guint32 groups, gboolean stream, const gint64 *tiles, gint64 chunk)
{
  gint64 count = stream ? ceil_divide (self->n_stream, chunk) : 1;

  for (guint i = 0; i < self->n_groups; i++)
    if ((groups >> i & 1) != 0)
      count = heddle_saturating_multiply (count, ceil_divide (self->n[i], tiles[i]));
  return count;
}

static gint64
held (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  gint64 elements
      = terms->stream ? heddle_saturating_multiply (terms->base, MIN (chunk, self->n_stream)) : terms->base;

  for (guint i = 0; i < self->n_groups; i++)
    if ((terms->groups >> i & 1) != 0)
      elements = heddle_saturating_multiply (elements, MIN (tiles[i], self->n[i]));
  return elements;
}

gint64
heddle_cost_held (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  gint64 elements = held (self, terms, tiles, chunk);

  return terms->windows != NULL
             ? heddle_saturating_multiply (elements, heddle_windows_held (self, terms->windows, tiles, chunk))
             : elements;
}

gboolean
heddle_terms_depend (const HeddleTerms *self, guint loop)
{
  gboolean own = loop == HEDDLE_STREAM_LOOP ? self->stream : (self->groups >> loop & 1) != 0;

  return own || (self->windows != NULL && (self->windows->loops >> loop & 1) != 0);
}

/* The groups that are no loops of the guard's. */
static guint32
unguarded (const HeddleCost *self, guint32 groups)
{
  for (guint i = 0; i < self->n_guarded; i++)
    if (self->guarded_groups[i] >= 0)
      groups &= ~(1u << self->guarded_groups[i]);
  return groups;
}

gint64
heddle_cost_transferred (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  gint64 windows = terms->windows != NULL ? heddle_windows_moved (self, terms->windows, tiles, chunk) : 1;

  if (terms->guarded)
    return heddle_saturating_multiply (
        heddle_saturating_multiply (heddle_saturating_multiply (terms->rest, windows),
            repeats (self, unguarded (self, terms->groups), FALSE, tiles, chunk)),
        heddle_cost_steps (self, tiles, chunk)->sums[terms->carried]);
  return heddle_saturating_multiply (heddle_saturating_multiply (terms->base, windows),
      repeats (self, terms->groups, terms->stream, tiles, chunk));
}

gint64
heddle_cost_transferred_once (const HeddleCost *self, const HeddleTerms *terms)
{
  return terms->windows != NULL
             ? heddle_saturating_multiply (terms->base, heddle_windows_moved_once (self, terms->windows))
             : terms->base;
}

gint64
heddle_cost_transfers (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 own[HEDDLE_MAX_GROUPS], total = 0;
  const HeddleCost *combine = heddle_cost_combine (self, tiles, own);

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (self->transfers, HeddleTerms, i);

      total = heddle_saturating_add (total, heddle_saturating_multiply (bytes ? terms->bytes : 1,
                                                heddle_cost_transferred (self, terms, tiles, chunk)));
    }
  return combine != NULL ? heddle_saturating_add (total, heddle_cost_transfers (combine, own, 1, bytes))
                         : total;
}

/* In a step: of buffers that hold a chunk, and of others moved in each step. */
gint64
heddle_cost_step (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 total = 0;

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (self->transfers, HeddleTerms, i);
      HeddleTerms buffer = heddle_cost_held_terms (self, terms->buffer);

      if (terms->stream || heddle_terms_depend (&buffer, HEDDLE_STREAM_LOOP))
        total = heddle_saturating_add (total, heddle_saturating_multiply (bytes ? terms->bytes : 1,
                                                  heddle_cost_held (self, &buffer, tiles, chunk)));
    }
  return total;
}

static gint64
held_by_all (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 total = 0;

  if (moment->windowed)
    return heddle_windows_peak (self, moment->terms, tiles, chunk, bytes);
  for (guint i = 0; i < moment->terms->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (moment->terms, HeddleTerms, i);

      total = heddle_saturating_add (
          total, heddle_saturating_multiply (bytes ? terms->bytes : 1, held (self, terms, tiles, chunk)));
    }
  return total;
}

static gint64
ragged_end (gint64 n, gint64 size)
{
  return n % size != 0 ? n % size : size;
}

/* Of the steps that run, which may all be at ragged ends. */
static gint64
held_in_steps (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  const HeddleCostSteps *steps = heddle_cost_steps (self, tiles, chunk);
  gint64 most = 0;

  for (guint shape = 0; shape < 1u << self->n_guarded; shape++)
    {
      gint64 own[HEDDLE_MAX_GROUPS], own_chunk = chunk;

      if ((steps->shapes >> shape & 1) == 0)
        continue;
      memcpy (own, tiles, self->n_groups * sizeof *own);
      for (guint i = 0; i < self->n_guarded; i++)
        if ((shape >> i & 1) != 0 && self->guarded_groups[i] < 0)
          own_chunk = ragged_end (self->n_stream, chunk);
        else if ((shape >> i & 1) != 0)
          own[self->guarded_groups[i]]
              = ragged_end (self->n[self->guarded_groups[i]], tiles[self->guarded_groups[i]]);
      most = MAX (most, held_by_all (self, moment, own, own_chunk, bytes));
    }
  return most;
}

gint64
heddle_cost_moment (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  return moment->guarded ? held_in_steps (self, moment, tiles, chunk, bytes)
                         : held_by_all (self, moment, tiles, chunk, bytes);
}

gint64
heddle_cost_memory (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 own[HEDDLE_MAX_GROUPS], peak = 0;
  const HeddleCost *combine = heddle_cost_combine (self, tiles, own);

  for (guint i = 0; i < self->moments->len; i++)
    peak = MAX (peak, heddle_cost_moment (self, g_ptr_array_index (self->moments, i), tiles, chunk, bytes));
  return combine != NULL ? MAX (peak, heddle_cost_memory (combine, own, 1, bytes)) : peak;
}

gint64
heddle_cost_shared (const HeddleCost *self, const gint64 *tiles, gint64 chunk)
{
  gint64 own[HEDDLE_MAX_GROUPS], total = 0;
  const HeddleCost *combine = heddle_cost_combine (self, tiles, own);

  for (guint i = 0; i < self->shared->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (self->shared, HeddleTerms, i);
      gint64 elements = held (self, terms, tiles, chunk), bytes;

      if (terms->windows != NULL)
        elements = heddle_saturating_multiply (
            elements, heddle_windows_laid_out (self, terms->windows, tiles, chunk));
      bytes = heddle_saturating_multiply (terms->bytes, elements);
      total = heddle_saturating_add (total, bytes < G_MAXINT64 - 15 ? (bytes + 15) / 16 * 16 : bytes);
    }
  return combine != NULL ? MAX (total, heddle_cost_shared (combine, own, 1)) : total;
}

gint64
heddle_cost_groups (const HeddleCost *self, const gint64 *tiles)
{
  return repeats (self, heddle_cost_all_groups (self), FALSE, tiles, 1);
}

/* By points: all the loops' lengths. */
double
heddle_cost_share (const HeddleCost *self, const gint64 *tiles, gint64 chunk)
{
  guint all = (1u << self->n_guarded) - 1;
  double whole = 1.;

  for (guint i = 0; i < self->n_guarded; i++)
    whole *= (double) (self->guarded_groups[i] >= 0 ? self->n[self->guarded_groups[i]] : self->n_stream);
  return self->guard != NULL ? (double) heddle_cost_steps (self, tiles, chunk)->sums[all] / whole : 1.;
}

void
heddle_cost_work (const HeddleCost *self, const gint64 *tiles, gint64 chunk, double work[HEDDLE_N_WORKS],
    double contracted[HEDDLE_N_DTYPES])
{
  if (self->inner != NULL)
    {
      gint64 own[HEDDLE_MAX_GROUPS], own_chunk;

      heddle_cost_own_tiles (self->inner, own, &own_chunk);
      heddle_cost_work (self->inner, own, own_chunk, work, contracted);
      return;
    }
  for (guint i = 0; i < HEDDLE_N_WORKS; i++)
    work[i] = 0.;
  for (guint i = 0; contracted != NULL && i < HEDDLE_N_DTYPES; i++)
    contracted[i] = 0.;
  for (guint i = 0; i < self->works->len; i++)
    {
      const HeddleWork *terms = &g_array_index (self->works, HeddleWork, i);

      double operations = terms->base * (double) repeats (self, terms->groups, terms->stream, tiles, chunk)
                          * (terms->guarded ? heddle_cost_share (self, tiles, chunk) : 1.);

      if (terms->windows != NULL)
        operations *= (double) heddle_windows_moved (self, terms->windows, tiles, chunk);
      work[terms->kind] += operations;
      if (contracted != NULL && terms->kind == HEDDLE_WORK_TENSOR)
        contracted[terms->dtype] += operations;
    }
}

void
heddle_cost_own_tiles (const HeddleCost *self, gint64 tiles[HEDDLE_MAX_GROUPS], gint64 *chunk)
{
  *chunk = self->stream != NULL ? self->stream->size : 1;
  for (guint i = 0; i < self->n_groups; i++)
    tiles[i] = self->bands[i]->size;
}

gint64
heddle_cost_instances (const HeddleCost *self)
{
  gint64 product = 1;

  for (guint i = 0; self->depth > 0 && i < self->n_groups; i++)
    {
      const HeddleNode *band = self->bands[i], *above;
      gint64 n = self->n[i];

      if (band->depth != self->depth)
        continue;
      above = heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_GROUP, self->depth - 1);
      if (above != NULL)
        n = MIN (n, above->size);
      product = heddle_saturating_multiply (product, ceil_divide (n, band->size));
    }
  return product;
}
