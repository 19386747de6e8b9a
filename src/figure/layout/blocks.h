/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/ornament.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* A block that is shown: some operations of it are. */
typedef struct
{
  const HeddleBlock *block;
  GHashTable *nodes; /* of HeddleFigureNode * */
  int first, last; /* stages */
  guint inner; /* how many blocks are nested in it, one in the other */
  double x1, y1, x2, y2; /* of the backdrop: once boxes have their places */
} HeddleShownBlock;

/* Stages are known: puts the operations with which a block begins into one column where nothing else waits for them. */
void heddle_layout_align_blocks (HeddleLayout *self);
/* From the innermost to the outermost. */
GPtrArray *heddle_layout_find_blocks (const HeddleLayout *self);
/* Room over and under the nodes of stage @t for titles and edges. */
void heddle_layout_make_room_for_blocks (HeddleLayout *self, int t);
/* Room beside the operations of stage @t, px. */
double heddle_layout_room_before_blocks (const HeddleLayout *self, int t);
double heddle_layout_room_after_blocks (const HeddleLayout *self, int t);
void heddle_layout_place_blocks (HeddleLayout *self);

/* px: of the letters of its title, and of all its lines; 0: it has none. */
double heddle_block_title_size (const HeddleBlock *block);
double heddle_block_title_height (const HeddleBlock *block);
gboolean heddle_block_repeats (const HeddleBlock *block);

G_END_DECLS
