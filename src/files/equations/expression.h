/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* operators */
HeddleEqNode *heddle_eq_parse_expression (HeddleEqParser *self);
/* Where the grammar wants a predicate, and in parentheses. */
HeddleEqNode *heddle_eq_parse_predicate (HeddleEqParser *self);

G_END_DECLS
