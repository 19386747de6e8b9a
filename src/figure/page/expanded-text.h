/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/expanded-private.h"

/* The texts of an expanded loop program, newly allocated. */

G_BEGIN_DECLS

/* Returns the name of an axis of the program's diagram, by its id; newly allocated. */
char *heddle_expanded_axis_name (const HeddleExpanded *self, const char *axis);
/* Returns a plain formula as a label's source, as mathematics is set: products by dots, powers raised, infinity by
 * its sign. Newly allocated. */
char *heddle_expanded_typeset (const char *plain);
/* Returns what is written in the box of a statement; newly allocated. NULL means that it only moves an array. */
char *heddle_expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node);
/* Returns the shape of one tile of a buffer, "128 × 64"; newly allocated. */
char *heddle_expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer);

G_END_DECLS
