/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A contraction is drawn by cups: the wires of one contracted axis meet in an arc that is open to the left. A cup
 * borrows its wires from the layout. */

/* Returns the radius in px of a cup inside which @level others lie, where its wires come near one another first. */
double heddle_cup_radius (guint level);
/* Returns the cups of a contraction, of HeddleCup, narrow ones first: one for each contracted axis, and a cup of one
 * wire where a single operand has the axis. The caller owns the array. */
GPtrArray *heddle_figure_node_cups (const HeddleLayout *self, const HeddleFigureNode *node);
/* Returns the height in px at which a wire that comes at @y meets the semicircle of @cup: @y, unless the wires come
 * nearer to one another first. */
double heddle_cup_y (const HeddleCup *cup, double y);
/* Makes the contraction @node as wide as the bows in which its wires meet, and notes how far the widest reaches. It
 * does nothing to others. Heights are solved. */
void heddle_figure_node_widen_cup (const HeddleLayout *self, HeddleFigureNode *node);
