/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A contraction is drawn by cups: the wires of one contracted axis meet in an arc that is open to the left. A cup
 * borrows its wires from the layout. */

G_BEGIN_DECLS

/* Returns the radius in px of a cup inside which @level others lie. The innermost one between members of a tuple is a
 * semicircle; those around it are wider by steps, with straight sides. */
double heddle_cup_radius (guint level);
/* Returns the cups of a contraction, of HeddleCup, narrow ones first: one for each contracted axis, and a cup of one
 * wire where a single operand has the axis. The caller owns the array. */
GPtrArray *heddle_figure_node_cups (const HeddleLayout *self, const HeddleFigureNode *node);

G_END_DECLS
