/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Returns whether two expressions are the same tree. Numbers are compared bit by bit: 0 and -0 differ. */
gboolean heddle_expr_equal (const HeddleExpr *a, const HeddleExpr *b);
/* Returns a hash that equal expressions share, the same in every run. */
guint heddle_expr_hash (const HeddleExpr *self);
/* Calls @visit on every node, parents first. FALSE means that @visit stopped the walk. */
gboolean heddle_expr_walk (const HeddleExpr *self, HeddleExprVisit visit, gpointer data);
/* Returns whether a node of @kind with that symbol (an axis id or a name; NULL: any) occurs in @self. */
gboolean heddle_expr_uses (const HeddleExpr *self, HeddleExprKind kind, const char *symbol);
/* Returns whether operand number @operand is read anywhere in the tree. */
gboolean heddle_expr_uses_argument (const HeddleExpr *self, guint operand);
/* Returns how many nodes of that kind the tree has. */
guint heddle_expr_count (const HeddleExpr *self, HeddleExprKind kind);
/* Returns a new reference to @self with each leaf for which @replace gives an expression (taken) replaced;
 * unchanged parts are shared. */
HeddleExpr *heddle_expr_substitute (HeddleExpr *self, HeddleExprReplace replace, gpointer data);
