/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Parses the scalar language of equations into a new reference: numbers, `inf`, names, operators and
 * functions, comparisons with `and`, `or` and `not`, `$0` for the value of operand 0, `size(q)` and
 * `index(q)`, and factors side by side. A minus before a number is part of the number. @symbol turns a bare
 * name into a leaf, or returns NULL where it knows none; without it each name is a variable. NULL comes
 * with %HEDDLE_DIAGRAM_ERROR_SYNTAX, whose message begins with the column (in characters, from 1) and ": ".
 * */
HeddleExpr *heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error);
/* Returns a table row's own text; aborts when it does not parse. Bare names are variables. */
HeddleExpr *heddle_expr_literal (const char *text);
