/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/base/codegen.h"
#include "codegen/plan/views.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* A layer's part of what all layers' parameters are kept in is read where it lies: no kernel copies it, and the kernels of all layers are the
 * same. */

static gboolean
is_place (const HeddleExpr *index, double *place)
{
  if (heddle_expr_get_kind (index) != HEDDLE_EXPR_NUMBER)
    return FALSE;
  *place = heddle_expr_get_number (index);
  return TRUE;
}

guint
heddle_view_places (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *base, *result;
  guint n = 0;
  double place;

  if (operation->kind->form != HEDDLE_FORM_REINDEX || operation->operands->len != 1)
    return 0;
  base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  result = heddle_diagram_get_value (diagram, operation->result);
  while (n < base->axes->len && is_place (g_ptr_array_index (operation->indices, n), &place))
    n++;
  if (base->axes->len != n + result->axes->len)
    return 0;
  for (guint i = n; i < base->axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (result->axes, i - n))
        return 0;
    }
  return n;
}

/* Whether it reads all of one place, and that is inside. */
static gboolean
is_inside (const HeddlePlan *plan, const HeddleOperation *operation, guint places)
{
  const HeddleValue *base
      = heddle_diagram_get_value (plan->diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (plan->diagram, operation->result);

  for (guint i = 0; i < base->axes->len; i++)
    {
      gint64 size = heddle_sizes_get (plan->sizes, heddle_ids_index (base->axes, i));
      double place = 0;

      if (i < places && is_place (g_ptr_array_index (operation->indices, i), &place)
          && !(place >= 0 && place < (double) size && place == (double) (gint64) place))
        return FALSE;
      if (i >= places && heddle_sizes_get (plan->sizes, heddle_ids_index (result->axes, i - places)) != size)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_view (const HeddlePlan *plan, const HeddleSchedule *schedule, const HeddleOperation *operation)
{
  guint places = heddle_view_places (plan->diagram, operation);
  const HeddleValue *base, *result;

  if (places == 0)
    return FALSE;
  base = heddle_diagram_get_value (plan->diagram, heddle_ids_index (operation->operands, 0));
  result = heddle_diagram_get_value (plan->diagram, operation->result);
  return base->role == HEDDLE_ROLE_PARAMETER && !heddle_diagram_is_output (plan->diagram, result->id)
         && (result->dtype == HEDDLE_DTYPE_UNSET || result->dtype == base->dtype)
         && (schedule == NULL || heddle_schedule_region_of (schedule, operation->id) == NULL)
         && is_inside (plan, operation, places);
}

/* The operation goes, and what it made is an input. */
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

      if (!is_view (plan, schedule, operation))
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
