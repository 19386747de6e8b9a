/* SPDX-License-Identifier: MIT */
#include "codegen/plan/views.h"
#include "derive/region/view.h"
#include "diagram/graph/operation.h"

/* This file takes views out of the diagram that kernels are made of: the kernels of all layers are then the
 * same. */

void
heddle_plan_hoist_views (HeddlePlan *plan, const HeddleSchedule *schedule)
{
  g_autoptr (GArray) views = NULL;

  plan->views = g_ptr_array_new ();
  plan->viewed = heddle_diagram_copy (plan->diagram);
  views = heddle_diagram_hoist_views (plan->diagram, plan->sizes, schedule);
  for (guint i = 0; i < views->len; i++)
    g_ptr_array_add (
        plan->views, (gpointer) heddle_diagram_get_operation (plan->viewed, heddle_ids_index (views, i)));
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
      add_value (plan->whole, heddle_diagram_get_value (plan->viewed, view->result));
      heddle_diagram_edit_value (plan->whole, view->result)->role = HEDDLE_ROLE_INTERMEDIATE;
      again = heddle_diagram_add_operation (
          plan->whole, view->id, view->kind, view->operands, view->result, view->axes, (int) i);
      heddle_operation_copy_details (again, view, NULL, NULL);
    }
}
