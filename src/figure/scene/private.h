/* SPDX-License-Identifier: MIT */
#pragma once

/* The inside of a scene. Items may only be added while nobody else reads it; indices that are built on demand are
 * under its lock. */

G_BEGIN_DECLS

/* How far a line of text reaches above and below its baseline, by its size. */
#define HEDDLE_TEXT_ASCENT 0.74
#define HEDDLE_TEXT_DESCENT 0.27

/* Items by the squares of a grid that they touch, for picking. */
typedef struct _HeddleGrid HeddleGrid;

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

G_END_DECLS
