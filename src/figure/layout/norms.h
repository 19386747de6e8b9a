/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A batch norm stands on the wire of a channel, and the wires that it acts along go into its circle and come out. */

/* Tells whether the node is a batch norm whose wire goes into the circle and comes out, HEDDLE_ROUND_SIDE px from its
 * sides. */
gboolean heddle_figure_node_rounds (const HeddleLayout *self, const HeddleFigureNode *node);

/* Tells whether the operation acts along the axis of strand @i, rather than being mapped over it. */
gboolean heddle_member_acts (const HeddleMember *member, guint i);

/* Returns the wire beside one that a batch norm acts along, as far down as there is one: the strand that enters in
 * that place. NULL means that the node is no batch norm, or has no such wire. */
const HeddleStrand *heddle_figure_node_channel (const HeddleLayout *self, const HeddleFigureNode *node);
/* Returns how far, in px, the ground of @node, which acts along single wires, reaches under the lowest of these. */
double heddle_figure_node_foot (const HeddleLayout *self, const HeddleFigureNode *node);
