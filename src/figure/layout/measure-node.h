/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Measuring gives each node the width and the room over and under its wires that its glyph and titles need, in px. */

/* Returns the index expressions that stand in the glyph of @group, those that are more than another axis' name, as a
 * label's source; newly allocated. */
char *heddle_reindex_group_text (
    const HeddleLayout *self, const HeddleFigureNode *node, const HeddleReindexGroup *group);
/* Sets the width of @node and the room that it needs over and under its wires, in px, by its shape and titles. */
void heddle_layout_measure_node (HeddleLayout *self, HeddleFigureNode *node);
