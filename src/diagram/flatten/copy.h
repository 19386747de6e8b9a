/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* The functions below copy what a diagram's own operations make. */
/* Returns the axes that come before a value's own, in any of the operands. */
GArray *heddle_expansion_woven (
    HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation);
/* Makes the flat value that a value of the frame is to be, and returns its id. */
const char *heddle_expansion_make (
    HeddleFlattener *self, HeddleExpansion *frame, const char *id, const GArray *woven);
/* Returns whether everything that an operation refers to exists. */
gboolean heddle_expansion_is_whole (const HeddleExpansion *frame, const HeddleOperation *operation);
/* Returns the flat values (ids) of an operation's operands, in order, as a new array. */
GArray *heddle_expansion_operands (const HeddleExpansion *frame, const HeddleOperation *operation);
/* Adds a flat copy of an operation that is not written out: operands, axes and results are flat ones, and
 * the axes that are woven come first. */
void heddle_flatten_copy (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation);
