/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* An id has a part of the layout. */

/* Returns the node that draws the operation of that id, alone or with another; @self owns it. NULL: none does. */
HeddleFigureNode *heddle_layout_node_of (const HeddleLayout *self, const char *operation);
/* Returns the wire of @axis of @value among those that the node makes, which it owns; NULL: it makes none. */
const HeddleStrand *heddle_figure_node_find_result (
    const HeddleFigureNode *node, const char *value, const char *axis);
/* Gives by how much, in px, somebody moved @object by hand. Returns FALSE, with zeros, where it was not moved;
 * @object may be NULL. */
gboolean heddle_layout_nudge (const HeddleLayout *self, const char *object, double *dx, double *dy);
