/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/halo.h"
#include "derive/legality/legality.h"
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/legality/remedy.h"
#include "derive/legality/stream.h"
#include "derive/region/region.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

void
heddle_refusal_free (HeddleRefusal *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->reason);
  g_free (self->remedy);
  g_free (self->no_remedy);
  g_clear_pointer (&self->remedy_operations, g_array_unref);
  g_free (self);
}

HeddleRefusal *
heddle_refusal_new (const char *axis, HeddleLabelKind kind, const char *operation, char *reason, char *remedy)
{
  HeddleRefusal *self = g_new0 (HeddleRefusal, 1);

  self->axis = axis;
  self->kind = kind;
  self->operation = operation;
  self->reason = reason;
  self->remedy = remedy != NULL ? remedy : g_strdup ("");
  self->remedy_operations = heddle_ids_new ();
  return self;
}

GArray *
heddle_kernel_operations (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation)
{
  const HeddleRegion *region = schedule != NULL ? heddle_schedule_region_of (schedule, operation) : NULL;
  const char *value = heddle_diagram_statement_of (diagram, operation);
  g_autoptr (GPtrArray) statement = NULL;
  GArray *operations;

  if (region != NULL)
    return heddle_ids_copy (region->operations);
  operations = heddle_ids_new ();
  if (value == NULL)
    return operations;
  statement = heddle_diagram_statement_operations (diagram, value);
  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *member = g_ptr_array_index (statement, i);

      if (schedule == NULL || heddle_schedule_region_of (schedule, member->id) == NULL)
        heddle_ids_append (operations, member->id);
    }
  return operations;
}

/* --- grouping ------------------------------------------------------------------------------------- */

typedef enum
{
  GROUP_LEGAL,
  GROUP_ABSENT, /* nothing varies along the axis */
  GROUP_REDUCED, /* an operation reduces over it */
  GROUP_SCANNED, /* a state moves along it in order */
  GROUP_ORDERED, /* values are put in order along it */
  GROUP_HALO, /* what varies along it goes by the tiles of what reads it */
  GROUP_INDICES, /* something made here is read along it at other indices */
  GROUP_WRITTEN, /* an output does not vary along it */
} GroupObstacle;

static gboolean
is_read_elsewhere (const HeddleRegionTerm *region, const HeddleDefinition *definition, const char *axis)
{
  const HeddleDefinition *source;

  if (definition->indices == NULL)
    return FALSE; /* what is loaded at indices is read by each group for itself */
  source = heddle_region_term_get (region, heddle_expr_get_operand (definition->body));
  for (guint i = 0; i < source->axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (definition->indices, i);

      if (heddle_ids_index (source->axes, i) == axis && heddle_definition_carries (source, axis)
          && (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis))
        return TRUE;
    }
  return FALSE;
}

/* @definition: the first one in the way; a reduction is preferred, the others are no way out. */
static GroupObstacle
find_group_obstacle (const HeddleRegionTerm *region, const char *axis, guint *definition)
{
  GroupObstacle found = GROUP_ABSENT;

  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (region, i);
      gboolean carries = heddle_definition_carries (self, axis);

      *definition = i;
      if (heddle_ids_contain (self->over, axis))
        return GROUP_REDUCED;
      if (self->form != HEDDLE_COMPUTE_FOLD && self->along == axis)
        return self->form == HEDDLE_COMPUTE_SCAN ? GROUP_SCANNED : GROUP_ORDERED;
      if (is_read_elsewhere (region, self, axis))
        return GROUP_INDICES;
      if (carries && found == GROUP_ABSENT)
        found = GROUP_LEGAL;
    }
  if (found == GROUP_ABSENT && heddle_legality_find_halo (region, axis) >= 0)
    {
      *definition = (guint) heddle_legality_find_halo (region, axis);
      return GROUP_HALO;
    }
  for (guint i = 0; found == GROUP_LEGAL && i < region->definitions->len; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (region, i);

      *definition = i;
      if (self->output && !heddle_ids_contain (self->axes, axis))
        return GROUP_WRITTEN;
    }
  return found;
}

