/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Shapes are the tops and bottoms of boxes, and the points at which each wire begins and ends. */

/* Gives each node the top and the bottom of its box, in px, from the heights of its wires and its nudge. */
void heddle_layout_place_boxes (HeddleLayout *self);
/* Sets where each wire begins and ends, in px. Boxes and columns have their places. */
void heddle_layout_place_shapes (HeddleLayout *self);
/* Returns the height in px, at the node, of a wire whose line is at @y: wires between `low` and `high` move with the
 * node's nudge. */
double heddle_figure_node_shift (const HeddleFigureNode *node, double y);
/* Returns whether a wire of an operand of @node joins the wire of @line in a dot. */
gboolean heddle_figure_node_joins_at (const HeddleLayout *self, const HeddleFigureNode *node, int line);
/* Returns the height in px of the baseline of the title of a node of shape JOIN: over all its wires, or a sign over the
 * uppermost of its dots. */
double heddle_figure_node_title_y (const HeddleLayout *self, const HeddleFigureNode *node);
/* Gives the heights in px between which the box and the title of @node stand in the way of wires. FALSE means that
 * nothing of it does. */
gboolean heddle_figure_node_blocks (
    const HeddleLayout *self, const HeddleFigureNode *node, double *top, double *bottom);
