/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Returns room for one run, or NULL if there is no memory for it. */
double *heddle_expr_program_new_room (const HeddleExprProgram *self);
/* Computes the values at @n points. @slots holds for each slot its values at them. The result lies in @room
 * or is a slot's. */
const double *heddle_expr_program_run_batch (
    const HeddleExprProgram *self, const double *const *slots, guint n, double *room);
