/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* graph.c */
HeddleFlow *heddle_graph_flow (const HeddleGraphBuilder *self, const char *value); /* or NULL */
/* Whether wires of the value begin at the node: a call makes several values. */
gboolean heddle_figure_node_makes (const HeddleFigureNode *node, const char *value);
HeddleMember *heddle_figure_node_member (const HeddleLayout *self, const HeddleFigureNode *node, guint i);
/* The strand that enters the operation in place @i from the top. */
HeddleStrand *heddle_member_entering (const HeddleMember *member, guint i);
/* graph.c, graph-order.c, graph-members.c */
void heddle_layout_build_graph (HeddleLayout *self);

G_END_DECLS
