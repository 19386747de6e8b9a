/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/verify/reads.h"
#include "derive/index/range.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* This file finds sizes at which reads go no farther outside than at those of the plan. A window may stand
 * wholly beyond the end: its maximum is then minus infinity, and what is made of that is NaN. */

gboolean
heddle_verify_is_constant (const HeddlePlan *plan, const char *axis)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (heddle_ids_contain (text->fixed_axes, axis))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether the axis must keep its size: for itself, or to be as long as another one. */
static gboolean
is_bound (const HeddlePlan *plan, const HeddleAxis *axis)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (heddle_ids_contain (text->equal_axes, axis->id))
        return TRUE;
    }
  return heddle_verify_is_constant (plan, axis->id) || heddle_axis_depends (axis);
}

static HeddleSizes *
with_size (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleAxis *changed, gint64 size)
{
  g_autoptr (GHashTable) overrides = heddle_sizes_get_overrides (sizes, diagram);

  g_hash_table_insert (overrides, changed->name, g_memdup2 (&size, sizeof size));
  return heddle_sizes_new (diagram, overrides, NULL);
}

/* Returns how far beyond the end of the operand's axis @i the read goes at those sizes, in elements; 0 if it
 * does not, or it is not known. */
static double
beyond (const HeddleDiagram *diagram, const HeddleOperation *read, guint i, const HeddleSizes *sizes)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (read->operands, 0));
  double last = heddle_index_last (sizes, read, i);
  double over = last + 1. - (double) heddle_sizes_get (sizes, heddle_ids_index (operand->axes, i));

  return isfinite (over) ? MAX (over, 0.) : 0.;
}

/* Returns the sizes in which axis @i of what the operation reads is as long as the read needs it, in
 * multiples of @multiple and at most as long as in the plan; NULL if it must stay. */
static HeddleSizes *
lengthen (
    const HeddlePlan *plan, const HeddleOperation *read, guint i, const HeddleSizes *sizes, gint64 multiple)
{
  const HeddleDiagram *diagram = plan->diagram;
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (read->operands, 0));
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, heddle_ids_index (operand->axes, i));
  double more = beyond (diagram, read, i, sizes) - beyond (diagram, read, i, plan->sizes);
  gint64 size = heddle_sizes_get (sizes, axis->id), most = heddle_sizes_get (plan->sizes, axis->id), longer;

  if (more <= 0. || is_bound (plan, axis))
    return NULL;
  longer = MIN ((size + (gint64) more + multiple - 1) / multiple * multiple, most);
  return longer > size ? with_size (diagram, sizes, axis, longer) : NULL;
}

/* Lengthens what reads need. Returns %FALSE if there is nothing to lengthen. */
static gboolean
lengthen_all (const HeddlePlan *plan, HeddleSizes **sizes, gint64 multiple)
{
  gboolean changed = FALSE;

  for (guint k = plan->diagram->operations->len; k-- > 0;)
    {
      const HeddleOperation *read = g_ptr_array_index (plan->diagram->operations, k);

      for (guint i = 0; read->kind->form == HEDDLE_FORM_REINDEX && i < read->indices->len; i++)
        {
          HeddleSizes *longer = lengthen (plan, read, i, *sizes, multiple);

          if (longer == NULL)
            continue;
          heddle_sizes_unref (*sizes);
          *sizes = longer;
          changed = TRUE;
        }
    }
  return changed;
}

/* Lengthens axes until no read goes outside. An axis that became longer for one read may take another one
 * farther. Sizes only grow, and not beyond the plan's, so this ends. */
HeddleSizes *
heddle_verify_reach_inside (const HeddlePlan *plan, const HeddleSizes *small, gint64 multiple)
{
  HeddleSizes *sizes = heddle_sizes_ref ((HeddleSizes *) small);

  while (lengthen_all (plan, &sizes, multiple))
    ;
  return sizes;
}

/* Returns whether @value depends on an input or a parameter. @seen holds the values that were visited. */
static gboolean
is_made_of_given (const HeddleDiagram *diagram, const char *value, GHashTable *seen)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);

  if (producer == NULL)
    return TRUE;
  if (!g_hash_table_add (seen, (gpointer) value))
    return FALSE;
  for (guint i = 0; i < producer->operands->len; i++)
    if (is_made_of_given (diagram, heddle_ids_index (producer->operands, i), seen))
      return TRUE;
  return FALSE;
}

/* Returns whether the index of axis @i of what is read is a number of an array that no input changes. */
static gboolean
is_index_of_places (const HeddleDiagram *diagram, const HeddleOperation *read, guint i)
{
  const HeddleExpr *index = g_ptr_array_index (read->indices, i);
  gboolean some = FALSE;

  for (guint k = 1; k < read->operands->len; k++)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
      const char *operand = heddle_ids_index (read->operands, k);

      if (!heddle_expr_uses_argument (index, k))
        continue;
      if (is_made_of_given (diagram, operand, seen))
        return FALSE;
      some = TRUE;
    }
  return some;
}

gboolean
heddle_verify_is_read_by_places (const HeddleDiagram *diagram, const char *axis)
{
  for (guint k = 0; k < diagram->operations->len; k++)
    {
      const HeddleOperation *read = g_ptr_array_index (diagram->operations, k);
      const HeddleValue *base;

      if (read->kind->form != HEDDLE_FORM_REINDEX || read->operands->len < 2)
        continue;
      base = heddle_diagram_get_value (diagram, heddle_ids_index (read->operands, 0));
      for (guint i = 0; i < read->indices->len; i++)
        if (heddle_ids_index (base->axes, i) == axis && is_index_of_places (diagram, read, i))
          return TRUE;
    }
  return FALSE;
}
