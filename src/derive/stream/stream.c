/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "derive/region/definition.h"
#include "derive/stream/factor.h"
#include "derive/stream/guard.h"
#include "derive/stream/lemmas.h"
#include "derive/stream/parts.h"
#include "derive/stream/plan.h"
#include "derive/stream/stream.h"
#include "diagram/expression/tree.h"

typedef struct
{
  const HeddleRegionTerm *region;
  HeddleStreamPlan *plan;
  HeddleObstacle *obstacle;
} Planner;

static void
streaming_clear (HeddleStreaming *self)
{
  g_clear_pointer (&self->kept, heddle_expr_unref);
  g_clear_pointer (&self->deferred, heddle_expr_unref);
  g_clear_pointer (&self->running, g_array_unref);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_clear_pointer (&self->centred, heddle_expr_unref);
}

void
heddle_stream_plan_free (HeddleStreamPlan *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->streamings);
  g_array_unref (self->order);
  g_ptr_array_unref (self->definitions);
  g_ptr_array_unref (self->own);
  g_ptr_array_unref (self->centres);
  g_clear_pointer (&self->needed, heddle_expr_unref);
  g_free (self);
}

/* Returns a reduction over the axis that @definition reads, however indirectly; G_MAXUINT if there is
 * none. */
static guint
find_reduction (const Planner *planner, guint definition)
{
  g_autofree guint *found = g_new (guint, definition + 1);

  for (guint i = 0; i <= definition; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (planner->region, i);
      g_autoptr (GArray) arguments = heddle_definition_arguments (self);

      found[i] = G_MAXUINT;
      for (guint k = 0; k < arguments->len; k++)
        found[i] = MIN (found[i], found[g_array_index (arguments, guint, k)]);
      if (i < definition && heddle_ids_contain (self->over, planner->plan->axis))
        found[i] = i;
    }
  return found[definition];
}

static gboolean
stop (const Planner *planner, HeddleObstacleKind kind, guint definition)
{
  *planner->obstacle = (HeddleObstacle){ kind, definition, find_reduction (planner, definition) };
  return FALSE;
}

static gboolean
reads_reduced (const Planner *planner, const HeddleDefinition *definition)
{
  g_autoptr (GArray) arguments = heddle_definition_arguments (definition);

  for (guint i = 0; i < arguments->len; i++)
    if (heddle_stream_plan_get (planner->plan, g_array_index (arguments, guint, i))->phase
        >= HEDDLE_PHASE_STATE)
      return TRUE;
  return FALSE;
}

static HeddlePhase
find_phase (const Planner *planner, const HeddleDefinition *definition)
{
  const char *axis = planner->plan->axis;

  if (axis == NULL)
    return HEDDLE_PHASE_BEFORE;
  if (heddle_ids_contain (definition->over, axis))
    return HEDDLE_PHASE_STATE;
  if (heddle_definition_moves (definition, axis))
    return HEDDLE_PHASE_STEP;
  return reads_reduced (planner, definition) ? HEDDLE_PHASE_AFTER : HEDDLE_PHASE_BEFORE;
}

/* Checks that no window of a state moves with the steps: it would have been carried for another one. */
static gboolean
check_halo (const Planner *planner, guint i, const HeddleDefinition *definition)
{
  for (guint k = 0; definition->windows != NULL && k < definition->windows->len; k++)
    {
      const GPtrArray *window = g_ptr_array_index (definition->windows, k);

      if (window != NULL && heddle_window_uses (window, planner->plan->axis))
        return stop (planner, HEDDLE_OBSTACLE_INDICES, i);
    }
  return TRUE;
}

/* Checks that what is made outside the loop does not read what passes in it: it may ask for one index
 * alone. */
static gboolean
check_loop (const Planner *planner, guint i, const HeddleDefinition *definition)
{
  g_autoptr (GArray) arguments = heddle_definition_arguments (definition);

  for (guint k = 0; k < arguments->len; k++)
    if (g_array_index (arguments, guint, k) < i
        && heddle_stream_plan_get (planner->plan, g_array_index (arguments, guint, k))->phase
               == HEDDLE_PHASE_STEP)
      return stop (planner, HEDDLE_OBSTACLE_INDICES, i);
  return TRUE;
}

/* Checks that what is read at indices is there whole, and not as a chunk. */
static gboolean
check_indices (const Planner *planner, guint i, const HeddleDefinition *definition)
{
  const HeddleDefinition *source;

  if (planner->plan->axis == NULL || definition->indices == NULL)
    return TRUE;
  source = heddle_region_term_get (planner->region, heddle_expr_get_operand (definition->body));
  for (guint k = 0; k < source->axes->len; k++)
    {
      const HeddleExpr *index = g_ptr_array_index (definition->indices, k);
      const char *axis = heddle_ids_index (source->axes, k);

      if (axis == planner->plan->axis && heddle_definition_carries (source, axis)
          && (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis))
        return stop (planner, HEDDLE_OBSTACLE_INDICES, i);
    }
  return TRUE;
}

