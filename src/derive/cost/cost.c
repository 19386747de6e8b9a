/* SPDX-License-Identifier: MIT */
#include "derive/cost/cost.h"
#include "derive/cost/chosen.h"
#include "derive/cost/windows.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "diagram/analysis/sizes.h"
#include "derive/cost/steps.h"
#include "derive/cost/window-memory.h"
#include "derive/region/region.h"
#include "diagram/expression/kind.h"
#include "diagram/graph/operation-table.h"
#include <math.h>
#include <string.h>

/* The greatest numbers of combinations of tiles that are tried for windows. */
#define MOST_PARTS (1 << 20)
#define MOST_PARTS_IN_HURRY (1 << 11)

/* This file computes H, what is transferred, and M, what is held at most (Abbott & Zardini 2025), by walking
 * the loop program. Ragged tiles are exact: over all groups the tiles of an axis add up to the axis, and no
 * tile is larger than the first. */

static void
moment_free (HeddleMoment *moment)
{
  g_array_unref (moment->terms);
  g_free (moment);
}

static void combine_free (struct _HeddleCombine *self);

void
heddle_cost_free (HeddleCost *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->transfers);
  g_ptr_array_unref (self->moments);
  g_array_unref (self->shared);
  g_array_unref (self->works);
  g_ptr_array_unref (self->windows);
  g_hash_table_unref (self->window_parts);
  g_free (self->steps);
  heddle_cost_free (self->inner);
  combine_free (self->combine);
  g_free (self);
}

/* --- walking --------------------------------------------------------------------------------- */

/* Returns the number of the group band over @axis; -1 if there is none. */
static int
find_group (const HeddleCost *self, const char *axis)
{
  for (guint i = 0; axis != NULL && i < self->n_groups; i++)
    if (self->bands[i]->axis == axis)
      return (int) i;
  return -1;
}

static void
add_band (HeddleCost *self, const HeddleNode *band)
{
  int known = find_group (self, band->axis);

  if (band->band == HEDDLE_BAND_STREAM)
    self->stream = self->stream == NULL || self->stream->depth < band->depth ? band : self->stream;
  else if (known >= 0)
    self->bands[known] = self->bands[known]->depth < band->depth ? band : self->bands[known];
  else if (band->band == HEDDLE_BAND_GROUP)
    {
      g_assert (self->n_groups < HEDDLE_MAX_GROUPS);
      self->n[self->n_groups] = heddle_sizes_get (self->sizes, band->axis);
      self->bands[self->n_groups++] = band;
    }
}

/* Adds the loops of the level and of those above; of an axis that has several, the innermost. */
static void
add_bands (HeddleCost *self, const HeddleNode *node)
{
  if (node->kind != HEDDLE_NODE_BAND || node->depth > self->depth)
    return;
  if (node->band != HEDDLE_BAND_PROGRAM)
    add_band (self, node);
  for (guint i = 0; i < node->children->len; i++)
    add_bands (self, g_ptr_array_index (node->children, i));
}

static void
find_bands (HeddleCost *self)
{
  add_bands (self, self->program->root);
  self->n_stream = self->stream != NULL ? heddle_sizes_get (self->sizes, self->stream->axis) : 1;
  self->split = self->stream != NULL ? find_group (self, self->stream->axis) : -1;
}

/* Returns a set with the bit of every grouped axis, by its number among the bands. */
static guint32
cost_all_groups (const HeddleCost *self)
{
  return self->n_groups == 32 ? G_MAXUINT32 : (1u << self->n_groups) - 1;
}

/* Finds the loops that a guard depends on: the stream first, as every guarded statement is in it. */
static void
find_guard (HeddleCost *self)
{
  if (self->stream == NULL || self->stream->guard == NULL)
    return;
  self->guard = self->stream->guard;
  self->steps = g_new0 (HeddleCostSteps, 1);
  self->guarded_axes[self->n_guarded] = self->stream->axis;
  self->guarded_groups[self->n_guarded++] = -1;
  for (guint i = 0; i < self->n_groups; i++)
    if (self->bands[i]->axis != self->stream->axis && heddle_guard_uses (self->guard, self->bands[i]->axis))
      {
        self->guarded_axes[self->n_guarded] = self->bands[i]->axis;
        self->guarded_groups[self->n_guarded++] = (int) i;
      }
}

