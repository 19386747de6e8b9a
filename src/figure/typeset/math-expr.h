/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Scalar expressions become sources of labels, for heddle_math_layout (). */

/* Returns a part of @whole as a label's source, newly allocated, with a source for each of its arguments; an entry
 * that is NULL or missing is set as a dot. */
char *heddle_math_from_part (const HeddleExpr *expr, const HeddleExpr *whole, const HeddleDiagram *diagram,
    const char *const *arguments, guint n_arguments);

/* Returns an expression as a label's source: roots as powers (`k^{-1/2}`), exponents as small fractions,
 * `\cdot` for an argument, sizes by the axis' name, with bars about them where the index of the axis is
 * meant too. @diagram, which may be NULL, gives axes their names. Newly allocated. */
char *heddle_math_from_expr (const HeddleExpr *expr, const HeddleDiagram *diagram);
