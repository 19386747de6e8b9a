/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* glyphs.c: signs of operations, centred at (x, y) */
void heddle_paint_triangle (
    HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y, double span);
void heddle_paint_norm (HeddlePainter *self, const char *object, const HeddleStroke *stroke,
    const char *glyph, double x, double y);
void heddle_paint_mask (HeddlePainter *self, const char *object, double x, double y, double size);
void heddle_paint_hexagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x,
    double y, double width, double height);
/* A window that slides: narrow where the input comes in. @label: its stride, beside the star. */
void heddle_paint_window (
    HeddlePainter *self, const char *object, const char *label, double x, double y1, double y2, double width);
void heddle_paint_bar (HeddlePainter *self, const char *object, double x, double y1, double y2);
void heddle_paint_pentagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x,
    double y, double width, double height);
/* Lines centred at @x, the baseline of the last at @y. */
void heddle_paint_title (HeddlePainter *self, const char *object, const char *title, HeddleFont font,
    double size, double x, double y);
void heddle_paint_float (
    HeddlePainter *self, const char *object, const char *title, double x, double y, double width);

G_END_DECLS
