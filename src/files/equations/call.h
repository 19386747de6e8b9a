/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Appends expressions separated by commas to @list, up to the sign @closing, which is read too. FALSE means that an
 * error was reported. */
gboolean heddle_eq_parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing);
/* Tells whether a name means something already: a function, a reduction, a word of the language. */
gboolean heddle_eq_is_reserved (const char *name);
/* Reads topk[e, k=s](…) as a node that gives the places alone. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_choice (HeddleEqParser *self);
/* Reads a number, a name, a read, a call or an expression in parentheses. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_primary (HeddleEqParser *self);

G_END_DECLS
