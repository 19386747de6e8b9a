/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of nodes by their name is split in two: the box lies below the wires, the name on top. */

/* Paints the box of a node that is drawn by its name, below the wires' ends. */
void heddle_paint_node_box (HeddlePainter *self, const HeddleFigureNode *node);
/* Paints the name of a boxed node over the wires, and the parentheses of a repeated call. */
void heddle_paint_node_name (HeddlePainter *self, const HeddleFigureNode *node);
/* Paints a loop in ink from (@x2, @y) over @height px back to (@x1, @y), where its arrow ends: what is below it is
 * done again and again along an axis. */
void heddle_paint_loop (
    HeddlePainter *self, HeddlePart part, const char *object, double x1, double x2, double y, double height);
