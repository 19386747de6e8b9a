/* SPDX-License-Identifier: MIT */
#include "derive/index/window-sum.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
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

/* --- regrouped axes --- */

/* A match under way: axes of the operand from @from on have still to be matched with those of the result from
 * @to on. */
typedef struct
{
  const HeddleSizes *sizes;
  const HeddleValue *base, *result;
  const GPtrArray *indices;
  guint from, to;
  HeddleView view;
} Match;

static gint64
size_of (const Match *self, const HeddleValue *value, guint i)
{
  return heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
}

static const char *
result_axis (const Match *self, guint i)
{
  return i < self->result->axes->len ? heddle_ids_index (self->result->axes, i) : NULL;
}

static gboolean
is_indexed (const Match *self, const char *axis)
{
  for (guint i = 0; i < self->indices->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (self->indices, i), HEDDLE_EXPR_INDEX, axis))
      return TRUE;
  return FALSE;
}

/* Matches an axis of the operand or the result that has one index, and stands in no index of the other. */
static gboolean
match_none (Match *self)
{
  double place;

  if (self->from < self->base->axes->len && is_place (g_ptr_array_index (self->indices, self->from), &place)
      && place == 0 && size_of (self, self->base, self->from) == 1)
    self->from++;
  else if (self->to < self->result->axes->len && size_of (self, self->result, self->to) == 1
           && !is_indexed (self, result_axis (self, self->to)))
    self->to++;
  else
    return FALSE;
  self->view.regrouped = TRUE;
  return TRUE;
}

/* Matches an axis that is read at the index of one as long. */
static gboolean
match_one (Match *self)
{
  const HeddleExpr *index = g_ptr_array_index (self->indices, self->from);

  if (self->to >= self->result->axes->len || heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
      || heddle_expr_get_symbol (index) != result_axis (self, self->to)
      || size_of (self, self->base, self->from) != size_of (self, self->result, self->to))
    return FALSE;
  self->view.regrouped |= heddle_expr_get_symbol (index) != heddle_ids_index (self->base->axes, self->from);
  self->from++;
  self->to++;
  return TRUE;
}

/* Matches an axis that is read at (h k), or at i + 768 if it is the first one that is read at no place. */
static gboolean
match_sum (Match *self)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autoptr (HeddleWindowSum) sum = NULL;
  gint64 n = 1;

  g_ptr_array_add (one, g_ptr_array_index (self->indices, self->from));
  sum = heddle_window_sum_new (one, self->sizes);
  if (sum == NULL || sum->axes->len == 0 || self->to + sum->axes->len > self->result->axes->len)
    return FALSE;
  for (guint i = sum->axes->len; i-- > 0; n *= size_of (self, self->result, self->to + i))
    {
      int at = heddle_ids_find (sum->axes, result_axis (self, self->to + i));

      if (at < 0 || g_array_index (sum->factors, gint64, at) != n)
        return FALSE;
    }
  if (self->from == self->view.places)
    {
      self->view.first = sum->offset;
      self->view.cut = n < size_of (self, self->base, self->from);
    }
  else if (sum->offset != 0)
    return FALSE;
  if (sum->offset < 0 || (n < size_of (self, self->base, self->from) && self->from > self->view.places)
      || sum->offset + n > size_of (self, self->base, self->from))
    return FALSE;
  self->view.regrouped = TRUE;
  self->from++;
  self->to += sum->axes->len;
  return TRUE;
}

/* Returns whether the expression is the index of the result's axis at hand and a number, joined by @kind, and
 * that number. */
static gboolean
is_part (const Match *self, const HeddleExpr *expr, HeddleExprKind kind, double *n)
{
  const HeddleExpr *a, *b;

  if (heddle_expr_get_kind (expr) != kind)
    return FALSE;
  a = heddle_expr_get_child (expr, 0);
  b = heddle_expr_get_child (expr, 1);
  return heddle_expr_get_kind (a) == HEDDLE_EXPR_INDEX
         && heddle_expr_get_symbol (a) == result_axis (self, self->to)
         && !heddle_expr_uses (b, HEDDLE_EXPR_INDEX, NULL)
         && heddle_expr_evaluate (b, heddle_sizes_lookup, (gpointer) self->sizes, n, NULL);
}

/* Matches two axes that are read at floor (i / n) and mod (i, n), n as many as the second one has. */
static gboolean
match_two (Match *self)
{
  const HeddleExpr *outer = g_ptr_array_index (self->indices, self->from), *inner;
  double n, again;

  if (self->from + 1 >= self->base->axes->len || heddle_expr_get_kind (outer) != HEDDLE_EXPR_FLOOR
      || self->to >= self->result->axes->len)
    return FALSE;
  inner = g_ptr_array_index (self->indices, self->from + 1);
  if (!is_part (self, heddle_expr_get_child (outer, 0), HEDDLE_EXPR_DIV, &n)
      || !is_part (self, inner, HEDDLE_EXPR_MOD, &again) || n != again
      || n != (double) size_of (self, self->base, self->from + 1)
      || size_of (self, self->base, self->from) * size_of (self, self->base, self->from + 1)
             != size_of (self, self->result, self->to))
    return FALSE;
  self->view.regrouped = TRUE;
  self->from += 2;
  self->to++;
  return TRUE;
}

gboolean
heddle_view_find (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation,
    HeddleView *view)
{
  Match self = { .sizes = sizes, .indices = operation->indices };
  double place;

  if (operation->kind->form != HEDDLE_FORM_REINDEX || operation->operands->len != 1)
    return FALSE;
  self.base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  self.result = heddle_diagram_get_value (diagram, operation->result);
  for (; self.from < self.base->axes->len && is_place (g_ptr_array_index (self.indices, self.from), &place);
       self.from++)
    if (!(place >= 0 && place < (double) size_of (&self, self.base, self.from)
            && place == (double) (gint64) place))
      return FALSE;
  self.view.places = self.from;
  while (
      match_none (&self)
      || (self.from < self.base->axes->len && (match_one (&self) || match_sum (&self) || match_two (&self))))
    ;
  *view = self.view;
  return self.from == self.base->axes->len && self.to == self.result->axes->len
         && (view->places > 0 || view->regrouped);
}

/* Returns whether the value is a parameter, or lies in one. */
static gboolean
is_given (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule,
    const HeddleValue *value)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (diagram, value->id);

  return value->role == HEDDLE_ROLE_PARAMETER
         || (maker != NULL && heddle_view_is (diagram, sizes, schedule, maker));
}

gboolean
heddle_view_is (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule,
    const HeddleOperation *operation)
{
  const HeddleValue *base, *result;
  HeddleView view;

  if (operation->kind->form != HEDDLE_FORM_REINDEX || operation->operands->len != 1)
    return FALSE;
  base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  result = heddle_diagram_get_value (diagram, operation->result);
  return is_given (diagram, sizes, schedule, base) && !heddle_diagram_is_output (diagram, result->id)
         && (result->dtype == HEDDLE_DTYPE_UNSET || result->dtype == base->dtype)
         && (schedule == NULL || heddle_schedule_region_of (schedule, operation->id) == NULL)
         && heddle_view_find (diagram, sizes, operation, &view);
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
