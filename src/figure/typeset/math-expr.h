/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/page/figure.h"

G_BEGIN_DECLS

char *heddle_math_from_part (const HeddleExpr *expr, const HeddleExpr *whole, const HeddleDiagram *diagram,
    const char *const *arguments, guint n_arguments);

G_END_DECLS
