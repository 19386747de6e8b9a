/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"
#include "figure/layout/layout.h"

/* The graph of a layout: stages of nodes, and members between their data columns. The layout owns nodes, members and
 * their strands. */

/* Returns the flow of @value, which @self owns; NULL means that the value is not drawn as wires. */
HeddleFlow *heddle_graph_flow (const HeddleGraphBuilder *self, const char *value);
/* Returns the member that is operand @i of @node, counted from the top among those drawn as wires; @self owns it. */
HeddleMember *heddle_figure_node_member (const HeddleLayout *self, const HeddleFigureNode *node, guint i);
/* Returns the strand that enters the operation in place @i from the top; @member owns it. */
HeddleStrand *heddle_member_entering (const HeddleMember *member, guint i);
/* Puts the nodes into stages and makes a member of each use of a value, in the order from top to bottom. */
void heddle_layout_build_graph (HeddleLayout *self);
