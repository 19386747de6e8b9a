/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/lemmas.h"
#include "derive/stream.h"

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
}

void
heddle_stream_plan_free (HeddleStreamPlan *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->streamings);
  g_free (self);
}

const HeddleStreaming *
heddle_stream_plan_get (const HeddleStreamPlan *self, guint definition)
{
  g_assert (definition < self->streamings->len);

  return &g_array_index (self->streamings, HeddleStreaming, definition);
}

/* A reduction over the axis that @definition reads, however indirectly; G_MAXUINT: none. */
static guint
find_reduction (const Planner *planner, guint definition)
{
  g_autofree guint *found = g_new (guint, definition + 1);

  for (guint i = 0; i <= definition; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (planner->region, i);
      g_autoptr (GArray) arguments = self->input ? NULL : heddle_expr_arguments (self->body);

      found[i] = G_MAXUINT;
      for (guint k = 0; arguments != NULL && k < arguments->len; k++)
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
  g_autoptr (GArray) arguments = heddle_expr_arguments (definition->body);

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
  if (heddle_definition_carries (definition, axis))
    return HEDDLE_PHASE_STEP;
  return !definition->input && reads_reduced (planner, definition) ? HEDDLE_PHASE_AFTER : HEDDLE_PHASE_BEFORE;
}

/* What is read at indices must be there whole: not a chunk of it. */
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
          = heddle_region_term_get (planner->region, g_array_index (arguments, guint, i));

      for (guint k = 0; k < axes->len; k++)
        if (heddle_ids_contain (definition->axes, heddle_ids_index (axes, k)))
          return TRUE;
    }
  for (guint k = 0; k < axes->len; k++)
    if (heddle_expr_uses (factor, HEDDLE_EXPR_INDEX, heddle_ids_index (axes, k)))
      return TRUE;
  return FALSE;
}

/* A reduction streams by a lemma of the table, which has factors come out of it only when they are the same at all points reduced. */
static gboolean
check_reduction (
    const Planner *planner, guint i, const HeddleDefinition *definition, const HeddleStreaming *streaming)
{
  guint n = streaming->running != NULL ? streaming->running->len : 0;

  if (!definition->reduces)
    return TRUE;
  if (heddle_lemma_find (definition->monoid,
          (n > 0 ? HEDDLE_FACTOR_RUNNING : HEDDLE_FACTOR_NONE)
              | (streaming->deferred != NULL ? HEDDLE_FACTOR_DEFERRED : HEDDLE_FACTOR_NONE))
      == NULL)
    return stop (planner, HEDDLE_OBSTACLE_MONOID, i);
  if (streaming->deferred != NULL && varies_along (planner, streaming->deferred, definition->over))
    return stop (planner, HEDDLE_OBSTACLE_REDUCED, i);
  for (guint k = 0; k < n; k++)
    if (varies_along (
            planner, g_array_index (streaming->running, HeddleRunning, k).exponent, definition->over))
      return stop (planner, HEDDLE_OBSTACLE_REDUCED, i);
  return TRUE;
}

/* A value read at indices elsewhere than at the point cannot give its factor along. */
static gboolean
factor_body (const Planner *planner, const HeddleDefinition *definition, HeddleStreaming *streaming)
{
  const HeddleStreaming *source;

  if (!heddle_factor (planner->plan, definition->body, streaming))
    return FALSE;
  if (definition->indices == NULL)
    return TRUE;
  source = heddle_stream_plan_get (planner->plan, heddle_expr_get_operand (definition->body));
  return source->phase <= HEDDLE_PHASE_STEP && source->deferred == NULL && source->running == NULL;
}

static gboolean
plan_definition (const Planner *planner, guint i)
{
  const HeddleDefinition *definition = heddle_region_term_get (planner->region, i);
  HeddleStreaming streaming = { find_phase (planner, definition), definition->monoid };
  gboolean in_loop = streaming.phase == HEDDLE_PHASE_STEP || streaming.phase == HEDDLE_PHASE_STATE;
  gboolean factored = TRUE;

  if (!definition->input && in_loop)
    factored = factor_body (planner, definition, &streaming);
  else if (!definition->input)
    streaming.kept = heddle_expr_ref (definition->body);
  g_array_append_val (planner->plan->streamings, streaming);
  if (!factored)
    return stop (planner, HEDDLE_OBSTACLE_FACTOR, i);
  if (!check_indices (planner, i, definition) || !check_reduction (planner, i, definition, &streaming))
    return FALSE;
  if (definition->output && streaming.phase == HEDDLE_PHASE_STEP
      && (streaming.deferred != NULL || streaming.running != NULL))
    return stop (planner, HEDDLE_OBSTACLE_OUTPUT, i);
  return TRUE;
}

HeddleStreamPlan *
heddle_stream_plan_new (const HeddleRegionTerm *region, const char *axis, HeddleObstacle *obstacle)
{
  g_autoptr (HeddleStreamPlan) plan = g_new0 (HeddleStreamPlan, 1);
  Planner planner = { region, plan, obstacle };
  gboolean varies = axis == NULL;

  *obstacle = (HeddleObstacle){ HEDDLE_OBSTACLE_NONE, 0, G_MAXUINT };
  plan->axis = axis;
  plan->streamings = g_array_new (FALSE, FALSE, sizeof (HeddleStreaming));
  g_array_set_clear_func (plan->streamings, (GDestroyNotify) streaming_clear);
  for (guint i = 0; i < region->definitions->len; i++)
    {
      if (!plan_definition (&planner, i))
        return NULL;
      varies = varies || heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STEP;
    }
  if (varies)
    return g_steal_pointer (&plan);
  obstacle->kind = HEDDLE_OBSTACLE_ABSENT;
  return NULL;
}
