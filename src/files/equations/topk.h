/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* topk[…](…) after two arrays on the left */
gboolean heddle_eq_parse_topk (HeddleEqParser *parser, HeddleEqStatement *self);
/* Writes the two statements of a topk as one. */
void heddle_eq_join_choices (HeddleEqPlan *plan);

G_END_DECLS
