/* SPDX-License-Identifier: MIT */
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

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

/* Returns whether the operation reads all of one place, and that is inside. */
static gboolean
is_inside (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint places)
{
  const HeddleValue *base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);

  for (guint i = 0; i < base->axes->len; i++)
    {
      gint64 size = heddle_sizes_get (sizes, heddle_ids_index (base->axes, i));
      double place = 0;

      if (i < places && is_place (g_ptr_array_index (operation->indices, i), &place)
          && !(place >= 0 && place < (double) size && place == (double) (gint64) place))
        return FALSE;
      if (i >= places && heddle_sizes_get (sizes, heddle_ids_index (result->axes, i - places)) != size)
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_view_is (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule,
    const HeddleOperation *operation)
{
  guint places = heddle_view_places (diagram, operation);
  const HeddleValue *base, *result;

  if (places == 0)
    return FALSE;
  base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  result = heddle_diagram_get_value (diagram, operation->result);
  return base->role == HEDDLE_ROLE_PARAMETER && !heddle_diagram_is_output (diagram, result->id)
         && (result->dtype == HEDDLE_DTYPE_UNSET || result->dtype == base->dtype)
         && (schedule == NULL || heddle_schedule_region_of (schedule, operation->id) == NULL)
         && is_inside (diagram, sizes, operation, places);
}

/* Removes the operation and makes its result an input. */
static void
hoist (HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);
  HeddleValue *value = heddle_diagram_edit_value (diagram, operation->result);

  value->role = base->role;
  value->dtype = base->dtype;
  if (value->name == NULL)
    value->name = g_steal_pointer (&label);
  heddle_diagram_remove (diagram, operation->id);
}

static void
drop_unread (HeddleDiagram *diagram, const GArray *values)
{
  for (guint i = 0; i < values->len; i++)
    if (heddle_diagram_count_readers (diagram, heddle_ids_index (values, i)) == 0)
      heddle_diagram_remove (diagram, heddle_ids_index (values, i));
}

/* Names the outputs: a value that nobody reads any more is no output for that. */
static void
name_outputs (HeddleDiagram *diagram)
{
  GArray *outputs;

  if (diagram->explicit_outputs)
    return;
  outputs = heddle_diagram_get_outputs (diagram);
  g_array_unref (diagram->outputs);
  diagram->outputs = outputs;
  diagram->explicit_outputs = TRUE;
}

GArray *
heddle_diagram_hoist_views (HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule)
{
  GArray *views = heddle_ids_new ();
  g_autoptr (GArray) operations = heddle_ids_new (), bases = heddle_ids_new ();

  name_outputs (diagram);
  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (
        operations, ((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i));

      if (!heddle_view_is (diagram, sizes, schedule, operation))
        continue;
      heddle_ids_append (views, operation->id);
      heddle_ids_append (bases, heddle_ids_index (operation->operands, 0));
      hoist (diagram, operation);
    }
  drop_unread (diagram, bases);
  return views;
}
