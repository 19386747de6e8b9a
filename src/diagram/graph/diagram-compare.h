/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Returns whether the diagrams mean the same in the same way: they are equal up to ids, comments, the order
 * of independent operations and names of unnamed intermediates; names of axes, inputs, parameters, outputs
 * and named values count, and so does the order of operands. @why, which is optional, receives the first
 * difference in words, newly allocated. */
gboolean heddle_diagram_isomorphic (const HeddleDiagram *a, const HeddleDiagram *b, char **why);
/* Returns a hash (value id to number) of how each value is made, from names and operations alone, whatever
 * the ids and the order are. Equal numbers prove nothing. The caller owns the table. */
GHashTable *heddle_diagram_number_makings (const HeddleDiagram *self);
