/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

gboolean heddle_expr_equal (const HeddleExpr *a, const HeddleExpr *b);
guint heddle_expr_hash (const HeddleExpr *self);
gboolean heddle_expr_walk (const HeddleExpr *self, HeddleExprVisit visit, gpointer data);
gboolean heddle_expr_uses (
    const HeddleExpr *self, HeddleExprKind kind, const char *symbol); /* NULL: any symbol */
gboolean heddle_expr_uses_argument (const HeddleExpr *self, guint operand);
guint heddle_expr_count (const HeddleExpr *self, HeddleExprKind kind);
HeddleExpr *heddle_expr_substitute (HeddleExpr *self, HeddleExprReplace replace, gpointer data);

G_END_DECLS