/* Returns how many elements buffer @i holds, as a product: axes that it has in full are in the base, and
 * groups and stream are the loops whose tile or chunk it holds. */
static HeddleTerms
cost_held_terms (const HeddleCost *self, guint i)
{
  const HeddleBuffer *buffer = g_ptr_array_index (self->program->buffers, i);
  const HeddleWindows *windows = g_ptr_array_index (self->windows, i);
  HeddleTerms terms = { 1, 0, FALSE, heddle_dtype_bytes (buffer->counted_dtype), i, 0, .windows = windows };
  guint64 moving = windows != NULL ? windows->loops : 0;

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, k);
      int group = find_group (self, axis);

      if (heddle_cost_is_chosen_along (self, i, axis))
        continue;
      if (extent == HEDDLE_EXTENT_FULL)
        terms.base = heddle_saturating_multiply (terms.base, heddle_sizes_get (self->sizes, axis));
      else if (extent == HEDDLE_EXTENT_TILE && group >= 0 && (moving >> group & 1) == 0)
        terms.groups |= 1u << group;
      else if (extent == HEDDLE_EXTENT_CHUNK && (moving >> HEDDLE_STREAM_LOOP & 1) == 0)
        terms.stream = TRUE;
    }
  return terms;
}

/* Sets the part of a transfer that is the same in every step: all of a buffer but its guarded axes. */
static void
set_guarded (const HeddleCost *self, HeddleTerms *terms)
{
  HeddleTerms held = cost_held_terms (self, terms->buffer);

  terms->guarded = TRUE;
  terms->rest = held.base;
  for (guint i = 0; i < self->n_guarded; i++)
    {
      int group = self->guarded_groups[i];

      if (group < 0 ? held.stream : (held.groups >> group & 1) != 0)
        terms->carried |= 1u << i;
      if (group >= 0)
        held.groups &= ~(1u << group);
    }
  for (guint i = 0; i < self->n_groups; i++)
    if ((held.groups >> i & 1) != 0)
      terms->rest = heddle_saturating_multiply (terms->rest, self->n[i]);
}

/* Returns how much of the memory above goes through a statement's buffer, and which loops repeat it. */
static HeddleTerms
cost_transfer_terms (const HeddleCost *self, const HeddleCostPlace *statement)
{
  HeddleTerms terms = cost_held_terms (self, statement->node->buffer);
  guint64 moving = terms.windows != NULL ? terms.windows->loops : 0;

  for (guint i = 0; i < self->n_groups; i++)
    if ((terms.groups >> i & 1) != 0)
      terms.base = heddle_saturating_multiply (terms.base, self->n[i]);
  if (terms.stream)
    terms.base = heddle_saturating_multiply (terms.base, self->n_stream);
  terms.groups = ~terms.groups & ~(guint32) moving & cost_all_groups (self);
  /* The chunks of all groups together are those of the whole axis. */
  if (self->split >= 0 && statement->streamed)
    terms.groups &= ~(1u << self->split);
  terms.stream = statement->streamed && !terms.stream && (moving >> HEDDLE_STREAM_LOOP & 1) == 0;
  if (statement->node->partial != NULL)
    terms.bytes = heddle_dtype_bytes (
        heddle_diagram_get_value (self->program->diagram, statement->node->partial)->dtype);
  terms.column = statement->node->column;
  terms.saved = statement->node->kind == HEDDLE_NODE_SAVE;
  terms.partial = statement->node->partial != NULL;
  if (statement->streamed && self->guard != NULL)
    set_guarded (self, &terms);
  return terms;
}

/* Returns what buffer @i holds while a statement runs: of what streams in, as many chunks as are under way. */
static HeddleTerms
cost_moment_terms (const HeddleCost *self, guint i)
{
  const HeddleBuffer *buffer = g_ptr_array_index (self->program->buffers, i);
  HeddleTerms terms = cost_held_terms (self, i);

  if (buffer->role == HEDDLE_BUFFER_OPERAND && !buffer->again && self->depth == 0
      && heddle_terms_depend (&terms, HEDDLE_STREAM_LOOP))
    terms.base = heddle_saturating_multiply (terms.base, self->program->stages);
  return terms;
}

