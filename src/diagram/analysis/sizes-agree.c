/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes-agree.h"
#include "diagram/analysis/sizes-infer.h"
#include "diagram/analysis/sizes-private.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

void
heddle_sizes_visit_renames (const HeddleDiagram *diagram, HeddleSizesRename visit, gpointer data)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (operation->indices == NULL || operation->operands->len == 0)
        continue;
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
      guint n = operand != NULL ? MIN (operation->indices->len, operand->axes->len) : 0;
      for (guint j = 0; j < n; j++)
        {
          const HeddleExpr *index = g_ptr_array_index (operation->indices, j);
          if (index == NULL || heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
            continue;
          const HeddleAxis *read = heddle_diagram_get_axis (diagram, heddle_ids_index (operand->axes, j));
          const HeddleAxis *as = heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (index));
          if (read != NULL && as != NULL && read != as)
            visit (operation, read, as, data);
        }
    }
}

/* What a comparison of renamed axes works with. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleSizesReport report;
  gpointer data;
} Comparison;

/* "x of K": an array that has the axis, its own input first. */
static char *
origin_of (const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  const HeddleValue *origin = NULL;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (!heddle_ids_contain (value->axes, axis->id)
          || (origin != NULL && value->role == HEDDLE_ROLE_INTERMEDIATE))
        continue;
      origin = value;
      if (value->role != HEDDLE_ROLE_INTERMEDIATE)
        break;
    }
  const char *name = axis->name != NULL ? axis->name : axis->id;
  if (origin == NULL)
    return g_strdup (name);
  g_autofree char *label = heddle_diagram_value_label (diagram, origin->id);
  return g_strdup_printf (_ ("%s of %s"), name, label);
}

static void
compare_renamed (
    const HeddleOperation *operation, const HeddleAxis *read, const HeddleAxis *as, gpointer data)
{
  const Comparison *self = data;
  gint64 a = heddle_sizes_get (self->sizes, read->id), b = heddle_sizes_get (self->sizes, as->id);
  if (a == 0 || b == 0 || a == b)
    return;
  g_autofree char *one = origin_of (self->diagram, as), *other = origin_of (self->diagram, read);
  g_autofree char *message = g_strdup_printf (
      _ ("%s is %" PRId64 " and %s is %" PRId64 ", but one is read as the other"), one, b, other, a);
  self->report (as->id, message, self->data);
}

/* An axis that is made of several is as long as they are together. */
static void
compare_merged (const Comparison *self, const HeddleOperation *operation, const char *axis_id)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));
  g_autoptr (HeddleExpr) size = operand != NULL ? heddle_sizes_of_merge (operand, operation, axis_id) : NULL;
  gint64 found = heddle_sizes_get (self->sizes, axis_id);
  double wanted;
  if (size == NULL || found == 0
      || !heddle_expr_evaluate (size, heddle_sizes_lookup, (gpointer) self->sizes, &wanted, NULL)
      || wanted == (double) found)
    return;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, operand->id);
  g_autofree char *own = origin_of (self->diagram, heddle_diagram_get_axis (self->diagram, axis_id));
  g_autofree char *message
      = g_strdup_printf (_ ("%s is %" PRId64 ", but the axes of %s that it is made of have %.15g places"),
          own, found, label, wanted);
  self->report (axis_id, message, self->data);
}

/* The axis that arrays are joined along is as long as they are; one cannot choose more than there are. */
static void
compare_core (const Comparison *self, const HeddleOperation *operation)
{
  const char *axis_id = heddle_ids_index (operation->axes, operation->axes->len - 1);
  gboolean joins = operation->kind->form == HEDDLE_FORM_CONCAT;
  g_autoptr (HeddleExpr) size = joins ? heddle_sizes_of_concat (self->diagram, operation)
                                      : heddle_expr_size (heddle_ids_index (operation->axes, 0));
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);
  gint64 found = heddle_sizes_get (self->sizes, axis_id);
  double wanted;
  if (size == NULL || axis == NULL || found == 0
      || !heddle_expr_evaluate (size, heddle_sizes_lookup, (gpointer) self->sizes, &wanted, NULL)
      || (joins ? wanted == (double) found : wanted >= (double) found))
    return;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, operation->result);
  g_autofree char *own = origin_of (self->diagram, axis);
  g_autofree char *message
      = joins ? g_strdup_printf (
            _ ("%s is %" PRId64 ", but what %s joins along it has %.15g places"), own, found, label, wanted)
              : g_strdup_printf (
                  _ ("%s is %" PRId64 ", but %s chooses among %.15g"), own, found, label, wanted);
  self->report (axis_id, message, self->data);
}

static void
compare_all_merged (const Comparison *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *result = heddle_diagram_get_value (self->diagram, operation->result);
      if (operation->kind != NULL && operation->axes->len > 0
          && (operation->kind->form == HEDDLE_FORM_CONCAT || operation->kind->form == HEDDLE_FORM_SELECT))
        compare_core (self, operation);
      for (guint j = 0; operation->indices != NULL && operation->operands->len > 0 && result != NULL
                        && j < result->axes->len;
           j++)
        compare_merged (self, operation, heddle_ids_index (result->axes, j));
    }
}

void
heddle_sizes_report_disagreements (
    const HeddleSizes *sizes, const HeddleDiagram *diagram, HeddleSizesReport report, gpointer data)
{
  Comparison comparison = { diagram, sizes, report, data };
  heddle_sizes_visit_renames (diagram, compare_renamed, &comparison);
  compare_all_merged (&comparison);
}
