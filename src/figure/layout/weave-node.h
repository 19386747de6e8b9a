/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* The weaving of one node connects the wires of its operands with those of its result. Results belong to the node and
 * are in order from the top. */

/* Appends a wire on number @line to the results of @node and returns it; the node owns it, and the next call may move
 * it. @axis is NULL for a scalar; @fresh says that the wire continues none of an operand's. */
HeddleStrand *heddle_figure_node_add_result (
    HeddleFigureNode *node, const char *axis, int line, gboolean fresh);
/* Tells whether the operation of @node acts along @axis rather than being mapped over it; for a mask, whether its
 * predicate reads the index. FALSE for NULL, a scalar. */
gboolean heddle_figure_node_is_core (const HeddleFigureNode *node, const char *axis);
HeddleStrand *heddle_figure_node_result (const HeddleFigureNode *node, const char *axis); /* or NULL */
/* Returns the node that alone reads what @node makes, owned by the layout; NULL where several do, none does, or it leaves
 * the diagram. */
const HeddleFigureNode *heddle_layout_only_reader (const HeddleLayout *self, const HeddleFigureNode *node);
/* Sets the order in which wires enter @node, which of them the operation acts along, which join, and the node's
 * results from the top, by its shape. */
void heddle_layout_weave_node (HeddleLayout *self, HeddleFigureNode *node);