gboolean
heddle_legality_can_group (const HeddleRegionTerm *region, const char *axis)
{
  guint definition;

  return find_group_obstacle (region, axis, &definition) == GROUP_LEGAL;
}

/* Sums about a centre that all groups read ahead. */
static gboolean
can_split_centred (const HeddleRegionTerm *region, const char *axis)
{
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new_split (region, axis);
  guint definition;

  return plan != NULL && heddle_split_can_merge (plan, &definition);
}

/* A reduction that streams has partial results that a second kernel combines, where they can be merged. */
gboolean
heddle_legality_can_split (const HeddleRegionTerm *region, const char *axis)
{
  guint definition;
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = NULL;

  if (find_group_obstacle (region, axis, &definition) != GROUP_REDUCED)
    return FALSE;
  plan = heddle_stream_plan_new (region, axis, &obstacle);
  return plan != NULL && (heddle_split_can_merge (plan, &definition) || can_split_centred (region, axis));
}

/* One that does not stream must be fused first. */
static HeddleRefusal *
refuse_reduced (const HeddleQuestion *question, guint definition)
{
  const char *operation = heddle_region_term_get (question->region, definition)->operation;
  const char *x = heddle_question_axis_name (question);
  g_autofree char *what = heddle_question_describe (question->region->diagram, operation);
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind, operation,
      g_strdup_printf (_ ("%s works over all of %s, of which a group would have only a part."), what, x),
      NULL);

  if (plan != NULL)
    {
      refusal->remedy_kind = HEDDLE_REMEDY_STREAM;
      g_free (refusal->remedy);
      refusal->remedy
          = g_strdup_printf (_ ("Stream %s instead: its states cannot be merged, as steps read them "
                                "otherwise than to rescale (sums about a centre)."),
              x);
    }
  else
    heddle_question_add_fusion (question, &obstacle, refusal);
  return refusal;
}

/* In order is how it can be. */
static HeddleRefusal *
refuse_scanned (const HeddleQuestion *question, guint definition, const char *what)
{
  const char *x = heddle_question_axis_name (question);
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind,
      heddle_region_term_get (question->region, definition)->operation,
      g_strdup_printf (
          _ ("%s has a state that moves along %s: a group would wait for the one before."), what, x),
      plan != NULL ? g_strdup_printf (_ ("Stream %s instead: the state is carried from step to step."), x)
                   : NULL);

  refusal->remedy_kind = plan != NULL ? HEDDLE_REMEDY_STREAM : HEDDLE_REMEDY_NONE;
  return refusal;
}

static HeddleRefusal *
check_group (const HeddleQuestion *question)
{
  const char *x = heddle_question_axis_name (question);
  g_autofree char *what = NULL;
  guint definition = 0;
  GroupObstacle obstacle = find_group_obstacle (question->region, question->axis, &definition);
  char *reason;

  if (obstacle == GROUP_LEGAL || heddle_legality_can_split (question->region, question->axis))
    return NULL;
  if (obstacle == GROUP_REDUCED)
    return refuse_reduced (question, definition);
  if (obstacle == GROUP_ABSENT)
    return heddle_refusal_new (question->axis, question->kind, NULL,
        g_strdup_printf (_ ("Nothing in this kernel varies along %s."), x), NULL);
  what = heddle_question_describe_definition (question, definition);
  if (obstacle == GROUP_SCANNED)
    return refuse_scanned (question, definition, what);
  if (obstacle == GROUP_HALO)
    return heddle_legality_refuse_halo (question, definition);
  if (obstacle == GROUP_ORDERED)
    reason = g_strdup_printf (_ ("%s puts values in order along %s, all at once."), what, x);
  else if (obstacle == GROUP_INDICES)
    reason = g_strdup_printf (
        _ ("%s reads along %s at other indices than its own, which other groups have."), what, x);
  else
    reason = g_strdup_printf (
        _ ("The output of %s does not vary along %s: every group would write it."), what, x);
  return heddle_refusal_new (question->axis, question->kind,
      heddle_region_term_get (question->region, definition)->operation, reason, NULL);
}

