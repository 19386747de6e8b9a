/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Returns the table row of a kind, which is static. */
const HeddleExprKindInfo *heddle_expr_kind_info (HeddleExprKind kind);
/* Finds the kind of the function called @name in equations with @arity arguments. Returns FALSE if there is
 * none. */
gboolean heddle_expr_kind_from_function (const char *name, guint arity, HeddleExprKind *kind);