static gboolean
varies_along (const Planner *planner, const HeddleExpr *factor, const GArray *axes)
{
  g_autoptr (GArray) arguments = heddle_expr_arguments (factor);

  for (guint i = 0; i < arguments->len; i++)
    {
      const HeddleDefinition *definition
          = heddle_stream_plan_definition (planner->plan, g_array_index (arguments, guint, i));

      for (guint k = 0; k < axes->len; k++)
        if (heddle_ids_contain (definition->axes, heddle_ids_index (axes, k)))
          return TRUE;
    }
  for (guint k = 0; k < axes->len; k++)
    if (heddle_expr_uses (factor, HEDDLE_EXPR_INDEX, heddle_ids_index (axes, k)))
      return TRUE;
  return FALSE;
}

static gboolean
check_part (const Planner *planner, guint i, const HeddleDefinition *definition, const HeddleSummand *part)
{
  guint n = part->running != NULL ? part->running->len : 0;

  if (heddle_lemma_find (
          definition->monoid, (n > 0 ? HEDDLE_FACTOR_RUNNING : HEDDLE_FACTOR_NONE)
                                  | (part->deferred != NULL ? HEDDLE_FACTOR_DEFERRED : HEDDLE_FACTOR_NONE))
      == NULL)
    return stop (planner, HEDDLE_OBSTACLE_MONOID, i);
  if (part->deferred != NULL && varies_along (planner, part->deferred, definition->over))
    return stop (planner, HEDDLE_OBSTACLE_REDUCED, i);
  for (guint k = 0; k < n; k++)
    if (varies_along (planner, g_array_index (part->running, HeddleRunning, k).exponent, definition->over))
      return stop (planner, HEDDLE_OBSTACLE_REDUCED, i);
  return TRUE;
}

/* Checks that a reduction streams by a lemma of the table, which moves factors out of it only if they are the
 * same at all points reduced. Its parts are reduced apart, so none of them may leave out a point that another
 * has. */
static gboolean
check_reduction (const Planner *planner, guint i, const HeddleDefinition *definition, const GPtrArray *parts)
{
  g_autoptr (GArray) arguments = heddle_expr_arguments (definition->body);

  if (!definition->reduces)
    return TRUE;
  if (parts->len > 1 && heddle_lemma_find (definition->monoid, HEDDLE_FACTOR_SPLIT) == NULL)
    return stop (planner, HEDDLE_OBSTACLE_MONOID, i);
  for (guint k = 0; parts->len > 1 && k < arguments->len; k++)
    if (heddle_region_term_get (planner->region, g_array_index (arguments, guint, k))->indices != NULL)
      return stop (planner, HEDDLE_OBSTACLE_FACTOR, i);
  for (guint k = 0; k < parts->len; k++)
    if (!check_part (planner, i, definition, g_ptr_array_index (parts, k)))
      return FALSE;
  return TRUE;
}

/* Returns whether the value is read as it is: one that is read at other indices than the point's cannot pass
 * its factor on. */
static gboolean
is_read_whole (const Planner *planner, const HeddleDefinition *definition)
{
  const HeddleStreaming *source;

  if (definition->indices == NULL)
    return TRUE;
  source = heddle_stream_plan_get (planner->plan, heddle_expr_get_operand (definition->body));
  return source->phase <= HEDDLE_PHASE_STEP && source->deferred == NULL && source->running == NULL
         && source->parts == NULL;
}

static void
take_part (HeddleStreaming *streaming, HeddleSummand *part)
{
  streaming->kept = g_steal_pointer (&part->kept);
  streaming->deferred = g_steal_pointer (&part->deferred);
  streaming->running = g_steal_pointer (&part->running);
}

/* Plans a definition that is computed within the loop. */
static gboolean
plan_in_loop (const Planner *planner, guint i, HeddleStreaming *streaming)
{
  const HeddleDefinition *definition = heddle_region_term_get (planner->region, i);
  g_autoptr (GPtrArray) parts = heddle_factor (planner->plan, definition->body);

  if (parts == NULL || !heddle_parts_are_small (parts) || !is_read_whole (planner, definition))
    return stop (planner, HEDDLE_OBSTACLE_FACTOR, i);
  if (!check_reduction (planner, i, definition, parts))
    return FALSE;
  if (parts->len == 1)
    take_part (streaming, g_ptr_array_index (parts, 0));
  else
    heddle_stream_plan_split (planner->plan, i, g_steal_pointer (&parts), streaming);
  return TRUE;
}

/* Checks that what is read element by element in the loop is complete: nothing of it waits for the end. */
static gboolean
check_whole_arguments (const Planner *planner, guint i)
{
  const HeddleDefinition *definition = heddle_region_term_get (planner->region, i);
  g_autoptr (GArray) arguments = heddle_definition_arguments (definition);

  for (guint k = 0; k < arguments->len; k++)
    {
      guint argument = g_array_index (arguments, guint, k);
      const HeddleStreaming *source = heddle_stream_plan_get (planner->plan, argument);

      if (argument == i || (definition->places && argument + 1 == i))
        continue;
      if (source->phase > HEDDLE_PHASE_STEP || source->deferred != NULL || source->running != NULL
          || source->parts != NULL)
        return stop (planner, HEDDLE_OBSTACLE_FACTOR, i);
    }
  return TRUE;
}

