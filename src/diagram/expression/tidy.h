/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* The same without zeros, ones and choices that are made; for expressions of values, kept as they are written. */
HeddleExpr *heddle_expr_tidy (HeddleExpr *self);
/* Whether it is 0 wherever argument @operand is and the others are finite, as far as tidying shows. */
gboolean heddle_expr_vanishes_with (const HeddleExpr *self, guint operand);

G_END_DECLS
