/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/expression/expr.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* What a diagram that is written out has in the flat diagram: its axes, its values, and the indices and sizes that
 * its expressions speak of. Nothing is owned by the caller that is not said to be. */

G_BEGIN_DECLS

/* Why it cannot be done, once. */
void heddle_flatten_fail (HeddleFlattener *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Returns the flat axis (an id) that stands for @axis of the frame's diagram; NULL if there is none. In
 * the diagram that is flattened an axis stands for itself. */
const char *heddle_expansion_axis (const HeddleExpansion *frame, const char *axis);

/* A HeddleExprReplace: @frame's axes as flat ones. */
HeddleExpr *heddle_expansion_leaf (const HeddleExpr *leaf, gpointer frame);

/* values that stand between, and what a diagram is given */
const HeddleValue *heddle_flatten_value (const HeddleFlattener *self, const char *id);

/* @axes of the frame's diagram as flat ones. */
GArray *heddle_expansion_axes (const HeddleExpansion *frame, const GArray *axes);

G_END_DECLS
