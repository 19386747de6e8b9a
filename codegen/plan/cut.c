/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/plan/cut.h"
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/layout.h"
#include "diagram/graph/copy-in-order.h"

/* Returns the value that an operation of the plan copies into another order, which the plan was given; NULL if
 * the operation is no such copy. */
static const char *
find_copied (const HeddleDiagram *diagram, const HeddleDiagram *planned, const char *id)
{
  const HeddleOperation *copy = heddle_diagram_get_operation (planned, id);
  const char *from
      = copy != NULL && heddle_diagram_get_operation (diagram, id) == NULL && heddle_operation_is_copy (copy)
            ? heddle_ids_index (copy->operands, 0)
            : NULL;

  return from != NULL && heddle_diagram_get_value (diagram, from) != NULL
                 && heddle_diagram_get_producer (planned, from) == NULL
             ? from
             : NULL;
}

/* Returns whether an operand of the plan is the diagram's, or is copied of it. */
static gboolean
is_operand (const HeddleDiagram *diagram, const HeddleDiagram *planned, const char *own, const char *other)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (planned, other);

  return own == other || (producer != NULL && find_copied (diagram, planned, producer->id) == own);
}

/* Returns whether the diagram has the same operation as the plan, but for the order in which arrays lie. */
static gboolean
has_operation (const HeddleDiagram *diagram, const HeddleDiagram *planned, const char *id)
{
  const HeddleOperation *own = heddle_diagram_get_operation (diagram, id);
  const HeddleOperation *other = heddle_diagram_get_operation (planned, id);

  if (own == NULL || other == NULL || own->kind != other->kind || own->result != other->result
      || own->operands->len != other->operands->len)
    return FALSE;
  for (guint i = 0; i < own->operands->len; i++)
    if (!is_operand (
            diagram, planned, heddle_ids_index (own->operands, i), heddle_ids_index (other->operands, i)))
      return FALSE;
  return TRUE;
}

/* Puts, in place of a copy of a view, the view, whose result the schedule lays out in the copy's order.
 * Returns FALSE if the region has an operation that is not the diagram's. */
static gboolean
translate_region (HeddleRegion *region, const HeddleDiagram *diagram, const HeddleDiagram *planned)
{
  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *id = heddle_ids_index (region->operations, i);
      const char *from = find_copied (diagram, planned, id);
      const HeddleOperation *view = from != NULL ? heddle_diagram_get_producer (diagram, from) : NULL;

      if (view != NULL)
        g_array_index (region->operations, const char *, i) = view->id;
      else if (!has_operation (diagram, planned, id))
        return FALSE;
    }
  return TRUE;
}

/* Gives the labels of a region that copies an input to the input's layout. Returns FALSE if it is none
 * such. */
static gboolean
move_labels (HeddleSchedule *schedule, const HeddleRegion *region, const HeddleDiagram *diagram,
    const HeddleDiagram *planned)
{
  const char *from = region->operations->len == 1
                         ? find_copied (diagram, planned, heddle_ids_index (region->operations, 0))
                         : NULL;
  HeddleValueLayout *layout;

  if (from == NULL || heddle_diagram_get_producer (diagram, from) != NULL)
    return FALSE;
  layout = (HeddleValueLayout *) heddle_schedule_get_layout (schedule, from);
  for (guint i = 0; i < region->labels->len; i++)
    g_ptr_array_add (layout->labels, heddle_label_copy (g_ptr_array_index (region->labels, i)));
  return TRUE;
}

/* Makes a schedule of the plan one of the diagram. Returns FALSE if it has operations that are not the
 * diagram's. */
static gboolean
translate (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleDiagram *planned)
{
  heddle_schedule_take_layouts (schedule, diagram, planned);
  for (guint i = schedule->regions->len; i-- > 0;)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (move_labels (schedule, region, diagram, planned))
        g_ptr_array_remove_index (schedule->regions, i);
      else if (!translate_region (region, diagram, planned))
        return FALSE;
    }
  return TRUE;
}

HeddleSchedule *
heddle_plan_cut (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    gboolean thorough, GCancellable *cancellable)
{
  g_autoptr (HeddlePlan) plan = heddle_plan_new_priced (diagram, sizes, options, thorough, cancellable, NULL);
  HeddleSchedule *schedule;

  if (plan == NULL)
    return NULL;
  schedule = heddle_plan_get_schedule (plan);
  if (!translate (schedule, diagram, plan->diagram))
    g_clear_pointer (&schedule, heddle_schedule_free);
  return schedule;
}
