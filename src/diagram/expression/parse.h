/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

HeddleExpr *heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error);
/* A table row's own text; aborts when it does not parse. Bare names are variables. */
HeddleExpr *heddle_expr_literal (const char *text);

G_END_DECLS
