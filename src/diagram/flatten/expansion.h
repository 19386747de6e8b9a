/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/expression/expr.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* The flat counterparts of a diagram that is being expanded: its axes, its values, and the indices and sizes
 * in its expressions. The caller owns nothing unless it is said so. */

/* Sets the error that says why it cannot be done, unless one is set. */
void heddle_flatten_fail (HeddleFlattener *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Returns the flat axis (an id) that stands for @axis of the frame's diagram; NULL if there is none. In
 * the diagram that is flattened an axis stands for itself. */
const char *heddle_expansion_axis (const HeddleExpansion *frame, const char *axis);

/* Replaces @frame's axes by flat ones, as a HeddleExprReplace. */
HeddleExpr *heddle_expansion_leaf (const HeddleExpr *leaf, gpointer frame);

/* Returns the flat value of that id. */
const HeddleValue *heddle_flatten_value (const HeddleFlattener *self, const char *id);

/* Returns the @axes of the frame's diagram as flat ones. Transfer full. */
GArray *heddle_expansion_axes (const HeddleExpansion *frame, const GArray *axes);
