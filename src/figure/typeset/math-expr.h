/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

char *heddle_math_from_part (const HeddleExpr *expr, const HeddleExpr *whole, const HeddleDiagram *diagram,
    const char *const *arguments, guint n_arguments);

/* An expression as such a source: `k^{-1/2}`, `\\sqrt{…}` as a power; axis sizes by axis name. Newly allocated. */
char *heddle_math_from_expr (const HeddleExpr *expr, const HeddleDiagram *diagram);

G_END_DECLS
