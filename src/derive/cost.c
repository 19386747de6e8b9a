/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost.h"

/* H and M of io-model.md section 3, by walking the loop program. Ragged tiles are exact: over all groups the tiles of an axis add up to
 * the axis, and no tile is larger than the first. */

gint64
heddle_saturating_multiply (gint64 a, gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

gint64
heddle_saturating_add (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static void
moment_free (HeddleMoment *moment)
{
  g_array_unref (moment->terms);
  g_free (moment);
}

static void heddle_combine_free (struct _HeddleCombine *self);

void
heddle_cost_free (HeddleCost *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->transfers);
  g_ptr_array_unref (self->moments);
  g_array_unref (self->shared);
  g_array_unref (self->works);
  g_free (self->steps);
  heddle_cost_free (self->inner);
  heddle_combine_free (self->combine);
  g_free (self);
}

/* --- the combine step ----------------------------------------------------------------------- */

/* For numbers of parts that a search comes back to. */
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

static struct _HeddleCombine *
heddle_combine_new (void)
{
  struct _HeddleCombine *self = g_new0 (struct _HeddleCombine, 1);

  self->by_parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, merging_free);
  return self;
}

static void
heddle_combine_free (struct _HeddleCombine *self)
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
  self->steps = g_new0 (HeddleSteps, 1);
  self->guarded_axes[self->n_guarded] = self->stream->axis;
  self->guarded_groups[self->n_guarded++] = -1;
  for (guint i = 0; i < self->n_groups; i++)
    if (self->bands[i]->axis != self->stream->axis && heddle_guard_uses (self->guard, self->bands[i]->axis))
      {
        self->guarded_axes[self->n_guarded] = self->bands[i]->axis;
        self->guarded_groups[self->n_guarded++] = (int) i;
      }
}

/* What a buffer holds: full axes in base, tiles and the chunk apart. */
HeddleTerms
heddle_cost_held_terms (const HeddleCost *self, guint i)
{
  const HeddleBuffer *buffer = g_ptr_array_index (self->program->buffers, i);
  HeddleTerms terms = { 1, 0, FALSE, heddle_dtype_bytes (buffer->counted_dtype), i, 0 };

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, k);
      int group = find_group (self, axis);

      if (extent == HEDDLE_EXTENT_FULL)
        terms.base = heddle_saturating_multiply (terms.base, heddle_sizes_get (self->sizes, axis));
      else if (extent == HEDDLE_EXTENT_TILE && group >= 0)
        terms.groups |= 1u << group;
      else if (extent == HEDDLE_EXTENT_CHUNK)
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

/* A statement, and whether it is in the stream of the level that is priced. */
typedef struct
{
  const HeddleNode *node;
  gboolean streamed;
} Place;

/* How much of the memory above goes through a buffer, and which loops repeat it. */
static HeddleTerms
transfer_terms (const HeddleCost *self, const Place *statement)
{
  HeddleTerms terms = heddle_cost_held_terms (self, statement->node->buffer);

  for (guint i = 0; i < self->n_groups; i++)
    if ((terms.groups >> i & 1) != 0)
      terms.base = heddle_saturating_multiply (terms.base, self->n[i]);
  if (terms.stream)
    terms.base = heddle_saturating_multiply (terms.base, self->n_stream);
  terms.groups = ~terms.groups & heddle_cost_all_groups (self);
  /* The chunks of all groups together are those of the whole axis. */
  if (self->split >= 0 && statement->streamed)
    terms.groups &= ~(1u << self->split);
  terms.stream = statement->streamed && !terms.stream;
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
      if (buffer->role == HEDDLE_BUFFER_OPERAND && !buffer->again && terms.stream && self->depth == 0)
        terms.base = heddle_saturating_multiply (terms.base, self->program->stages);
      g_array_append_val (moment->terms, terms);
    }
  return moment;
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

/* --- work ------------------------------------------------------------------------------------- */

static gboolean
is_constant (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_ARGUMENT, NULL)
         && !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

void
heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);

  if (heddle_expr_get_n_children (expr) == 0 || is_constant (expr))
    return;
  if (heddle_expr_kind_info (kind)->is_special)
    *special += 1.;
  else if (kind != HEDDLE_EXPR_WHERE && kind != HEDDLE_EXPR_NEG
           && (kind < HEDDLE_EXPR_LT || kind > HEDDLE_EXPR_OR))
    *plain += 1.;
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    heddle_expr_count_operations (heddle_expr_get_child (expr, i), special, plain);
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

/* The points of a statement's buffer over all groups and steps. */
static HeddleWork
points_of (const HeddleCost *self, const Place *statement)
{
  HeddleTerms terms = transfer_terms (self, statement);

  return (HeddleWork){ (double) terms.base, terms.groups, terms.stream, terms.guarded, HEDDLE_WORK_FP32,
    HEDDLE_DTYPE_UNSET };
}

/* A tensor core takes operands of one type: the narrower is widened. */
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

static void
collect_work (HeddleCost *self, const Place *statement)
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

static void
add_statement (HeddleCost *self, const HeddleLiveness *liveness, guint t)
{
  const HeddleNode *node = g_array_index (liveness->statements, HeddleStatement, t).node;
  Place place = { node, heddle_liveness_stream (liveness, t, self->depth) != NULL };

  g_ptr_array_add (self->moments, moment_new (self, liveness, t, self->columns));
  if (heddle_loop_program_get_buffer (self->program, node->buffer)->depth != self->depth)
    return;
  if (node->kind == HEDDLE_NODE_COMPUTE)
    collect_work (self, &place);
  else
    {
      HeddleTerms terms = transfer_terms (self, &place);

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
  for (guint t = 0; t < liveness->statements->len; t++)
    add_statement (self, liveness, t);
  collect_shared (self);
  if (program->combine != NULL && depth == 0)
    self->combine = heddle_combine_new ();
  if (depth + 1 < program->levels->len)
    self->inner = cost_new (program, sizes, columns, liveness, depth + 1);
  return self;
}

HeddleCost *
heddle_cost_new (const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (program);

  return cost_new (program, sizes, columns, liveness, 0);
}
