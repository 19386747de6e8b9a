/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Comma-separated expressions up to the closing sign. */
gboolean heddle_eq_parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing);
/* Whether a name means something already: a function, a reduction, a word of the language. */
gboolean heddle_eq_is_reserved (const char *name);
/* topk[e, k=s](…), as the places alone. */
HeddleEqNode *heddle_eq_parse_choice (HeddleEqParser *self);
/* names, reads, calls, parentheses */
HeddleEqNode *heddle_eq_parse_primary (HeddleEqParser *self);

G_END_DECLS
