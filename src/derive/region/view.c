/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

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
