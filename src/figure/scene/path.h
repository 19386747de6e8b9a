/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* Building of paths: every function appends to the path of @item, which must be of kind HEDDLE_ITEM_PATH and owns its
 * segments. Coordinates are px of the scene. */

/* Returns an empty path, which the caller owns and frees with g_free (); it grows by being replaced, so only its item
 * may point to it. */
HeddlePath *heddle_path_new (void);
/* Appends @n segments to the path of @item at once. */
void heddle_item_append (HeddleItem *item, const HeddleSegment *segments, guint n);
/* Begins a new piece of the path at (@x, @y), in px. */
void heddle_item_move_to (HeddleItem *item, double x, double y);
/* Adds a straight line from where the path is to (@x, @y), in px; it adds nothing where the path is there already. */
void heddle_item_line_to (HeddleItem *item, double x, double y);
/* Adds a cubic curve from where the path is to (@x3, @y3), in px, with the two other points as controls. */
void heddle_item_curve_to (
    HeddleItem *item, double x1, double y1, double x2, double y2, double x3, double y3);
/* Closes the piece of the path at hand by a line to where it began. */
void heddle_item_close (HeddleItem *item);
/* Adds an arc of a circle of @radius px about (@x, @y), as cubic curves that are off by less than 0.03 % of the
 * radius: it begins @from quarter turns clockwise from the right and takes @quarters of them (negative: the other
 * way). With @join a line leads to it, else it begins a new piece. */
void heddle_item_arc (
    HeddleItem *item, double x, double y, double radius, int from, int quarters, gboolean join);
/* Adds a closed rectangle to the path, in px, its corners rounded by @radius or by as much as its sides allow. */
void heddle_item_rectangle (HeddleItem *item, double x, double y, double width, double height, double radius);
/* Returns whether the line of @path, in px, comes into the area. */
gboolean heddle_path_crosses (const HeddlePath *path, double left, double top, double right, double bottom);
