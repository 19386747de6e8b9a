/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* A grid has things on paper, which are numbered, by the squares that their bounds touch, so that what is near a place is
 * found without looking at all. It does not follow later changes. Lengths are px. */
typedef struct _HeddleGrid HeddleGrid;

typedef struct
{
  double left, top, right, bottom;
} HeddleGridBounds;

/* Gives the bounds of thing @number; returns FALSE for one that nobody looks for. */
typedef gboolean (*HeddleGridBoundsFunc) (gconstpointer data, guint number, HeddleGridBounds *bounds);

/* Returns a grid of the things 0 … @n - 1, whose bounds @bounds_of gives of @data; the caller owns it. */
HeddleGrid *heddle_grid_new (guint n, HeddleGridBoundsFunc bounds_of, gconstpointer data);
/* Frees the grid. */
void heddle_grid_free (HeddleGrid *self);
/* Returns the numbers, guint, of what is in squares that the area touches, ascending and each once; the caller owns the
 * array. */
GArray *heddle_grid_find (const HeddleGrid *self, double left, double top, double right, double bottom);
