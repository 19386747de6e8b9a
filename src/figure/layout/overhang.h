/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Tells whether the scale that is drawn beside the contraction @node may stand over the columns that follow, since
 * nothing else comes to its place there: then they need not wait for it. Heights are solved, and lines of a wrapped
 * figure end where the columns say. */
gboolean heddle_layout_reaches_over (const HeddleLayout *self, const HeddleFigureNode *node);
/* Returns whether the elementwise function @node, which floats over its wire, may stand over the names of column @t, since
 * none of them is in its rows. */
gboolean heddle_layout_floats_over_names (const HeddleLayout *self, const HeddleFigureNode *node, int t);
/* Returns how far in px @node may reach over the operation that reads it, in whose dots other wires come up to its wire; 0
 * where it reads it otherwise. */
double heddle_layout_floats_over_join (const HeddleLayout *self, const HeddleFigureNode *node);
/* Returns whether the name at the end of @member, which is before column @t, may stand there and over the operations that
 * follow, since nothing else comes to its place. */
gboolean heddle_layout_name_reaches_over (const HeddleLayout *self, const HeddleMember *member, int t);
