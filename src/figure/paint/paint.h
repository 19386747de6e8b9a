/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* How a line is drawn. */
typedef struct
{
  HeddleColor color;
  double width;
  double dash[8];
  guint n_dashes;
} HeddleStroke;

typedef struct
{
  HeddleScene *scene;
  HeddleTheme theme;
  HeddleColor ink, paper, dim;
  const HeddleLayout *layout; /* NULL for the palette's glyphs */
  GHashTable *fills; /* id -> class or colour, of the presentation */
} HeddlePainter;

/* paint.c: simple things */
/* How far from its line each of the two lines of a bundle is, px; 0: the axis has one. */
double heddle_paint_spread (const HeddlePainter *self, const char *axis);
/* On a new scene, which the caller owns; without a layout. */
HeddlePainter heddle_painter_for (HeddleTheme theme);
/* Whether arrays are told apart by separators, and scalars have arrows; else it is a string diagram. */
gboolean heddle_paint_tells_tuples (const HeddlePainter *self);
/* The band behind the wires of an axis that has a fill of its own; FALSE: it has none. */
gboolean heddle_paint_glow (const HeddlePainter *self, const char *axis, HeddleStroke *stroke);
HeddleStroke heddle_paint_plain (const HeddlePainter *self);
/* Of wires within a region; plain for -1 and where labels are not shown. */
HeddleStroke heddle_paint_stroke (const HeddlePainter *self, int region);
HeddleItem *heddle_paint_path (HeddlePainter *self, HeddlePart part, const char *object,
    const HeddleStroke *stroke, const HeddleColor *fill);
void heddle_paint_box (HeddlePainter *self, const char *object, const char *fill, double x, double y,
    double width, double height);
/* The same of any fill, with a soft shadow. */
void heddle_paint_card (HeddlePainter *self, HeddlePart part, const char *object, const char *fill, double x,
    double y, double width, double height);
void heddle_paint_dot (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y);
void heddle_paint_arrow_head (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y);
/* @align: 0 begins at @x, 0.5 is centred there, 1 ends there. */
double heddle_paint_label (HeddlePainter *self, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, const HeddleColor *color, double x, double y, double align);
void heddle_paint_mark (HeddlePainter *self, guint from, const char *axis, const char *value);

G_END_DECLS
