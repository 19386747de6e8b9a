/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/halo.h"
#include "derive/legality/legality.h"
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/legality/stream.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* Why an axis cannot stream, and which wider kernel could. */

/* How often a region is widened in search of one that streams. */
#define MAX_WIDENINGS 8

/* --- words ----------------------------------------------------------------------------------- */

const char *
heddle_question_axis_name (const HeddleQuestion *question)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (question->region->diagram, question->axis);

  return axis != NULL ? axis->name : question->axis;
}

/* "Softmax P": what the operation is and what it makes. */
char *
heddle_question_describe (const HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);

  return g_strdup_printf ("%s %s", _ (operation->kind->title), label);
}

char *
heddle_question_describe_definition (const HeddleQuestion *question, guint i)
{
  const HeddleDefinition *definition = heddle_region_term_get (question->region, i);

  return definition->operation != NULL
             ? heddle_question_describe (question->region->diagram, definition->operation)
             : heddle_diagram_value_label (question->region->diagram, definition->value);
}

static const char *
reduction_title (const HeddleQuestion *question, guint i)
{
  const char *title = i != G_MAXUINT ? heddle_region_term_get (question->region, i)->title : NULL;

  return title != NULL ? _ (title) : _ ("reduction");
}

static char *
output_reason (const HeddleQuestion *question, const HeddleObstacle *obstacle)
{
  const HeddleDiagram *diagram = question->region->diagram;
  const HeddleDefinition *definition = heddle_region_term_get (question->region, obstacle->definition);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, definition->operation);
  const char *x = heddle_question_axis_name (question);
  g_autofree char *label = heddle_diagram_value_label (diagram, definition->value);

  if (operation->kind->form == HEDDLE_FORM_NORMALISE)
    return g_strdup_printf (_ ("%s alone cannot stream %s: its output %s is as long as %s, and every entry "
                               "needs the %s over all of %s."),
        _ (operation->kind->title), x, label, x, reduction_title (question, obstacle->reduction), x);
  return g_strdup_printf (_ ("This cannot stream %s: the output %s is as long as %s, and every entry needs "
                             "the %s over all of %s."),
      x, label, x, reduction_title (question, obstacle->reduction), x);
}

static char *
stream_reason (const HeddleQuestion *question, const HeddleObstacle *obstacle)
{
  const char *x = heddle_question_axis_name (question);
  g_autofree char *what = NULL;

  if (obstacle->kind == HEDDLE_OBSTACLE_ABSENT)
    return g_strdup_printf (_ ("Nothing in this kernel varies along %s."), x);
  if (obstacle->kind == HEDDLE_OBSTACLE_OUTPUT)
    return output_reason (question, obstacle);
  what = heddle_question_describe_definition (question, obstacle->definition);
  switch (obstacle->kind)
    {
    case HEDDLE_OBSTACLE_FACTOR:
      return g_strdup_printf (_ ("%s needs the %s over all of %s at every point, and that does not come out "
                                 "of it as factors of a sum."),
          what, reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_MONOID:
      return g_strdup_printf (
          _ ("%s combines values that wait for the %s over all of %s by something else than a sum."), what,
          reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_REDUCED:
      return g_strdup_printf (
          _ ("%s sums values of different rows, each of which waits for the %s over all of %s."), what,
          reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_ORDER:
      return g_strdup_printf (_ ("%s puts values in order along %s, all at once."), what, x);
    default:
      return g_strdup_printf (_ ("%s is read along %s at other indices than its own."), what, x);
    }
}

/* --- what would make it legal ------------------------------------------------------------------- */

static void
append_all (GArray *ids, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (more, i)))
      heddle_ids_append (ids, heddle_ids_index (more, i));
}

/* Adds the kernels of all that reads @value. FALSE: nobody does, or it leaves the diagram. */
static gboolean
add_readers (const HeddleQuestion *question, const char *value, GArray *operations, GArray *added)
{
  const HeddleDiagram *diagram = question->region->diagram;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);
  guint before = operations->len;

  if (heddle_diagram_is_output (diagram, value))
    return FALSE;
  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      g_autoptr (GArray) kernel = heddle_kernel_operations (diagram, question->schedule, reader->id);

      append_all (operations, kernel);
      if (!heddle_ids_contain (question->region->operations, reader->id))
        heddle_ids_append (added, reader->id);
    }
  return operations->len > before;
}

/* A region around this one that streams the axis; NULL: none was found. @added: the operations that read what could not stream. */
static GArray *
find_fusion (const HeddleQuestion *question, const HeddleObstacle *first, GArray *added)
{
  const HeddleDiagram *diagram = question->region->diagram;
  g_autoptr (GArray) operations = heddle_ids_copy (question->region->operations);
  HeddleObstacle obstacle = *first;
  const char *value = heddle_region_term_get (question->region, first->definition)->value;

  for (guint i = 0; i < MAX_WIDENINGS && obstacle.kind == HEDDLE_OBSTACLE_OUTPUT; i++)
    {
      g_autoptr (HeddleRegionTerm) wider = NULL;
      g_autoptr (HeddleStreamPlan) plan = NULL;

      if (!add_readers (question, value, operations, added))
        return NULL;
      wider = heddle_region_term_new (diagram, operations, NULL, NULL);
      if (wider == NULL)
        return NULL;
      plan = heddle_stream_plan_new (wider, question->axis, &obstacle);
      if (plan != NULL)
        return heddle_ids_copy (wider->operations);
      value = heddle_region_term_get (wider, obstacle.definition)->value;
    }
  return NULL;
}

void
heddle_question_add_fusion (
    const HeddleQuestion *question, const HeddleObstacle *obstacle, HeddleRefusal *refusal)
{
  g_autoptr (GArray) added = heddle_ids_new ();
  g_autoptr (GArray) operations = NULL;
  g_autofree char *what = NULL;

  if (obstacle->kind != HEDDLE_OBSTACLE_OUTPUT)
    return;
  operations = find_fusion (question, obstacle, added);
  if (operations == NULL)
    return;
  what = heddle_question_describe (question->region->diagram, heddle_ids_index (added, added->len - 1));
  refusal->remedy_kind = HEDDLE_REMEDY_FUSE;
  g_array_unref (refusal->remedy_operations);
  refusal->remedy_operations = g_steal_pointer (&operations);
  g_free (refusal->remedy);
  refusal->remedy = g_strdup_printf (
      question->kind == HEDDLE_LABEL_STREAM
          ? _ ("Fuse it with %s, which reads it over %s: partial results are rescaled as chunks arrive.")
          : _ ("Fuse it with %s, which reads it: then %s streams, and its groups are merged by a second "
               "kernel (split-K)."),
      what, heddle_question_axis_name (question));
}

HeddleRefusal *
heddle_question_check_stream (const HeddleQuestion *question)
{
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal;

  if (plan != NULL)
    return NULL;
  if (obstacle.kind == HEDDLE_OBSTACLE_ABSENT
      && heddle_legality_find_halo (question->region, question->axis) >= 0)
    return heddle_legality_refuse_halo (
        question, (guint) heddle_legality_find_halo (question->region, question->axis));
  refusal = heddle_refusal_new (question->axis, question->kind,
      obstacle.kind == HEDDLE_OBSTACLE_ABSENT
          ? NULL
          : heddle_region_term_get (question->region, obstacle.definition)->operation,
      stream_reason (question, &obstacle), NULL);
  heddle_question_add_fusion (question, &obstacle, refusal);
  return refusal;
}
