/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Reads a sum of products, the widest expression outside of predicates. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_expression (HeddleEqParser *self);
/* Reads an expression where the grammar wants a predicate, and in parentheses. NULL means that an error was
 * reported. */
HeddleEqNode *heddle_eq_parse_predicate (HeddleEqParser *self);

/* Appends expressions separated by commas to @list, up to the sign @closing, which is read too. FALSE means
 * that an error was reported. */
gboolean heddle_eq_parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing);
/* Reads topk[e, k=s](…) as a node that gives the places alone. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_choice (HeddleEqParser *self);
/* Reads a number, a name, a read, a call or an expression in parentheses. NULL means that an error was
 * reported. */
HeddleEqNode *heddle_eq_parse_primary (HeddleEqParser *self);

/* Reads what follows a definition's name, @token, as a call. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token);

G_END_DECLS
