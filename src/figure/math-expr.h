/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/figure.h"

G_BEGIN_DECLS

char *heddle_math_from_body (
    const HeddleExpr *expr, const HeddleDiagram *diagram, const char *const *arguments, guint n_arguments);

G_END_DECLS