static gboolean
is_counted (const HeddleBuffer *buffer, HeddleColumns columns)
{
  return columns == HEDDLE_COLUMNS_ALL ? buffer->role != HEDDLE_BUFFER_FACTOR : buffer->counted;
}

/* Returns what is live at a statement; buffers made in place of one another count once. */
static HeddleMoment *
moment_new (const HeddleCost *self, const HeddleLiveness *liveness, guint t, HeddleColumns columns)
{
  GPtrArray *buffers = self->program->buffers;
  HeddleMoment *moment = g_new0 (HeddleMoment, 1);
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);

  moment->column = g_array_index (liveness->statements, HeddleStatement, t).node->column;
  moment->guarded = self->guard != NULL && heddle_liveness_stream (liveness, t, self->depth) != NULL;
  moment->terms = g_array_new (FALSE, FALSE, sizeof (HeddleTerms));
  for (guint i = 0; i < buffers->len; i++)
    {
      const HeddleBuffer *buffer = g_ptr_array_index (buffers, i);
      HeddleTerms terms;

      if (buffer->depth != self->depth || !is_counted (buffer, columns)
          || !heddle_liveness_is_live (liveness, i, t)
          || !g_hash_table_add (slots, GUINT_TO_POINTER (buffer->slot)))
        continue;
      terms = cost_moment_terms (self, i);
      g_array_append_val (moment->terms, terms);
      moment->windowed = moment->windowed || terms.windows != NULL;
    }
  return moment;
}

/* Returns whether memory of the general family has room for all that is counted: one copy of each buffer, in
 * a type as wide. */
static gboolean
is_most (const HeddleLoopProgram *program)
{
  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = g_ptr_array_index (program->buffers, i);

      if (heddle_dtype_bytes (buffer->dtype) < heddle_dtype_bytes (buffer->counted_dtype))
        return FALSE;
    }
  return program->stages == 1 && (program->combine == NULL || is_most (program->combine));
}

static void
collect_shared (HeddleCost *self)
{
  GPtrArray *buffers = self->program->buffers;

  for (guint i = 0; i < buffers->len; i++)
    {
      const HeddleBuffer *buffer = g_ptr_array_index (buffers, i);
      HeddleTerms terms = cost_held_terms (self, i);
      gboolean home = buffer->depth == self->depth;

      terms.bytes = heddle_dtype_bytes (buffer->dtype);
      for (guint k = 0; k < i; k++)
        {
          const HeddleBuffer *other = g_ptr_array_index (buffers, k);

          home = home && !(other->slot == buffer->slot && heddle_dtype_bytes (other->dtype) == terms.bytes);
        }
      if (home)
        g_array_append_val (self->shared, terms);
    }
}

static void cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement);

static void
add_statement (HeddleCost *self, const HeddleLiveness *liveness, guint t)
{
  const HeddleNode *node = g_array_index (liveness->statements, HeddleStatement, t).node;
  HeddleCostPlace place = { node, heddle_liveness_stream (liveness, t, self->depth) != NULL };

  g_ptr_array_add (self->moments, moment_new (self, liveness, t, self->columns));
  if (heddle_loop_program_get_buffer (self->program, node->buffer)->depth != self->depth)
    return;
  if (node->kind == HEDDLE_NODE_COMPUTE)
    cost_collect_work (self, &place);
  else
    {
      HeddleTerms terms = cost_transfer_terms (self, &place);

      g_array_append_val (self->transfers, terms);
    }
}

static struct _HeddleCombine *combine_new (void);

