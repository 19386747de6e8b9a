/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Painting of blocks is split in two: backdrops lie below the drawing, titles and parentheses on top. */

/* Paints the backdrops of blocks, outermost first. */
void heddle_paint_blocks (HeddlePainter *self);
/* Paints a parenthesis from @y1 to @y2 whose ends are at @x, in px. @side is -1 for one on the left and 1 for one on
 * the right. */
void heddle_paint_parenthesis (
    HeddlePainter *self, const char *object, double x, double y1, double y2, int side);
/* Paints how often something is repeated, @text in @size px, at @x beside the upper end of its right parenthesis, which
 * goes from @y1 to @y2; at the lower end if a line between two arrays runs there, as painted so far. */
void heddle_paint_times (HeddlePainter *self, HeddlePart part, const char *object, const char *text,
    double size, double x, double y1, double y2);
/* Paints the titles and parentheses of blocks, which lie on top of the drawing. */
void heddle_paint_block_heads (HeddlePainter *self);
