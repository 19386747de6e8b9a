/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "derive/program/pseudocode-private.h"
#include "diagram/expression/expr.h"

/* Names and expressions as a listing writes them. Names are owned by the program; all other texts are newly
 * allocated. */

/* Returns the name of an axis (id), owned by the program's diagram. */
const char *heddle_listing_axis_name (const HeddleListing *self, const char *axis);
/* Returns the name of buffer number @i, which is interned. */
const char *heddle_listing_buffer_name (const HeddleListing *self, guint i);
/* Returns the text of an expression. @node says what its arguments are; %NULL if it has none. */
char *heddle_listing_expr (const HeddleListing *self, const HeddleNode *node, const HeddleExpr *expr);
/* Returns the text of a reduction, as sum[x](P*V). Newly allocated. */
char *heddle_listing_reduction (const HeddleListing *self, const HeddleNode *node);
/* Returns the text of a scan or a selection, as scan[t](a*h + b) or top[e](L at e). Newly allocated. */
char *heddle_listing_form (const HeddleListing *self, const HeddleNode *node);