static HeddleCost *
cost_new (const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns,
    const HeddleLiveness *liveness, guint depth)
{
  HeddleCost *self = g_new0 (HeddleCost, 1);

  self->program = program;
  self->sizes = sizes;
  self->columns = columns;
  self->depth = depth;
  self->transfers = g_array_new (FALSE, FALSE, sizeof (HeddleTerms));
  self->moments = g_ptr_array_new_with_free_func ((GDestroyNotify) moment_free);
  self->shared = g_array_new (FALSE, FALSE, sizeof (HeddleTerms));
  self->works = g_array_new (FALSE, FALSE, sizeof (HeddleWork));
  find_bands (self);
  find_guard (self);
  self->windows = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_windows_free);
  self->window_parts = heddle_window_parts_table_new ();
  self->most_parts = MOST_PARTS;
  for (guint i = 0; i < program->buffers->len; i++)
    g_ptr_array_add (self->windows, heddle_windows_new (self, g_ptr_array_index (program->buffers, i)));
  for (guint t = 0; t < liveness->statements->len; t++)
    add_statement (self, liveness, t);
  collect_shared (self);
  self->shared_is_most = is_most (program);
  if (program->combine != NULL && depth == 0)
    self->combine = combine_new ();
  if (depth + 1 < program->levels->len)
    self->inner = cost_new (program, sizes, columns, liveness, depth + 1);
  return self;
}

void
heddle_cost_hurry (HeddleCost *self)
{
  for (; self != NULL; self = self->inner)
    self->most_parts = MOST_PARTS_IN_HURRY;
}

void
heddle_cost_set_matrices (HeddleCost *self, gint64 matrices, gboolean dealt)
{
  self->matrices = matrices;
  self->dealt = dealt;
  for (guint i = 0; i < self->moments->len; i++)
    {
      GArray *all = ((HeddleMoment *) g_ptr_array_index (self->moments, i))->terms;

      for (guint k = 0; k < all->len; k++)
        {
          HeddleTerms *terms = &g_array_index (all, HeddleTerms, k);

          *terms = cost_moment_terms (self, terms->buffer);
        }
    }
}

HeddleCost *
heddle_cost_new (const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (program);

  return cost_new (program, sizes, columns, liveness, 0);
}

/* This part prices the second kernel of a split program, for the number of parts that its tiles make. */

/* The number of costs kept, for numbers of parts that a search comes back to. */
#define MAX_COMBINES 64

typedef struct
{
  HeddleSizes *sizes;
  HeddleCost *cost;
} Merging;

struct _HeddleCombine
{
  GHashTable *by_parts; /* number of parts -> Merging */
};

static void
merging_free (gpointer data)
{
  Merging *self = data;

  heddle_cost_free (self->cost);
  heddle_sizes_unref (self->sizes);
  g_free (self);
}

/* Returns a store without any costs in it, which the cost of the first kernel owns; free it with
 * combine_free (). */
static struct _HeddleCombine *
combine_new (void)
{
  struct _HeddleCombine *self = g_new0 (struct _HeddleCombine, 1);

  self->by_parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, merging_free);
  return self;
}

/* Frees the store and the costs in it; NULL is allowed. */
static void
combine_free (struct _HeddleCombine *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_parts);
  g_free (self);
}

static const HeddleCost *
get_merging (const HeddleCost *self, gint64 parts)
{
  GHashTable *known = self->combine->by_parts;
  Merging *merging = g_hash_table_lookup (known, &parts);

  if (merging != NULL)
    return merging->cost;
  if (g_hash_table_size (known) >= MAX_COMBINES)
    g_hash_table_remove_all (known);
  merging = g_new0 (Merging, 1);
  merging->sizes = heddle_sizes_with (self->sizes, self->program->parts, parts);
  merging->cost = heddle_cost_new (self->program->combine, merging->sizes, self->columns);
  g_hash_table_insert (known, g_memdup2 (&parts, sizeof parts), merging);
  return merging->cost;
}

const HeddleCost *
heddle_cost_combine (const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS])
{
  gint64 n, parts;

  if (self->combine == NULL)
    return NULL;
  n = self->n[self->split];
  parts = n / tiles[self->split] + (n % tiles[self->split] != 0);
  for (guint i = 0, k = 0; i < self->n_groups; i++)
    if ((int) i != self->split)
      own_tiles[k++] = tiles[i];
  return get_merging (self, parts);
}

/* The cost at given tiles. Ragged tiles are exact: over all groups the tiles of an axis add up to the axis,
 * and none is larger than the first. */

static gint64
ceil_divide (gint64 n, gint64 size)
{
  return n / size + (n % size != 0);
}

/* Returns how often the loops that repeat it run. */
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

