/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/base/codegen.h"
#include "codegen/plan/views.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* This file takes views out of the diagram that kernels are made of: the kernels of all layers are then the
 * same. */

/* Removes the operation and makes its result an input. */
static void
hoist (HeddlePlan *plan, const HeddleOperation *operation)
{
  const HeddleValue *base
      = heddle_diagram_get_value (plan->diagram, heddle_ids_index (operation->operands, 0));
  g_autofree char *label = heddle_diagram_value_label (plan->diagram, operation->result);
  const char *id = operation->id;
  HeddleValue *value = heddle_diagram_edit_value (plan->diagram, operation->result);

  value->role = base->role;
  value->dtype = base->dtype;
  if (value->name == NULL)
    value->name = g_steal_pointer (&label);
  heddle_diagram_remove (plan->diagram, id);
}

static void
drop_unread (HeddleDiagram *diagram, const GArray *values)
{
  for (guint i = 0; i < values->len; i++)
    if (heddle_diagram_count_readers (diagram, heddle_ids_index (values, i)) == 0)
      heddle_diagram_remove (diagram, heddle_ids_index (values, i));
}

void
heddle_plan_hoist_views (HeddlePlan *plan, const HeddleSchedule *schedule)
{
  g_autoptr (GArray) bases = heddle_ids_new ();

  plan->views = g_ptr_array_new ();
  plan->viewed = heddle_diagram_copy (plan->diagram);
  if (!plan->diagram->explicit_outputs)
    {
      /* what nobody reads any more is no output for that */
      GArray *outputs = heddle_diagram_get_outputs (plan->diagram);

      g_array_unref (plan->diagram->outputs);
      plan->diagram->outputs = outputs;
      plan->diagram->explicit_outputs = TRUE;
    }
  for (guint i = 0; i < plan->viewed->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (plan->viewed->operations, i);

      if (!heddle_view_is (plan->diagram, plan->sizes, schedule, operation))
        continue;
      heddle_ids_append (bases, heddle_ids_index (operation->operands, 0));
      g_ptr_array_add (plan->views, (gpointer) operation);
      hoist (plan, operation);
    }
  drop_unread (plan->diagram, bases);
}

static void
add_value (HeddleDiagram *diagram, const HeddleValue *value)
{
  if (heddle_diagram_get_value (diagram, value->id) == NULL)
    heddle_diagram_add_value (diagram, value->id, value->name, value->role, value->dtype, value->axes);
}

void
heddle_plan_return_views (HeddlePlan *plan)
{
  plan->whole = heddle_diagram_copy (plan->diagram);
  for (guint i = 0; i < plan->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (plan->views, i);
      HeddleOperation *again;

      add_value (plan->whole, heddle_diagram_get_value (plan->viewed, heddle_ids_index (view->operands, 0)));
      heddle_diagram_edit_value (plan->whole, view->result)->role = HEDDLE_ROLE_INTERMEDIATE;
      again = heddle_diagram_add_operation (
          plan->whole, view->id, view->kind, view->operands, view->result, view->axes, (int) i);
      heddle_operation_copy_details (again, view, NULL, NULL);
    }
}
