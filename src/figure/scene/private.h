/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/grid.h"

/* The inside of a scene. Items may only be added while nobody else reads it; indices that are built on demand are
 * under its lock. */

/* How far a line of text reaches above and below its baseline, by its size. */
#define HEDDLE_TEXT_ASCENT 0.74
#define HEDDLE_TEXT_DESCENT 0.27

/* A table is what a scene that is one table says, for those who set tables by themselves. */
typedef struct
{
  GPtrArray *rows; /* of char **, a label's source for each column; the first is the head */
  char *columns; /* for each, 'l' or 'r': where its labels begin or end */
  char *math; /* for each, 'm' for mathematics and 't' for text; the head's after those of the others */
  gboolean total; /* the last row is the sum of the others */
} HeddleSceneTable;

struct _HeddleScene
{
  gatomicrefcount ref_count;
  GPtrArray *items; /* of HeddleItem, from the bottom */
  GMutex lock; /* of what is built on demand, below */
  HeddleGrid *grid;
  GHashTable *objects; /* id -> GPtrArray of items */
  GHashTable *titles; /* id -> char * */
  char *title, *description; /* of the whole, or NULL */
  HeddleSceneTable table; /* without rows: it is none */
};