/* Returns the groups that are no loops of the guard's. */
static guint32
unguarded (const HeddleCost *self, guint32 groups)
{
  for (guint i = 0; i < self->n_guarded; i++)
    if (self->guarded_groups[i] >= 0)
      groups &= ~(1u << self->guarded_groups[i]);
  return groups;
}

static gint64
transferred (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
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
heddle_cost_transferred (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  gint64 all = transferred (self, terms, tiles, chunk);

  /* A count that does not fit 64 bits stays G_MAXINT64. */
  return self->matrices > 0 && all < G_MAXINT64
             ? llround (heddle_cost_chosen_share (self, terms, tiles) * (double) all)
             : all;
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

/* Returns what a step moves: buffers that hold a chunk, and others that are moved in each step. */
gint64
heddle_cost_step (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 total = 0;

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (self->transfers, HeddleTerms, i);
      HeddleTerms buffer = cost_held_terms (self, terms->buffer);

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

/* Returns the most that is held in the steps that run, which may all be at ragged ends. */
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

#define MOST_BOUNDED 512 /* moments that are looked at by what they hold at most */

/* Returns at least what is held at a moment with windows, which are taken whole and as long as they ever are. */
static gint64
bound_of_moment (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 total = 0;

  for (guint i = 0; i < moment->terms->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (moment->terms, HeddleTerms, i);
      gint64 elements = held (self, terms, tiles, chunk);

      if (terms->windows != NULL)
        elements = heddle_saturating_multiply (
            elements, heddle_windows_laid_out (self, terms->windows, tiles, chunk));
      total = heddle_saturating_add (total, heddle_saturating_multiply (bytes ? terms->bytes : 1, elements));
    }
  return total;
}

/* Returns the moment that @bounds say may hold the most, if that is more than @peak, or -1; its bound is forgotten. */
static int
take_largest (gint64 *bounds, guint n, gint64 peak)
{
  int found = -1;

  for (guint i = 0; i < n; i++)
    if (bounds[i] > (found < 0 ? peak : bounds[found]))
      found = (int) i;
  if (found >= 0)
    bounds[found] = 0;
  return found;
}

/* Returns the most that is held at a moment. Windows are followed through their parts, which takes long, only at moments
 * that may hold more than others do. */
static gint64
peak_of_moments (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  const guint n = MIN (self->moments->len, MOST_BOUNDED);
  gint64 bounds[MOST_BOUNDED], peak = 0;

  for (guint i = 0; i < self->moments->len; i++)
    {
      const HeddleMoment *moment = g_ptr_array_index (self->moments, i);

      if (i < n)
        bounds[i] = moment->windowed ? bound_of_moment (self, moment, tiles, chunk, bytes) : 0;
      if (i >= n || !moment->windowed)
        peak = MAX (peak, heddle_cost_moment (self, moment, tiles, chunk, bytes));
    }
  for (int i = take_largest (bounds, n, peak); i >= 0; i = take_largest (bounds, n, peak))
    peak = MAX (peak, heddle_cost_moment (self, g_ptr_array_index (self->moments, i), tiles, chunk, bytes));
  return peak;
}

gint64
heddle_cost_memory (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes)
{
  gint64 own[HEDDLE_MAX_GROUPS];
  const HeddleCost *combine = heddle_cost_combine (self, tiles, own);
  const gint64 peak = peak_of_moments (self, tiles, chunk, bytes);

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
  return repeats (self, cost_all_groups (self), FALSE, tiles, 1);
}

/* Returns the share, from 0 to 1, of the stream's points that lie in steps which run; 1 without a guard. */
static double
cost_share (const HeddleCost *self, const gint64 *tiles, gint64 chunk)
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
                          * (terms->guarded ? cost_share (self, tiles, chunk) : 1.);

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

/* This part counts the work by the unit that does it. */

/* Counts what varies, and returns whether @expr does: what is below a constant is constant too. */
static gboolean
count_varying (const HeddleExpr *expr, double *special, double *plain)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  gboolean varies = kind == HEDDLE_EXPR_ARGUMENT || kind == HEDDLE_EXPR_INDEX;

  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    varies = count_varying (heddle_expr_get_child (expr, i), special, plain) || varies;
  if (!varies || heddle_expr_get_n_children (expr) == 0)
    return varies;
  if (heddle_expr_kind_info (kind)->is_special)
    *special += 1.;
  else if (kind != HEDDLE_EXPR_WHERE && kind != HEDDLE_EXPR_NEG
           && (kind < HEDDLE_EXPR_LT || kind > HEDDLE_EXPR_OR))
    *plain += 1.;
  return TRUE;
}

void
heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain)
{
  count_varying (expr, special, plain);
}

double
heddle_diagram_count_arithmetic (const HeddleDiagram *diagram)
{
  double special = 0., plain = 0.;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->body != NULL)
        heddle_expr_count_operations (operation->body, &special, &plain);
    }
  return special + plain;
}

