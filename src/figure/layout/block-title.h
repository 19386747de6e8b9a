/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/blocks.h"

/* The title of a block stands over all that is in it, or beside what is high in it. */

/* Returns the size in px of the letters of the block's title. */
double heddle_block_title_size (const HeddleBlock *block);
/* Returns the height in px of the lines of the block's title as they are written; 0 means that it has none. */
double heddle_block_title_height (const HeddleBlock *block);
/* Gives the title its place, and the block, whose rectangle goes around what is in it, the height that it then needs.
 * In a figure that is cut into lines (@wraps) it is over all that is in it. */
void heddle_block_place_title (const HeddleLayout *self, HeddleShownBlock *shown, gboolean wraps);
