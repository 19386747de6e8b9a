/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/ornament.h"
#include "figure/layout/layout.h"

/* Blocks are groups of operations that the presentation frames, with a title and with parentheses where the group
 * repeats. The layout owns those that are shown; they borrow the presentation's blocks and the layout's nodes. */

#define HEDDLE_BLOCK_LABEL_ROOM 17. /* px over a wire, for the axis' name … */
#define HEDDLE_BLOCK_UNDER_WIRE 7. /* …and under it */

/* A content is something in a block. */
typedef struct
{
  double x1, y1, x2, y2;
} HeddleContent;

/* A block that is shown: some operations of it are. */
typedef struct
{
  const HeddleBlock *block;
  GHashTable *nodes; /* of HeddleFigureNode * */
  int first, last; /* stages */
  guint inner; /* how many blocks are nested in it, one in the other */
  double x1, y1, x2, y2; /* of the backdrop: once boxes have their places */
  GArray *contents; /* of HeddleContent */
  double title_x, title_top, title_width; /* where the lines of the title are centred */
} HeddleShownBlock;

/* Puts the operations with which a block begins into one column where nothing else waits for them. It needs the
 * stages. */
void heddle_layout_align_blocks (HeddleLayout *self);
/* Returns the blocks that are shown, of HeddleShownBlock, from the innermost to the outermost; the caller owns the
 * array. */
GPtrArray *heddle_layout_find_blocks (const HeddleLayout *self);
/* Adds room over and under the nodes of stage @t for the titles and edges of blocks. */
void heddle_layout_make_room_for_blocks (HeddleLayout *self, int t);
/* Returns the room in px that blocks take to the left of the operations of stage @t: the sides of those that begin
 * there, and bands. */
double heddle_layout_room_before_blocks (const HeddleLayout *self, int t);
/* Returns the room in px that blocks take to the right of the operations of stage @t: the sides of those that end
 * there, and bands. */
double heddle_layout_room_after_blocks (const HeddleLayout *self, int t);
/* Gives each block its backdrop's rectangle, innermost first, since the outer ones go around the inner. Boxes and
 * columns have their places; @wraps tells that the figure will be cut into lines. */
void heddle_layout_place_blocks (HeddleLayout *self, gboolean wraps);

/* Tells whether the block stands for several copies of itself, so that parentheses are drawn around it: it names a
 * first, a last or a number of times. */
gboolean heddle_block_repeats (const HeddleBlock *block);
