/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/region.h"
#include "derive/stream/split-combine.h"
#include "derive/stream/split.h"
#include "derive/stream/stream-kind.h"
#include "derive/stream/stream.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"

/* --- whether ---------------------------------------------------------------------------- */

static gboolean
runs_under (const HeddleStreaming *streaming, guint state)
{
  for (guint i = 0; streaming->running != NULL && i < streaming->running->len; i++)
    if (g_array_index (streaming->running, HeddleRunning, i).state == state)
      return TRUE;
  return FALSE;
}

/* Whether all states that the steps of @streaming read are ones it is rescaled by, however indirectly it reads them. */
static gboolean
reads_known (const HeddleStreamPlan *plan, const HeddleStreaming *streaming, const HeddleExpr *body)
{
  g_autoptr (GArray) arguments = heddle_expr_arguments (body);

  for (guint i = 0; i < arguments->len; i++)
    {
      guint argument = g_array_index (arguments, guint, i);
      const HeddleStreaming *read = heddle_stream_plan_get (plan, argument);

      if (read->phase == HEDDLE_PHASE_STATE && !runs_under (streaming, argument))
        return FALSE;
      if (read->phase == HEDDLE_PHASE_STEP && read->kept != NULL
          && !reads_known (plan, streaming, read->kept))
        return FALSE;
    }
  return TRUE;
}

/* A state that moves along the axis in order. */
static gboolean
is_scanned (const HeddleStreamPlan *plan, guint i)
{
  const HeddleDefinition *definition = heddle_stream_plan_definition (plan, i);

  return definition->form == HEDDLE_COMPUTE_SCAN && definition->along == plan->axis;
}

gboolean
heddle_split_is_folded (const HeddleStreamPlan *plan, guint i)
{
  return heddle_stream_plan_definition (plan, i)->form == HEDDLE_COMPUTE_FOLD;
}

gboolean
heddle_split_can_merge (const HeddleStreamPlan *plan, guint *definition)
{
  for (guint i = 0; i < plan->definitions->len; i++)
    {
      const HeddleStreaming *streaming = heddle_stream_plan_get (plan, i);

      *definition = i;
      /* Of a state with a halo neighbours have a part both: it is not put by. */
      if (is_scanned (plan, i)
          || (streaming->phase == HEDDLE_PHASE_STATE && heddle_stream_plan_definition (plan, i)->whole != 0))
        return FALSE;
      if (streaming->phase == HEDDLE_PHASE_STATE && streaming->kept != NULL
          && heddle_split_is_folded (plan, i) && !reads_known (plan, streaming, streaming->kept))
        return FALSE;
    }
  return TRUE;
}

const char *
heddle_stream_kind_to_string (HeddleStreamKind kind)
{
  static const char *const names[] = { "none", "map", "monoid", "state machine" };

  return kind < G_N_ELEMENTS (names) ? names[kind] : "none";
}

HeddleStreamKind
heddle_stream_plan_kind (const HeddleStreamPlan *plan)
{
  g_autoptr (HeddleStreamPlan) split = NULL;
  gboolean states = FALSE;
  guint definition;

  if (plan->axis == NULL)
    return HEDDLE_STREAM_NONE;
  for (guint i = 0; i < plan->definitions->len; i++)
    states = states || heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STATE || is_scanned (plan, i);
  if (!states)
    return HEDDLE_STREAM_MAP;
  if (heddle_split_can_merge (plan, &definition))
    return HEDDLE_STREAM_MONOID;
  /* States that move with their mean may be merged where they are carried otherwise. */
  split = heddle_stream_plan_new_split (plan->region, plan->axis);
  return split != NULL && heddle_split_can_merge (split, &definition) ? HEDDLE_STREAM_MONOID
                                                                      : HEDDLE_STREAM_MACHINE;
}

/* --- the diagram with partial states ------------------------------------------------------ */

/* An id that no other kernel's partial states have. */
static char *
own_id (const HeddleRegionTerm *region, const char *what)
{
  return g_strdup_printf ("%s-%s", what, heddle_ids_index (region->operations, 0));
}

static const char *
add_parts_axis (const HeddleRegionTerm *region, HeddleDiagram *diagram, const char *axis)
{
  g_autofree char *own = own_id (region, axis);
  GString *name = g_string_new (heddle_diagram_get_axis (diagram, axis)->name);
  const char *id;

  g_string_append (name, "_part");
  while (heddle_diagram_find_axis (diagram, name->str) != NULL)
    g_string_append_c (name, '\'');
  id = heddle_diagram_add_axis (diagram, own, name->str, NULL)->id;
  g_string_free (name, TRUE);
  return id;
}

static char *
state_name (const HeddleDiagram *diagram, const HeddleDefinition *state)
{
  g_autofree char *label
      = state->value != NULL ? heddle_diagram_value_label (diagram, state->value) : g_strdup (state->name);
  g_autofree char *lower = g_ascii_strdown (label, -1);
  GString *name = g_string_new (lower);

  g_string_append (name, "_part");
  while (heddle_diagram_find_value (diagram, name->str) != NULL)
    g_string_append_c (name, '\'');
  return g_string_free (name, FALSE);
}

/* A sum's precision, not that of what it is stored as. */
static HeddleDtype
state_dtype (const HeddleDiagram *diagram, const HeddleDefinition *state, HeddleDtype fallback)
{
  const char *value = state->value != NULL ? state->value
                                           : heddle_diagram_get_operation (diagram, state->operation)->result;

  return heddle_diagram_dtype (diagram, value, fallback) == HEDDLE_DTYPE_F64 ? HEDDLE_DTYPE_F64
                                                                             : HEDDLE_DTYPE_F32;
}

static void
add_partial (HeddleSplit *self, const HeddleRegionTerm *region, const HeddleDefinition *state, guint i,
    HeddleDtype fallback)
{
  g_autofree char *name = state_name (self->diagram, state);
  g_autofree char *own = own_id (region, name);
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, self->parts);
  g_array_append_vals (axes, state->axes->data, state->axes->len);
  heddle_ids_append (
      self->values, heddle_diagram_add_value (self->diagram, own, name, HEDDLE_ROLE_INTERMEDIATE,
                        state_dtype (self->diagram, state, fallback), axes)
                        ->id);
  g_array_append_val (self->states, i);
}

HeddleSplit *
heddle_split_new (const HeddleStreamPlan *plan, const gboolean *needed, HeddleDtype dtype)
{
  HeddleSplit *self = g_new0 (HeddleSplit, 1);

  self->diagram = heddle_diagram_copy (plan->region->diagram);
  self->parts = add_parts_axis (plan->region, self->diagram, plan->axis);
  self->states = g_array_new (FALSE, FALSE, sizeof (guint));
  self->values = heddle_ids_new ();
  for (guint k = 0; k < plan->order->len; k++)
    {
      guint i = g_array_index (plan->order, guint, k);

      if (needed[i] && heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STATE)
        add_partial (self, plan->region, heddle_stream_plan_definition (plan, i), i, dtype);
    }
  heddle_split_combine_new (plan, self, needed);
  return self;
}

void
heddle_split_free (HeddleSplit *self)
{
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->combine, heddle_region_term_free);
  g_array_unref (self->states);
  g_array_unref (self->values);
  g_free (self);
}