static void
add_work (HeddleCost *self, const HeddleWork *at, HeddleWorkKind kind, double operations)
{
  HeddleWork work = *at;

  work.base *= operations;
  work.kind = kind;
  if (operations > 0.)
    g_array_append_val (self->works, work);
}

static gboolean
is_contraction (const HeddleCost *self, const HeddleNode *node)
{
  const HeddleOperation *operation
      = node->operation != NULL ? heddle_diagram_get_operation (self->program->diagram, node->operation)
                                : NULL;

  return operation != NULL && operation->kind->form == HEDDLE_FORM_CONTRACT && node->over->len > 0;
}

/* Returns the points of a statement's buffer over all groups and steps. */
static HeddleWork
points_of (const HeddleCost *self, const HeddleCostPlace *statement)
{
  HeddleTerms terms = cost_transfer_terms (self, statement);

  return (HeddleWork){ (double) terms.base, terms.groups, terms.stream, terms.guarded, terms.windows,
    HEDDLE_WORK_FP32, HEDDLE_DTYPE_UNSET };
}

/* Returns the type in which tensor cores contract: they take operands of one type, so the narrower is
 * widened. */
static HeddleDtype
contracted_dtype (const HeddleCost *self, const HeddleNode *node)
{
  HeddleDtype widest = HEDDLE_DTYPE_UNSET;

  for (guint i = 0; i < node->sources->len; i++)
    {
      HeddleDtype dtype
          = heddle_loop_program_get_buffer (self->program, g_array_index (node->sources, guint, i))
                ->counted_dtype;

      if (widest == HEDDLE_DTYPE_UNSET || heddle_dtype_bytes (dtype) > heddle_dtype_bytes (widest))
        widest = dtype;
    }
  return widest;
}

/* Adds to the works of @self the operations of a COMPUTE statement on each unit, as products over loops.
 * Contractions run on the tensor cores, by the widest type that they read. */
static void
cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement)
{
  const HeddleNode *node = statement->node;
  HeddleWork points = points_of (self, statement), reduced = points;
  double special = 0., plain = 0., rescale_special = 0., rescale_plain = 1.;

  for (guint i = 0; i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      reduced.base *= (double) heddle_sizes_get (self->sizes, axis);
      if (statement->streamed && axis == self->stream->axis)
        reduced.stream = FALSE;
    }
  heddle_expr_count_operations (node->body, &special, &plain);
  if (node->form == HEDDLE_COMPUTE_SCAN)
    plain += node->extra != NULL ? 2. : 1.;
  else if (node->form == HEDDLE_COMPUTE_FOLD)
    plain += node->over->len > 0 ? 1. : 0.;
  if (node->extra != NULL && node->form == HEDDLE_COMPUTE_SCAN)
    heddle_expr_count_operations (node->extra, &special, &plain);
  add_work (self, &reduced, HEDDLE_WORK_SPECIAL, special);
  reduced.dtype = is_contraction (self, node) ? contracted_dtype (self, node) : HEDDLE_DTYPE_UNSET;
  add_work (self, &reduced, is_contraction (self, node) ? HEDDLE_WORK_TENSOR : HEDDLE_WORK_FP32, plain);
  if (node->rescale == NULL)
    return;
  heddle_expr_count_operations (node->rescale, &rescale_special, &rescale_plain);
  add_work (self, &points, HEDDLE_WORK_SPECIAL, rescale_special);
  add_work (self, &points, HEDDLE_WORK_FP32, rescale_plain);
}
