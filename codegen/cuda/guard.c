/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/guard.h"
#include "codegen/cuda/text.h"
#include "derive/program/guard.h"
#include "diagram/expression/print.h"

static gboolean
has_band (const HeddleCudaKernel *self, const char *axis)
{
  return heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL
         || heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_STREAM) != NULL;
}

/* Returns the first or last index of a tile or chunk, or of a whole axis. */
static char *
bound_text (const HeddleExpr *leaf, gpointer data)
{
  HeddleCudaKernel *self = data;
  const char *of_last = heddle_guard_axis_of_last (leaf), *axis = of_last;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_NUMBER)
    return NULL;
  if (axis == NULL)
    axis = heddle_expr_get_symbol (leaf);
  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE)
    return g_strdup (heddle_names_axis (self->names, axis));
  if (!has_band (self, axis))
    return of_last == NULL ? g_strdup ("0")
                           : g_strdup_printf ("(%s - 1)", heddle_names_axis (self->names, axis));
  if (of_last == NULL)
    return g_strdup (heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN));
  return g_strdup_printf ("(%s + %s - 1)", heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN),
      heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT));
}

/* Returns the guard without "not", which binds differently in C++: negation moves down to the comparisons. */
static HeddleExpr *
without_not (const HeddleExpr *guard, gboolean negated)
{
  static const HeddleExprKind opposite[HEDDLE_N_EXPR_KINDS] = { [HEDDLE_EXPR_LT] = HEDDLE_EXPR_GE,
    [HEDDLE_EXPR_LE] = HEDDLE_EXPR_GT,
    [HEDDLE_EXPR_AND] = HEDDLE_EXPR_OR,
    [HEDDLE_EXPR_OR] = HEDDLE_EXPR_AND };
  HeddleExprKind kind = heddle_expr_get_kind (guard);
  gboolean joins = kind == HEDDLE_EXPR_AND || kind == HEDDLE_EXPR_OR;
  HeddleExpr *children[2];

  if (kind == HEDDLE_EXPR_NOT)
    return without_not (heddle_expr_get_child (guard, 0), !negated);
  g_assert (joins || kind == HEDDLE_EXPR_LT || kind == HEDDLE_EXPR_LE);
  for (guint i = 0; i < 2; i++)
    children[i] = joins ? without_not (heddle_expr_get_child (guard, i), negated)
                        : heddle_expr_ref (heddle_expr_get_child (guard, i));
  return heddle_expr_binary (negated ? opposite[kind] : kind, children[0], children[1]);
}

/* Returns the text of a guard, which consists of whole numbers, compared and joined as in C++. */
char *
heddle_cuda_guard_text (HeddleCudaKernel *self, const HeddleExpr *guard)
{
  g_autoptr (HeddleExpr) plain = without_not (guard, FALSE);

  return heddle_expr_to_string (plain, bound_text, self);
}

/* Prints the guard of a band: either all threads of a block skip a step or none does. */
void
heddle_cuda_guard (HeddleCudaKernel *self, const HeddleNode *band)
{
  g_autofree char *text = NULL;

  if (band->guard == NULL)
    return;
  text = heddle_cuda_guard_text (self, band->guard);
  heddle_cuda_line (self, "if (!(%s))", text);
  heddle_cuda_line (self, "  continue;");
}
