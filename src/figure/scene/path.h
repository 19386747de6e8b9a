/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

HeddlePath *heddle_path_new (void);
/* --- building a path */
void heddle_item_append (HeddleItem *item, const HeddleSegment *segments, guint n);
void heddle_item_move_to (HeddleItem *item, double x, double y);
void heddle_item_line_to (HeddleItem *item, double x, double y);
void heddle_item_curve_to (
    HeddleItem *item, double x1, double y1, double x2, double y2, double x3, double y3);
void heddle_item_close (HeddleItem *item);
/* An arc: begins @from quarter turns clockwise from the right and takes @quarters of them (negative: the other way). */
void heddle_item_arc (
    HeddleItem *item, double x, double y, double radius, int from, int quarters, gboolean join);
void heddle_item_rectangle (HeddleItem *item, double x, double y, double width, double height, double radius);

G_END_DECLS
