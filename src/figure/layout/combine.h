/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

/* Nodes that combine arrays without a sum of products: concatenations, scans, selections of the largest, and gathers
 * from a table. */

/* Returns how far from its glyph's middle, in px, the wires of @node end: half the table of a gather, else 0. */
double heddle_combine_reach (const HeddleFigureNode *node);
/* Returns the x in px at which the glyph of @node stands. */
double heddle_combine_x (const HeddleFigureNode *node);
/* Sets the width and the heights in px of a combining node whose title is @title_width px wide; wires that join
 * within a gather need a wider one. */
void heddle_combine_measure (const HeddleLayout *self, HeddleFigureNode *node, double title_width);
/* Finds out which wires of a concatenation, scan, selection or gather go on as which of its result. */
void heddle_layout_weave_combine (HeddleLayout *self, HeddleFigureNode *node);
/* Returns the label's source that is written at a combining operation: E for an embedding table, or the name of what
 * is read. Newly allocated; NULL means that the glyph says all. */
char *heddle_combine_title (const HeddleLayout *self, const HeddleOperation *operation);

/* Tells whether the node reads an array at indices that other arrays hold, as an embedding does. */
gboolean heddle_figure_node_is_gather (const HeddleFigureNode *node);
