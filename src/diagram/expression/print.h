/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Prints in the syntax of the equations with the fewest parentheses that keep the tree: heddle_expr_parse
 * () reads the text as an equal expression. @name, which may be NULL, gives the text of a leaf, or NULL for
 * the default. Newly allocated. */
char *heddle_expr_to_string (const HeddleExpr *self, HeddleExprName name, gpointer data);
