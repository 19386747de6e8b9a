/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/error.h"
#include "diagram/expression/apply-private.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/print.h"
#include "diagram/expression/program-private.h"
#include "diagram/expression/tree.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include "diagram/expression/private.h"

/* --- the meaning of each kind --------------------------------------------------------- */

double
heddle_expr_apply (HeddleExprKind kind, const double *arguments)
{
  guint arity;
  double a, b, c;

  g_return_val_if_fail (kind < HEDDLE_N_EXPR_KINDS && heddle_expr_kind_info (kind)->arity > 0, NAN);

  arity = heddle_expr_kind_info (kind)->arity;
  a = arguments[0];
  b = arity > 1 ? arguments[1] : 0.;
  c = arity > 2 ? arguments[2] : 0.;
  switch (kind)
    {
#define MEANING(name, value)                                                                                 \
  case HEDDLE_EXPR_##name:                                                                                   \
    return value;
      HEDDLE_EXPR_MEANINGS (MEANING)
#undef MEANING
    case HEDDLE_EXPR_NUMBER:
    case HEDDLE_EXPR_ARGUMENT:
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_VARIABLE:
      break;
    }
  g_assert_not_reached ();
}

gboolean
heddle_expr_evaluate (
    const HeddleExpr *self, HeddleExprLookup lookup, gpointer data, double *value, GError **error)
{
  double arguments[3];

  g_return_val_if_fail (self != NULL && value != NULL, FALSE);

  if (self->kind == HEDDLE_EXPR_NUMBER)
    {
      *value = self->number;
      return TRUE;
    }
  if (self->n_children == 0)
    {
      g_autofree char *name = NULL;

      if (lookup != NULL && lookup (self, value, data))
        return TRUE;
      name = heddle_expr_to_string (self, NULL, NULL);
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, _ ("unknown symbol “%s”"), name);
      return FALSE;
    }
  for (guint i = 0; i < self->n_children; i++)
    if (!heddle_expr_evaluate (self->children[i], lookup, data, &arguments[i], error))
      return FALSE;
  *value = heddle_expr_apply (self->kind, arguments);
  return TRUE;
}

/* --- programs ------------------------------------------------------------------------ */

/* Values that fit here need no allocation at each run. */
#define SMALL_STACK 32

static guint
find_slot (HeddleExprProgram *self, HeddleExpr *leaf)
{
  for (guint i = 0; i < self->slots->len; i++)
    if (heddle_expr_equal (g_ptr_array_index (self->slots, i), leaf))
      return i;
  g_ptr_array_add (self->slots, heddle_expr_ref (leaf));
  return self->slots->len - 1;
}

/* Takes back the last @n steps if all of them push numbers, and puts those into @numbers. Returns FALSE if
 * they do not. */
static gboolean
take_numbers (HeddleExprProgram *self, guint n, double *numbers)
{
  guint first;

  if (n == 0 || n > self->code->len)
    return FALSE;
  first = self->code->len - n;
  for (guint i = 0; i < n; i++)
    {
      const HeddleExprStep *step = &g_array_index (self->code, HeddleExprStep, first + i);

      if (step->what != HEDDLE_EXPR_STEP_NUMBER)
        return FALSE;
      numbers[i] = step->number;
    }
  g_array_set_size (self->code, first);
  return TRUE;
}

/* Appends the code of @node, before which @depth values lie on the stack. What is made of numbers alone is a
 * number. */
static void
emit (HeddleExprProgram *self, HeddleExpr *node, guint depth)
{
  HeddleExprStep step = { .what = HEDDLE_EXPR_STEP_NUMBER, .kind = node->kind, .arity = node->n_children };
  double numbers[3];

  for (guint i = 0; i < node->n_children; i++)
    emit (self, node->children[i], depth + i);
  if (node->kind == HEDDLE_EXPR_NUMBER)
    step.number = node->number;
  else if (node->n_children == 0)
    {
      step.what = HEDDLE_EXPR_STEP_SLOT;
      step.slot = find_slot (self, node);
    }
  else if (take_numbers (self, node->n_children, numbers))
    step.number = heddle_expr_apply (node->kind, numbers);
  else
    step.what = HEDDLE_EXPR_STEP_APPLY;
  g_array_append_val (self->code, step);
  self->stack_size = MAX (self->stack_size, depth + 1);
}

HeddleExprProgram *
heddle_expr_compile (const HeddleExpr *self)
{
  HeddleExprProgram *program;

  g_return_val_if_fail (self != NULL, NULL);

  program = g_new0 (HeddleExprProgram, 1);
  program->code = g_array_new (FALSE, FALSE, sizeof (HeddleExprStep));
  program->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  emit (program, (HeddleExpr *) self, 0);
  return program;
}

void
heddle_expr_program_free (HeddleExprProgram *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->code);
  g_ptr_array_unref (self->slots);
  g_free (self);
}

guint
heddle_expr_program_get_n_slots (const HeddleExprProgram *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->slots->len;
}

const HeddleExpr *
heddle_expr_program_get_slot (const HeddleExprProgram *self, guint slot)
{
  g_return_val_if_fail (self != NULL && slot < self->slots->len, NULL);

  return g_ptr_array_index (self->slots, slot);
}

static double
run_on_stack (const HeddleExprProgram *self, const double *slots, double *stack)
{
  const HeddleExprStep *end = &g_array_index (self->code, HeddleExprStep, self->code->len);
  double *top = stack; /* the next free place */

  for (const HeddleExprStep *step = &g_array_index (self->code, HeddleExprStep, 0); step < end; step++)
    switch (step->what)
      {
      case HEDDLE_EXPR_STEP_NUMBER:
        *top++ = step->number;
        break;
      case HEDDLE_EXPR_STEP_SLOT:
        *top++ = slots[step->slot];
        break;
      case HEDDLE_EXPR_STEP_APPLY:
        top -= step->arity;
        *top = heddle_expr_apply (step->kind, top);
        top++;
        break;
      }
  return stack[0];
}

double
heddle_expr_program_run (const HeddleExprProgram *self, const double *slots)
{
  double small[SMALL_STACK];
  g_autofree double *large = NULL;

  g_return_val_if_fail (self != NULL, NAN);

  if (self->stack_size <= SMALL_STACK)
    return run_on_stack (self, slots, small);
  large = g_new (double, self->stack_size);
  return run_on_stack (self, slots, large);
}
