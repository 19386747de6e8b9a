/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"
#include "figure/layout/title-size.h"
#include "figure/scene/scene.h"

/* Titles of nodes are sources of labels as heddle_math_layout () sets them; "\n" begins a new line. */

/* Returns what is written on an operation that is drawn as @shape, in lines; newly allocated, or NULL. @parameter is
 * the number of the operand by whose name a linear map is called, else -1. */
char *heddle_figure_node_title (
    const HeddleLayout *self, const HeddleOperation *operation, HeddleShape shape, int parameter);
/* Returns the sign of a sum, a product … of exactly the operands, static; NULL means that @body is none. */
const char *heddle_map_sign (const HeddleExpr *body);
/* Returns the name of operand number @i of @node where it comes in, as the formula of a function of several arrays has
 * it; as a label's source, which the diagram owns or which is static. NULL means that nobody needs it: the formula does
 * not tell its operands apart, or is an author's own, or the name stands near by at the wire's beginning. */
const char *heddle_figure_node_port (const HeddleLayout *self, const HeddleFigureNode *node, guint i);
/* Tells whether @body leaves out, by a predicate of indices alone, values of what is done to its one operand: where
 * (…, f ($0), -inf). */
gboolean heddle_map_is_mask (const HeddleExpr *body);