HeddleRefusal *
heddle_legality_check (
    const HeddleRegionTerm *region, const HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind)
{
  HeddleQuestion question = { region, schedule, axis, kind };

  if (kind == HEDDLE_LABEL_STREAM)
    return heddle_question_check_stream (&question);
  if (kind == HEDDLE_LABEL_GROUP)
    return check_group (&question);
  if (heddle_ids_contain (region->axes, axis))
    return NULL;
  return heddle_refusal_new (axis, kind, NULL,
      g_strdup_printf (_ ("Nothing in this kernel varies along %s."), heddle_question_axis_name (&question)),
      NULL);
}

/* --- the door ---------------------------------------------------------------------------------------- */

/* Whether a kernel with such a label carries states along the axis: it streams it, or folds the parts of it. */
static gboolean
is_folded (const HeddleRegionTerm *term, const char *axis, HeddleLabelKind kind)
{
  return kind == HEDDLE_LABEL_STREAM
         || (kind == HEDDLE_LABEL_GROUP && !heddle_legality_can_group (term, axis));
}

/* One axis is folded at a time. */
HeddleRefusal *
heddle_legality_check_other (const HeddleRegionTerm *term, const char *other, HeddleLabelKind other_kind,
    const char *axis, HeddleLabelKind kind)
{
  const char *name;

  if (other == axis || !is_folded (term, axis, kind) || !is_folded (term, other, other_kind))
    return NULL;
  name = heddle_diagram_get_axis (term->diagram, other)->name;
  return heddle_refusal_new (axis, kind, NULL,
      other_kind == HEDDLE_LABEL_STREAM && kind == HEDDLE_LABEL_STREAM
          ? g_strdup_printf (_ ("This kernel streams %s already, and one axis streams at a time."), name)
          : g_strdup_printf (
              _ ("%s and %s would both be folded step by step, and a kernel carries states along one axis."),
              name, heddle_diagram_get_axis (term->diagram, axis)->name),
      g_strdup_printf (_ ("Remove the label of %s first."), name));
}

static HeddleRefusal *
check_others (
    const HeddleRegionTerm *term, const HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      HeddleRefusal *refusal = NULL;

      if (label->inactive == NULL)
        refusal = heddle_legality_check_other (term, label->axis, label->kind, axis, kind);
      if (refusal != NULL)
        return refusal;
    }
  return NULL;
}

/**
 * heddle_derive_try_label:
 * @diagram: a diagram
 * @schedule: (nullable): its schedule
 * @operation: an operation (id)
 * @axis: an axis (id)
 * @kind: what to label it with
 *
 * Whether one more label would be legal on the region that holds @operation, or, without one, on its statement. The label of the
 * same axis that is there already is taken as replaced. Quick enough for every motion of a drag.
 *
 * Returns: (transfer full) (nullable): why not, and what would help; %NULL: it is legal
 */
HeddleRefusal *
heddle_derive_try_label (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation,
    const char *axis, HeddleLabelKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) operations = NULL;
  g_autoptr (HeddleRegionTerm) region = NULL;
  HeddleRefusal *refusal;

  g_return_val_if_fail (diagram != NULL && operation != NULL && axis != NULL, NULL);

  operations = heddle_kernel_operations (diagram, schedule, operation);
  region = heddle_region_term_new (diagram, operations, NULL, &error);
  if (region == NULL)
    return heddle_refusal_new (axis, kind, operation, g_strdup (error->message), NULL);
  refusal = heddle_legality_check (region, schedule, axis, kind);
  if (refusal != NULL)
    {
      heddle_refusal_tell_why_none (refusal, region, FALSE);
      return refusal;
    }
  return check_others (
      region, schedule != NULL ? heddle_schedule_region_of (schedule, operation) : NULL, axis, kind);
}
