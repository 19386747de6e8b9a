/* SPDX-License-Identifier: MIT */

/* A program of an expression run at many points: each step is a loop over them. */

#include "diagram/expression/apply-private.h"
#include "diagram/expression/batch.h"
#include "diagram/expression/program-private.h"

double *
heddle_expr_program_new_room (const HeddleExprProgram *self)
{
  gsize pointers = self->stack_size * sizeof (double *);

  return g_try_malloc (self->stack_size * HEDDLE_EXPR_BATCH * sizeof (double) + pointers);
}

#define LOOP(name, value)                                                                                    \
  case HEDDLE_EXPR_##name:                                                                                   \
    for (guint i = 0; i < n; i++)                                                                            \
      {                                                                                                      \
        G_GNUC_UNUSED double a = first[i], b = second[i], c = third[i];                                      \
                                                                                                             \
        out[i] = value;                                                                                      \
      }                                                                                                      \
    break;

/* Applies @kind at all points; @second and @third are @first if the kind has fewer children. */
static void
apply_at_all (
    HeddleExprKind kind, guint n, const double *first, const double *second, const double *third, double *out)
{
  switch (kind)
    {
      HEDDLE_EXPR_MEANINGS (LOOP)
    default:
      g_assert_not_reached ();
    }
}

const double *
heddle_expr_program_run_batch (
    const HeddleExprProgram *self, const double *const *slots, guint n, double *room)
{
  const HeddleExprStep *steps = &g_array_index (self->code, HeddleExprStep, 0);
  const double **stack = (const double **) (room + (gsize) self->stack_size * HEDDLE_EXPR_BATCH);
  guint top = 0; /* the next free place */

  for (guint i = 0; i < self->code->len; i++)
    {
      const HeddleExprStep *step = &steps[i];
      double *out;

      top -= step->what == HEDDLE_EXPR_STEP_APPLY ? step->arity : 0;
      out = room + (gsize) top * HEDDLE_EXPR_BATCH;
      if (step->what == HEDDLE_EXPR_STEP_APPLY)
        apply_at_all (step->kind, n, stack[top], stack[top + (step->arity > 1)],
            stack[top + (step->arity > 2 ? 2 : 0)], out);
      else if (step->what == HEDDLE_EXPR_STEP_NUMBER)
        for (guint j = 0; j < n; j++)
          out[j] = step->number;
      stack[top++] = step->what == HEDDLE_EXPR_STEP_SLOT ? slots[step->slot] : out;
    }
  return stack[0];
}
