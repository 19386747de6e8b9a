/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

/* Reads topk[…](…) after two arrays on the left: the values into @self, the places into a statement before
 * it. FALSE means that an error was reported. */
gboolean heddle_eq_parse_topk (HeddleEqParser *parser, HeddleEqStatement *self);
/* Writes the two statements of each topk as one line. */
void heddle_eq_join_choices (HeddleEqPlan *plan);
