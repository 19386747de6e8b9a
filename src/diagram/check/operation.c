/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/form.h"
#include "diagram/check/operation.h"
#include "diagram/check/report.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* The operation that is checked, with what messages about it show. */
typedef struct
{
  HeddleCheck *check;
  const HeddleDiagram *diagram;
  const HeddleOperation *operation;
  const HeddleValue *result;
  char *label; /* of the result */
} Subject;

#define complain(self, remedy, ...)                                                                          \
  heddle_check_report ((self)->check, HEDDLE_SEVERITY_ERROR, (self)->operation->id, remedy, __VA_ARGS__)

static const HeddleValue *
operand (const Subject *self, guint i)
{
  return heddle_diagram_get_value (self->diagram, heddle_ids_index (self->operation->operands, i));
}

/* --- structure ------------------------------------------------------------------- */

static gboolean
check_operands (Subject *self)
{
  const HeddleOperation *operation = self->operation;
  const HeddleOperationKind *kind = operation->kind;
  guint n = operation->operands->len;
  if (n < kind->min_operands || (kind->max_operands > 0 && n > kind->max_operands) || n > HEDDLE_MAX_OPERANDS)
    {
      if (kind->max_operands > 0 && kind->min_operands == kind->max_operands)
        complain (self, NULL, _ ("%s takes %u operands; %s gives it %u"), _ (kind->title), kind->min_operands,
            self->label, n);
      else
        complain (self, NULL, _ ("%s takes %u to %u operands; %s gives it %u"), _ (kind->title),
            kind->min_operands, kind->max_operands > 0 ? kind->max_operands : HEDDLE_MAX_OPERANDS,
            self->label, n);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (operand (self, i) == NULL)
      {
        const char *id = heddle_ids_index (operation->operands, i);
        complain (self, NULL, _ ("%s reads %s, which does not exist"), self->label, id != NULL ? id : "?");
        return FALSE;
      }
    else if (operand (self, i)->axes->len > HEDDLE_MAX_RANK)
      return FALSE; /* it is reported where the value is checked */
  return TRUE;
}

static gboolean
check_core_axes (Subject *self)
{
  const HeddleOperation *operation = self->operation;
  gboolean needs_axes
      = operation->kind->form == HEDDLE_FORM_REDUCE || operation->kind->form == HEDDLE_FORM_NORMALISE;
  if (operation->axes->len > HEDDLE_MAX_RANK || (needs_axes && operation->axes->len == 0))
    {
      complain (self, NULL, _ ("%s of %s needs 1 to %d axes to work along"), _ (operation->kind->title),
          self->label, HEDDLE_MAX_RANK);
      return FALSE;
    }
  for (guint i = 0; i < operation->axes->len; i++)
    {
      const char *id = heddle_ids_index (operation->axes, i);
      if (heddle_diagram_get_axis (self->diagram, id) == NULL)
        complain (self, NULL, _ ("%s works along %s, which is not an axis of the diagram"), self->label,
            id != NULL ? id : "?");
      else if (heddle_ids_find (operation->axes, id) != (int) i)
        complain (
            self, NULL, _ ("%s works along %s twice"), self->label, heddle_axis_name (self->diagram, id));
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

/* --- axes of the result ---------------------------------------------------------- */

static void
expect_axes (Subject *self, const GArray *expected)
{
  if (heddle_ids_same_set (expected, self->result->axes))
    return;
  g_autofree char *wanted = heddle_axes_to_string (self->diagram, expected);
  g_autofree char *found = heddle_axes_to_string (self->diagram, self->result->axes);
  complain (self, g_strdup_printf (_ ("give %s the axes %s"), self->label, wanted),
      _ ("%s has the axes %s, but its %s makes %s"), self->label, found, _ (self->operation->kind->title),
      wanted);
}

/* Returns all axes of all operands from @first on, each once. */
static GArray *
union_of_axes (const Subject *self, guint first)
{
  GArray *axes = heddle_ids_new ();
  for (guint i = first; i < self->operation->operands->len; i++)
    for (guint j = 0; j < operand (self, i)->axes->len; j++)
      {
        const char *id = heddle_ids_index (operand (self, i)->axes, j);
        if (!heddle_ids_contain (axes, id))
          heddle_ids_append (axes, id);
      }
  return axes;
}

static gboolean
core_axes_are_there (Subject *self, const GArray *axes)
{
  gboolean all = TRUE;
  for (guint i = 0; i < self->operation->axes->len; i++)
    {
      const char *id = heddle_ids_index (self->operation->axes, i);
      if (heddle_ids_contain (axes, id))
        continue;
      g_autofree char *found = heddle_axes_to_string (self->diagram, axes);
      all = FALSE;
      complain (self, g_strdup_printf (_ ("choose one of its axes: %s"), found),
          _ ("%s of %s works along %s, but what it reads has %s"), _ (self->operation->kind->title),
          self->label, heddle_axis_name (self->diagram, id), found);
    }
  return all;
}

static void
check_core (Subject *self)
{
  g_autoptr (GArray) axes = union_of_axes (self, 0);
  if (!core_axes_are_there (self, axes))
    return;
  if (self->operation->kind->form != HEDDLE_FORM_NORMALISE)
    heddle_ids_remove_all (axes, self->operation->axes);
  expect_axes (self, axes);
}

/* --- expressions ----------------------------------------------------------------- */

typedef struct
{
  Subject *subject;
  guint first_argument; /* arguments before it must not be used */
} Leaves;

static gboolean
check_leaf (const HeddleExpr *node, gpointer data)
{
  Leaves *leaves = data;
  Subject *self = leaves->subject;
  HeddleExprKind kind = heddle_expr_get_kind (node);
  const char *symbol = kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX || kind == HEDDLE_EXPR_VARIABLE
                           ? heddle_expr_get_symbol (node)
                           : NULL;
  if (kind == HEDDLE_EXPR_VARIABLE)
    complain (self, NULL, _ ("%s uses %s, which is not known"), self->label, symbol);
  else if (kind == HEDDLE_EXPR_SIZE && heddle_diagram_get_axis (self->diagram, symbol) == NULL)
    complain (
        self, NULL, _ ("%s uses the size of %s, which is not an axis of the diagram"), self->label, symbol);
  else if (kind == HEDDLE_EXPR_INDEX && !heddle_ids_contain (self->result->axes, symbol))
    complain (self, NULL, _ ("%s uses the index of %s, which is not one of its axes"), self->label,
        heddle_axis_name (self->diagram, symbol));
  else if (kind == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (node) < leaves->first_argument)
    complain (self, NULL, _ ("%s uses what it reads as an index of the same read"), self->label);
  else if (kind == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (node) >= self->operation->operands->len)
    complain (self, NULL, _ ("%s uses operand $%u but has %u"), self->label, heddle_expr_get_operand (node),
        self->operation->operands->len);
  return TRUE;
}

static void
check_no_core (Subject *self)
{
  if (self->operation->axes->len > 0)
    complain (
        self, NULL, _ ("%s is a %s: it works along no axis"), self->label, _ (self->operation->kind->title));
}

/* Checks that the axes of the operands from @first on are among the result's. */
static void
check_broadcast (Subject *self, guint first)
{
  g_autoptr (GArray) axes = union_of_axes (self, first);
  for (guint i = 0; i < axes->len; i++)
    {
      const char *name = heddle_axis_name (self->diagram, heddle_ids_index (axes, i));
      if (!heddle_ids_contain (self->result->axes, heddle_ids_index (axes, i)))
        complain (self,
            g_strdup_printf (_ ("give %s the axis %s, or reduce over it first"), self->label, name),
            _ ("%s reads something along %s but is not along %s itself"), self->label, name, name);
    }
}

static void
check_map (Subject *self)
{
  Leaves leaves = { self, 0 };
  check_no_core (self);
  if (self->operation->body == NULL)
    complain (self, NULL, _ ("%s has no function"), self->label);
  else
    heddle_expr_walk (self->operation->body, check_leaf, &leaves);
  check_broadcast (self, 0);
}

/* Checks that what is read as an index holds whole numbers. */
static void
check_whole (Subject *self)
{
  for (guint i = 1; i < self->operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (self->operation->operands, i);
      if (!heddle_dtype_is_real (heddle_diagram_dtype (self->diagram, id, HEDDLE_DTYPE_F32)))
        continue;
      g_autofree char *label = heddle_diagram_value_label (self->diagram, id);
      complain (self, g_strdup_printf (_ ("declare %s as i64 or i32"), label),
          _ ("%s reads at the values of %s, which are not whole numbers"), self->label, label);
    }
}

static void
check_reindex (Subject *self)
{
  Leaves leaves = { self, 1 };
  const GPtrArray *indices = self->operation->indices;
  guint n = indices != NULL ? indices->len : 0;
  check_no_core (self);
  if (n != operand (self, 0)->axes->len)
    complain (self, NULL, _ ("%s reads something of %u axes with %u indices"), self->label,
        operand (self, 0)->axes->len, n);
  for (guint i = 0; i < n; i++)
    if (g_ptr_array_index (indices, i) == NULL)
      complain (self, NULL, _ ("%s lacks an index"), self->label);
    else
      heddle_expr_walk (g_ptr_array_index (indices, i), check_leaf, &leaves);
  check_broadcast (self, 1);
  check_whole (self);
}

static void
check_options (Subject *self)
{
  const HeddleOperationKind *kind = self->operation->kind;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && kind->options[i].name != NULL; i++)
    if (!isfinite (self->operation->options[i]))
      complain (self, NULL, _ ("%s of %s is not a number"), kind->options[i].name, self->label);
}

/* Checks that each value that the operation makes exists and is made by it alone. */
static gboolean
check_results (Subject *self)
{
  for (guint i = 0; i < heddle_operation_n_results (self->operation); i++)
    {
      const char *id = heddle_operation_get_result (self->operation, i);
      g_autofree char *label = heddle_diagram_value_label (self->diagram, id);
      if (heddle_diagram_get_value (self->diagram, id) == NULL)
        complain (self, NULL, _ ("%s makes a value that does not exist"), _ (self->operation->kind->title));
      else if (heddle_diagram_get_producer (self->diagram, id) != self->operation
               || (i > 0 && id == self->operation->result)
               || (i > 1 && heddle_ids_find (self->operation->more_results, id) < (int) i - 1))
        complain (self, NULL, _ ("%s is made twice"), label);
      else
        continue;
      return FALSE;
    }
  if (self->operation->more_results == NULL || self->operation->kind->form == HEDDLE_FORM_CALL)
    return TRUE;
  complain (self, NULL, _ ("%s makes one value, and not several"), _ (self->operation->kind->title));
  return FALSE;
}

/* Checks what can be checked of a call without the diagram that it calls; the rest is in call.c. */
static void
check_call (Subject *self)
{
  Leaves leaves = { self, HEDDLE_MAX_OPERANDS };
  if (self->operation->axes->len > 1)
    complain (self, NULL, _ ("%s is scanned along %u axes: expected one at most"), self->label,
        self->operation->axes->len);
  if (self->operation->callee == NULL)
    complain (self, NULL, _ ("%s calls nothing"), self->label);
  for (guint i = 0; self->operation->sizes != NULL && i < self->operation->sizes->len; i++)
    if (g_ptr_array_index (self->operation->sizes, i) == NULL)
      complain (self, NULL, _ ("%s lacks a size"), self->label);
    else
      heddle_expr_walk (g_ptr_array_index (self->operation->sizes, i), check_leaf, &leaves);
  if (self->operation->repeat != NULL)
    heddle_expr_walk (self->operation->repeat, check_leaf, &leaves);
}

void
heddle_check_operation (HeddleCheck *check, const HeddleOperation *operation)
{
  g_autofree char *label = heddle_diagram_value_label (check->diagram, operation->result);
  Subject self = { check, check->diagram, operation,
    heddle_diagram_get_value (check->diagram, operation->result), label };
  if (operation->kind == NULL)
    complain (&self, NULL, _ ("%s is made by an operation of no known kind"), label);
  else if (check_results (&self) && check_operands (&self) && check_core_axes (&self)
           && self.result->axes->len <= HEDDLE_MAX_RANK)
    {
      check_options (&self);
      if (operation->kind->form == HEDDLE_FORM_MAP)
        check_map (&self);
      else if (operation->kind->form == HEDDLE_FORM_REINDEX)
        check_reindex (&self);
      else if (operation->kind->form == HEDDLE_FORM_CALL)
        check_call (&self);
      else if (operation->kind->form == HEDDLE_FORM_CONCAT || operation->kind->form == HEDDLE_FORM_SCAN
               || operation->kind->form == HEDDLE_FORM_SELECT)
        heddle_check_form (check, operation, self.result, label);
      else
        check_core (&self);
    }
}
