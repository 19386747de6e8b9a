/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* The weaving of reindexings groups wires: each group has a glyph of its own and belongs to the node. */

/* Groups the wires of a reindexing by the index expressions that tie them together, orders its operand's wires by
 * them, and makes a wire of its result for each axis. */
void heddle_layout_weave_reindex (HeddleLayout *self, HeddleFigureNode *node);
