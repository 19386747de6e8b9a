/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Parses the scalar language of equations into a new reference. @symbol turns a bare name into a leaf;
 * NULL makes each a variable. NULL comes with %HEDDLE_DIAGRAM_ERROR_SYNTAX, whose message begins with the
 * column from 1. */
HeddleExpr *heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error);
/* Returns a table row's own text; aborts when it does not parse. Bare names are variables. */
HeddleExpr *heddle_expr_literal (const char *text);

G_END_DECLS
