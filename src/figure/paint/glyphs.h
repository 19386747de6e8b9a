/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

/* Glyphs of operations. Each is centred at (@x, @y) in px unless it says otherwise, stands for @object (an id) and
 * belongs to the painter's scene. */

/* Paints the triangle of a normalisation such as softmax, which points left, centred at (@x, @y). @span is the
 * distance in px from the first to the last of the wires that it takes in. */
void heddle_paint_triangle (
    HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y, double span);
/* Paints the bold circle of a normalisation, centred at (@x, @y). @glyph says what is in it: a V for the root mean
 * square, a vertical diameter for mean and variance, a horizontal one for a batch norm, nothing for the length. */
void heddle_paint_norm (HeddlePainter *self, const char *object, const HeddleStroke *stroke,
    const char *glyph, double x, double y);
/* Paints the square of a mask, @size px wide and split on its diagonal: what is below is kept, what is above is left
 * out. */
void heddle_paint_mask (HeddlePainter *self, const char *object, double x, double y, double size);
/* Paints a hexagon of @width by @height px, filled with paper, as tags have it; its outline is never dashed. */
void heddle_paint_hexagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x,
    double y, double width, double height);
/* Paints a window that slides: it is narrow where the input comes in. @label is its stride, beside the star. */
void heddle_paint_window (
    HeddlePainter *self, const char *object, const char *label, double x, double y1, double y2, double width);
/* Paints the thick bar of a view from @y1 to @y2: axes split or merge at it. */
void heddle_paint_bar (HeddlePainter *self, const char *object, double x, double y1, double y2);
/* Paints the pentagon of an index, @width by @height px, its flat side on the left; it has the fill that the
 * presentation gives to @object, else paper. */
void heddle_paint_pentagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x,
    double y, double width, double height);
/* Paints a title in lines centred at @x, the baseline of the last at @y, at @size px. */
void heddle_paint_title (HeddlePainter *self, const char *object, const char *title, HeddleFont font,
    double size, double x, double y);
/* Paints an elementwise function above its wires, `> f >`, @width px wide from @x on, its arrows at the middle of the
 * title's lines; the last line stands at @y. */
void heddle_paint_float (
    HeddlePainter *self, const char *object, const char *title, double x, double y, double width);
