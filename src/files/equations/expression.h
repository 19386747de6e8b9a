/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

/* Reads a sum of products, the widest expression outside of predicates. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_expression (HeddleEqParser *self);

/* Reads topk[e, k=s](…) as a node that gives the places alone. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_choice (HeddleEqParser *self);
