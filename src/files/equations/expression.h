/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Reads a sum of products, the widest expression outside of predicates. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_expression (HeddleEqParser *self);
/* Reads an expression where the grammar wants a predicate, and in parentheses. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_predicate (HeddleEqParser *self);

G_END_DECLS
