/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* A painter turns a layout into items of a scene. It borrows the layout and the theme's colours; whoever made it owns
 * its scene. All lengths are px at 100 %, y grows downwards. */

/* A stroke says how a line is drawn. */
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

/* Returns how far from its line each of the two lines of a bundle is, in px; 0 means that the axis has one line. */
double heddle_paint_spread (const HeddlePainter *self, const char *axis);
/* Returns a painter without a layout on a new scene, which the caller owns. */
HeddlePainter heddle_painter_for (HeddleTheme theme);
/* Tells whether arrays are told apart by separators, and scalars have arrows; else the figure is a string diagram. */
gboolean heddle_paint_tells_tuples (const HeddlePainter *self);
/* Gives the stroke of the band behind the wires of an axis that has a fill of its own; FALSE means that it has none. */
gboolean heddle_paint_glow (const HeddlePainter *self, const char *axis, HeddleStroke *stroke);
/* Returns the stroke of wires that lie in no region: 1 px of ink, or the look of global memory where labels are
 * shown. */
HeddleStroke heddle_paint_plain (const HeddlePainter *self);
/* Returns the stroke of wires within a region; it is the plain one for -1 and where labels are not shown. */
HeddleStroke heddle_paint_stroke (const HeddlePainter *self, int region);
/* Adds an empty path on top of the scene, which owns it: stroked where @stroke is given, filled where @fill is given. */
HeddleItem *heddle_paint_path (HeddlePainter *self, HeddlePart part, const char *object,
    const HeddleStroke *stroke, const HeddleColor *fill);
/* Paints the box of an operation on the ground @fill, unless the presentation gives @object a fill of its own; "none"
 * paints nothing. */
void heddle_paint_box (HeddlePainter *self, const char *object, const char *fill, double x, double y,
    double width, double height);
/* Paints a box of any fill, for any part of the drawing, with a soft shadow. */
void heddle_paint_card (HeddlePainter *self, HeddlePart part, const char *object, const char *fill, double x,
    double y, double width, double height);
/* Paints the dot at which a wire branches or wires join, centred at (@x, @y), in the stroke's colour. */
void heddle_paint_dot (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y);
/* Paints an arrow's head that points right with its tip at (@x, @y), in the stroke's colour. */
void heddle_paint_arrow_head (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y);
/* Paints a label from its source, on the baseline @y, and returns its width in px. @align says where @x is: 0 at its
 * beginning, 0.5 in its middle, 1 at its end. A NULL @color is ink. */
double heddle_paint_label (HeddlePainter *self, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, const HeddleColor *color, double x, double y, double align);
/* Says of the items from number @from on which axis and value they show. The items borrow both ids. */
void heddle_paint_mark (HeddlePainter *self, guint from, const char *axis, const char *value);
/* Says of the items from number @from on that they are a sign that means @meaning, unless they are one already. */
void heddle_paint_mean (HeddlePainter *self, guint from, HeddleMeaning meaning);
