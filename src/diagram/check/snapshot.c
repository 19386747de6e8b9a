/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/problem.h"
#include "diagram/check/call.h"
#include "diagram/check/check.h"
#include "diagram/check/private.h"
#include "diagram/check/report.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/layout.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram.h"

static void
check_label (HeddleCheck *self, const HeddleRegion *region, const HeddleLabel *label)
{
  if (heddle_diagram_get_axis (self->diagram, label->axis) == NULL)
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, region->id, NULL,
        _ ("The region %s has a label on %s, which is not an axis of the diagram"), region->id, label->axis);
  else if (label->size < 1)
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, region->id, NULL,
        _ ("The label on %s has the size %" PRId64 ": sizes are at least 1"),
        heddle_axis_name (self->diagram, label->axis), label->size);
}

static void
check_region (HeddleCheck *self, const HeddleRegion *region, GHashTable *taken)
{
  if (region->operations->len == 0)
    heddle_check_report (
        self, HEDDLE_SEVERITY_WARNING, region->id, NULL, _ ("The region %s is empty"), region->id);
  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *id = heddle_ids_index (region->operations, i);
      if (heddle_diagram_get_operation (self->diagram, id) == NULL)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, region->id, NULL,
            _ ("The region %s has the operation %s, which does not exist"), region->id,
            id != NULL ? id : "?");
      else if (!g_hash_table_add (taken, (gpointer) id))
        heddle_check_report (
            self, HEDDLE_SEVERITY_ERROR, id, NULL, _ ("The operation %s is in two regions"), id);
    }
  for (guint i = 0; i < region->labels->len; i++)
    check_label (self, region, g_ptr_array_index (region->labels, i));
}

static void
check_copy_label (HeddleCheck *self, const HeddleValueLayout *layout, const HeddleLabel *label)
{
  if (!heddle_ids_contain (layout->axes, label->axis))
    heddle_check_report (self, HEDDLE_SEVERITY_ERROR, layout->value, NULL,
        _ ("The layout of %s has a label on %s, which is not one of its axes"), layout->value, label->axis);
}

static void
check_schedule (HeddleCheck *self, const HeddleSchedule *schedule)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < schedule->regions->len; i++)
    check_region (self, g_ptr_array_index (schedule->regions, i), taken);
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *residency = g_ptr_array_index (schedule->residency, i);
      if (heddle_diagram_get_value (self->diagram, residency->value) == NULL
          || (residency->column != NULL
              && heddle_diagram_get_operation (self->diagram, residency->column) == NULL))
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL,
            _ ("Something that does not exist (%s) is placed in %s"),
            residency->value != NULL ? residency->value : "?", residency->level);
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);
      const HeddleOperation *reader = heddle_diagram_get_operation (self->diagram, recompute->column);
      if (heddle_diagram_get_value (self->diagram, recompute->value) == NULL || reader == NULL)
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL,
            _ ("Something that does not exist (%s) is recomputed"), recompute->value);
    }
  for (guint i = 0; i < schedule->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (schedule->layouts, i);
      if (!heddle_value_layout_is_for (layout, self->diagram))
        heddle_check_report (self, HEDDLE_SEVERITY_ERROR, NULL, NULL,
            _ ("The layout of %s is not an order of the axes of an array that kernels read"), layout->value);
      for (guint k = 0; k < layout->labels->len; k++)
        check_copy_label (self, layout, g_ptr_array_index (layout->labels, k));
    }
}

static gboolean
has_object (const HeddleDiagram *diagram, const char *id)
{
  return heddle_diagram_get_axis (diagram, id) != NULL || heddle_diagram_get_value (diagram, id) != NULL
         || heddle_diagram_get_operation (diagram, id) != NULL;
}

static void
check_ornament (
    HeddleCheck *self, const HeddlePresentation *presentation, const HeddleField *field, gpointer ornament)
{
  const char *object = NULL;
  if (field->kind == HEDDLE_FIELD_OBJECT)
    object = heddle_field_at (field, ornament, const char *);
  if (object != NULL && !has_object (self->diagram, object)
      && heddle_presentation_find (presentation, object, NULL) == NULL)
    heddle_check_report (self, HEDDLE_SEVERITY_WARNING, NULL, NULL,
        _ ("The figure refers to something that does not exist (%s)"), object);
  if (field->kind != HEDDLE_FIELD_OPERATIONS && field->kind != HEDDLE_FIELD_AXES)
    return;
  const GArray *ids = heddle_field_at (field, ornament, GArray *);
  for (guint i = 0; i < ids->len; i++)
    if (!has_object (self->diagram, heddle_ids_index (ids, i)))
      heddle_check_report (self, HEDDLE_SEVERITY_WARNING, NULL, NULL,
          _ ("The figure refers to something that does not exist (%s)"), heddle_ids_index (ids, i));
}

static void
check_presentation (HeddleCheck *self, const HeddlePresentation *presentation)
{
  for (guint i = 0; i < presentation->nudges->len; i++)
    {
      const char *object = g_array_index (presentation->nudges, HeddleNudge, i).object;
      if (!has_object (self->diagram, object))
        heddle_check_report (self, HEDDLE_SEVERITY_WARNING, NULL, NULL,
            _ ("Something that does not exist (%s) was moved"), object != NULL ? object : "?");
    }
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    for (guint i = 0; i < heddle_ornament_list (kind, presentation)->len; i++)
      for (const HeddleField *field = kind->fields; field->name != NULL; field++)
        check_ornament (self, presentation, field, heddle_ornament_list (kind, presentation)->pdata[i]);
}

/* Returns whether nothing is wrong except sizes that are left open. */
static gboolean
is_whole (const HeddleSnapshot *snapshot, const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      const HeddleDiagram *diagram = heddle_snapshot_get_diagram_by_id (snapshot, problem->diagram_id);
      const HeddleAxis *axis = diagram != NULL ? heddle_diagram_get_axis (diagram, problem->object_id) : NULL;
      if (problem->severity == HEDDLE_SEVERITY_ERROR && (axis == NULL || axis->size != NULL))
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
heddle_check_snapshot (const HeddleSnapshot *snapshot)
{
  g_return_val_if_fail (snapshot != NULL, NULL);
  GPtrArray *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = g_ptr_array_index (snapshot->diagrams, i);
      g_autoptr (GPtrArray) own = heddle_check_as (diagram, i > 0 || heddle_diagram_has_calls (diagram));
      g_ptr_array_set_free_func (own, NULL);
      g_ptr_array_extend (problems, own, NULL, NULL);

      HeddleCheck self = { diagram, problems };
      g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
      const HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
      if (!g_hash_table_add (names, diagram->name))
        heddle_check_report (
            &self, HEDDLE_SEVERITY_ERROR, NULL, NULL, _ ("Two diagrams are called %s"), diagram->name);
      for (guint k = 0; k < schedules->len; k++)
        check_schedule (&self, g_ptr_array_index (schedules, k));
      if (presentation != NULL)
        check_presentation (&self, presentation);
    }
  heddle_check_calls (snapshot, is_whole (snapshot, problems), problems);
  return problems;
}
