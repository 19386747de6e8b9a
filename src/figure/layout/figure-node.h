/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Nodes are what operations are drawn as. An operation that is drawn within another, such as a parameter's name or a
 * bias, has no node. */

/* Tells whether somebody took away the ground of @operation, which then needs no room for it. */
gboolean heddle_layout_is_bare (const HeddleLayout *self, const HeddleOperation *operation);
/* Returns whether the scale after the contraction @node stands right beside its cup, over the arrow, since neither of
 * them has a ground. */
gboolean heddle_scale_is_bare (const HeddleLayout *self, const HeddleFigureNode *node);
/* Frees @node with its titles, results and groups. Its operations belong to the diagram. */
void heddle_figure_node_free (HeddleFigureNode *node);
/* Makes a node for each operation that is drawn by itself, with its shape and titles; scales and biases that are
 * drawn with another get none. */
void heddle_layout_make_nodes (HeddleLayout *self);