/* Checks that a scan or a selection along the axis streams by a lemma of its own. */
static gboolean
check_form (const Planner *planner, guint i, const HeddleDefinition *definition)
{
  HeddleFactors factors
      = definition->form == HEDDLE_COMPUTE_SCAN
            ? HEDDLE_FACTOR_SCAN
            : HEDDLE_FACTOR_PLACES | (definition->along != NULL ? HEDDLE_FACTOR_ORDER : HEDDLE_FACTOR_NONE);
  HeddleMonoid monoid = definition->form == HEDDLE_COMPUTE_SCAN ? HEDDLE_MONOID_SUM : definition->monoid;

  return definition->form == HEDDLE_COMPUTE_FOLD || heddle_lemma_find (monoid, factors) != NULL
         || stop (planner, HEDDLE_OBSTACLE_MONOID, i);
}

/* Checks that values are not sorted along the streamed axis: they are sorted all at once. */
static gboolean
check_order (const Planner *planner, guint i, const HeddleDefinition *definition)
{
  return definition->form != HEDDLE_COMPUTE_SELECT || definition->along != planner->plan->axis
         || planner->plan->axis == NULL || stop (planner, HEDDLE_OBSTACLE_ORDER, i);
}

static gboolean
plan_definition (const Planner *planner, guint i)
{
  const HeddleDefinition *definition = heddle_region_term_get (planner->region, i);
  HeddleStreaming streaming = { find_phase (planner, definition), definition->monoid };
  gboolean in_loop = streaming.phase == HEDDLE_PHASE_STEP || streaming.phase == HEDDLE_PHASE_STATE;

  gboolean folds = definition->form == HEDDLE_COMPUTE_FOLD && definition->at == NULL;
  gboolean gathers = definition->indices != NULL && heddle_definition_gathers (definition);

  if ((!in_loop && !check_loop (planner, i, definition)) || !check_order (planner, i, definition)
      || !check_form (planner, i, definition)
      || (streaming.phase == HEDDLE_PHASE_STATE && !check_halo (planner, i, definition))
      || (in_loop && (!folds || gathers) && !check_whole_arguments (planner, i))
      || (!definition->input && in_loop && folds && !plan_in_loop (planner, i, &streaming)))
    return FALSE;
  if (!definition->input && !(in_loop && folds))
    streaming.kept = heddle_expr_ref (definition->body);
  g_array_index (planner->plan->streamings, HeddleStreaming, i) = streaming;
  g_array_append_val (planner->plan->order, i);
  if (!check_indices (planner, i, definition))
    return FALSE;
  if (definition->output && streaming.phase == HEDDLE_PHASE_STEP
      && (streaming.deferred != NULL || streaming.running != NULL || streaming.parts != NULL))
    return stop (planner, HEDDLE_OBSTACLE_OUTPUT, i);
  return TRUE;
}

static HeddleStreamPlan *
plan_alloc (const HeddleRegionTerm *region, const char *axis)
{
  HeddleStreamPlan *self = g_new0 (HeddleStreamPlan, 1);

  self->region = region;
  self->axis = axis;
  self->definitions = g_ptr_array_new ();
  self->own = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_definition_free);
  self->streamings = g_array_new (FALSE, TRUE, sizeof (HeddleStreaming));
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->centres = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_array_set_clear_func (self->streamings, (GDestroyNotify) streaming_clear);
  g_array_set_size (self->streamings, region->definitions->len);
  for (guint i = 0; i < region->definitions->len; i++)
    g_ptr_array_add (self->definitions, g_ptr_array_index (region->definitions, i));
  return self;
}

static HeddleStreamPlan *
plan_new (const HeddleRegionTerm *region, const char *axis, gboolean split, HeddleObstacle *obstacle)
{
  g_autoptr (HeddleStreamPlan) plan = plan_alloc (region, axis);
  Planner planner = { region, plan, obstacle };
  gboolean varies = axis == NULL;

  plan->split = split;
  *obstacle = (HeddleObstacle){ HEDDLE_OBSTACLE_NONE, 0, G_MAXUINT };
  for (guint i = 0; i < region->definitions->len; i++)
    {
      if (!plan_definition (&planner, i) || plan->uncentred)
        return NULL;
      varies = varies || heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STEP;
    }
  if (varies)
    {
      heddle_stream_plan_find_masks (plan);
      return g_steal_pointer (&plan);
    }
  obstacle->kind = HEDDLE_OBSTACLE_ABSENT;
  return NULL;
}

HeddleStreamPlan *
heddle_stream_plan_new (const HeddleRegionTerm *region, const char *axis, HeddleObstacle *obstacle)
{
  return plan_new (region, axis, FALSE, obstacle);
}

HeddleStreamPlan *
heddle_stream_plan_new_split (const HeddleRegionTerm *region, const char *axis)
{
  HeddleObstacle obstacle;

  return plan_new (region, axis, TRUE, &obstacle);
}
