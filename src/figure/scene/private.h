/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* How far a line of text reaches above and below its baseline, by its size. */
#define HEDDLE_TEXT_ASCENT 0.74
#define HEDDLE_TEXT_DESCENT 0.27

/* Items by the squares of a grid that they touch, for picking. */
typedef struct _HeddleGrid HeddleGrid;
void heddle_grid_free (HeddleGrid *self);

struct _HeddleScene
{
  gatomicrefcount ref_count;
  GPtrArray *items; /* of HeddleItem, from the bottom */
  GMutex lock; /* of what is built on demand, below */
  HeddleGrid *grid;
  GHashTable *objects; /* id -> GPtrArray of items */
  GHashTable *titles; /* id -> char * */
  char *title, *description; /* of the whole, or NULL */
};

HeddlePath *heddle_path_new (void);
/* What is drawn the same at another place, without a path of its own yet; and moving it. */
HeddleItem *heddle_item_copy_style (const HeddleItem *item);
void heddle_item_move (HeddleItem *item, double dx, double dy);
void heddle_item_free (HeddleItem *item);

G_END_DECLS
