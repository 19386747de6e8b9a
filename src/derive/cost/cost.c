/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/combine.h"
#include "derive/cost/cost.h"
#include "derive/cost/evaluate.h"
#include "derive/cost/private.h"
#include "derive/cost/window-parts.h"
#include "derive/cost/windows.h"
#include "derive/cost/work.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/machine/derive-options.h"
#include "derive/program/guard.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Combinations of tiles that are gone through for windows, at most. */
#define MOST_PARTS (1 << 20)
#define MOST_PARTS_IN_HURRY (1 << 11)

/* H, what is transferred, and M, what is held at most (Abbott & Zardini 2025), by walking the loop program.
 * Ragged tiles are exact: over all groups the tiles of an axis add up to
 * the axis, and no tile is larger than the first. */

static void
moment_free (HeddleMoment *moment)
{
  g_array_unref (moment->terms);
  g_free (moment);
}

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
  heddle_combine_free (self->combine);
  g_free (self);
}

/* --- walking --------------------------------------------------------------------------------- */

/* The number of the group band over @axis; -1: none. */
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

/* Loops of the level and of those above; of an axis that has several, the innermost. */
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

guint32
heddle_cost_all_groups (const HeddleCost *self)
{
  return self->n_groups == 32 ? G_MAXUINT32 : (1u << self->n_groups) - 1;
}

/* The loops a guard depends on: the stream first, as every guarded statement is in it. */
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

/* What a buffer holds: full axes in base; tiles, the chunk and windows apart. */
HeddleTerms
heddle_cost_held_terms (const HeddleCost *self, guint i)
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

      if (extent == HEDDLE_EXTENT_FULL)
        terms.base = heddle_saturating_multiply (terms.base, heddle_sizes_get (self->sizes, axis));
      else if (extent == HEDDLE_EXTENT_TILE && group >= 0 && (moving >> group & 1) == 0)
        terms.groups |= 1u << group;
      else if (extent == HEDDLE_EXTENT_CHUNK && (moving >> HEDDLE_STREAM_LOOP & 1) == 0)
        terms.stream = TRUE;
    }
  return terms;
}

/* The part of a transfer that is the same in every step: all of a buffer but its guarded axes. */
static void
set_guarded (const HeddleCost *self, HeddleTerms *terms)
{
  HeddleTerms held = heddle_cost_held_terms (self, terms->buffer);

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

/* How much of the memory above goes through a buffer, and which loops repeat it. */
HeddleTerms
heddle_cost_transfer_terms (const HeddleCost *self, const HeddleCostPlace *statement)
{
  HeddleTerms terms = heddle_cost_held_terms (self, statement->node->buffer);
  guint64 moving = terms.windows != NULL ? terms.windows->loops : 0;

  for (guint i = 0; i < self->n_groups; i++)
    if ((terms.groups >> i & 1) != 0)
      terms.base = heddle_saturating_multiply (terms.base, self->n[i]);
  if (terms.stream)
    terms.base = heddle_saturating_multiply (terms.base, self->n_stream);
  terms.groups = ~terms.groups & ~(guint32) moving & heddle_cost_all_groups (self);
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

static gboolean
is_counted (const HeddleBuffer *buffer, HeddleColumns columns)
{
  return columns == HEDDLE_COLUMNS_ALL ? buffer->role != HEDDLE_BUFFER_FACTOR : buffer->counted;
}

/* What is live at a statement, buffers made in place of one another once. */
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
      terms = heddle_cost_held_terms (self, i);
      if (buffer->role == HEDDLE_BUFFER_OPERAND && !buffer->again && self->depth == 0
          && heddle_terms_depend (&terms, HEDDLE_STREAM_LOOP))
        terms.base = heddle_saturating_multiply (terms.base, self->program->stages);
      g_array_append_val (moment->terms, terms);
      moment->windowed = moment->windowed || terms.windows != NULL;
    }
  return moment;
}

/* Whether memory of the general family has room for all that is counted: one copy of each buffer, in a type as wide. */
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
      HeddleTerms terms = heddle_cost_held_terms (self, i);
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

static void
add_statement (HeddleCost *self, const HeddleLiveness *liveness, guint t)
{
  const HeddleNode *node = g_array_index (liveness->statements, HeddleStatement, t).node;
  HeddleCostPlace place = { node, heddle_liveness_stream (liveness, t, self->depth) != NULL };

  g_ptr_array_add (self->moments, moment_new (self, liveness, t, self->columns));
  if (heddle_loop_program_get_buffer (self->program, node->buffer)->depth != self->depth)
    return;
  if (node->kind == HEDDLE_NODE_COMPUTE)
    heddle_cost_collect_work (self, &place);
  else
    {
      HeddleTerms terms = heddle_cost_transfer_terms (self, &place);

      g_array_append_val (self->transfers, terms);
    }
}

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
    self->combine = heddle_combine_new ();
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

HeddleCost *
heddle_cost_new (const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (program);

  return cost_new (program, sizes, columns, liveness, 0);
}
