/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Applies @kind to children already evaluated: this is the single definition of every function's meaning.
 * Predicates give 0 or 1 and take anything but 0 as true; `gelu` is x Phi (x) with the error function
 * (Hendrycks & Gimpel, arXiv 1606.08415), not its tanh approximation; `min` and `max` pass NaN on; `mod`
 * has the sign of the divisor. */
double heddle_expr_apply (HeddleExprKind kind, const double *arguments);
/* Evaluates the expression in IEEE double. @lookup may be %NULL for a constant. Fails with
 * %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, which names the leaf. Never traps: 1/0 is inf, 0/0 NaN. Predicates
 * give 0 or 1. */
gboolean heddle_expr_evaluate (
    const HeddleExpr *self, HeddleExprLookup lookup, gpointer data, double *value, GError **error);
/* Compiles an expression for many evaluations: each different leaf becomes a slot. The caller owns the
 * program. */
HeddleExprProgram *heddle_expr_compile (const HeddleExpr *self);
/* Frees the program. */
void heddle_expr_program_free (HeddleExprProgram *self);
/* Returns how many values heddle_expr_program_run() reads. */
guint heddle_expr_program_get_n_slots (const HeddleExprProgram *self);
/* Returns the leaf that a slot stands for; the program owns it. */
const HeddleExpr *heddle_expr_program_get_slot (const HeddleExprProgram *self, guint slot);
/* Runs the program on @slots, which has n_slots values. It is thread-safe: the program is not changed. */
double heddle_expr_program_run (const HeddleExprProgram *self, const double *slots);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleExprProgram, heddle_expr_program_free)
