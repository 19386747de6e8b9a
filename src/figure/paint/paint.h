/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"
#include "figure/scene/theme.h"

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

/* paint-nodes.c */
void heddle_paint_boxes (HeddlePainter *self);
void heddle_paint_nodes (HeddlePainter *self);
/* paint-cups.c */
void heddle_paint_contraction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
/* Where what is drawn with a node stands. */
double heddle_figure_node_attached_x (const HeddleFigureNode *node);
/* norms.c: FALSE: it is a norm like others */
gboolean heddle_paint_batch_norm (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
/* paint-reindex.c */
void heddle_paint_reindex (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
/* box.c */
void heddle_paint_node_box (HeddlePainter *self, const HeddleFigureNode *node);
void heddle_paint_node_name (HeddlePainter *self, const HeddleFigureNode *node);
/* paint-ends.c */
/* Ends a wire that is on its way to the right at height @y, or begins one, at an x from where it goes on or to which it came. Returns the
 * arrow's head: transfer full. */
HeddleItem *heddle_item_turn_down (HeddleItem *wire, double end, double y);
HeddleItem *heddle_item_come_in (HeddleItem *wire, double begin, double y);
/* The same beyond the end of a wire at (x, y), and before its beginning. */
void heddle_paint_going_on (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);
void heddle_paint_coming_in (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);
/* paint-wires.c */
void heddle_paint_wires (HeddlePainter *self);
double heddle_paint_wire_start (const HeddlePainter *self, const HeddleMember *member);
double heddle_paint_wire_end (const HeddlePainter *self, const HeddleMember *member);
/* paint-casts.c */
void heddle_paint_casts (HeddlePainter *self);
HeddleDtype heddle_layout_cast (const HeddleLayout *self, const HeddleMember *member);
/* paint-separators.c */
void heddle_paint_separators (HeddlePainter *self);
/* paint-labels.c */
void heddle_paint_labels (HeddlePainter *self);
/* paint-regions.c */
void heddle_paint_regions (HeddlePainter *self);
void heddle_paint_region_heads (HeddlePainter *self);
/* paint-bands.c */
void heddle_paint_bands (HeddlePainter *self);
void heddle_paint_copies (HeddlePainter *self);
/* paint-blocks.c */
void heddle_paint_blocks (HeddlePainter *self);
void heddle_paint_block_heads (HeddlePainter *self);
void heddle_paint_parenthesis (
    HeddlePainter *self, const char *object, double x, double y1, double y2, int side);
/* paint-notes.c */
void heddle_paint_notes (HeddlePainter *self, const HeddlePresentation *presentation, guint ground);
/* paint-lines.c: folds what has been painted into lines; returns what item number @ground is then */
guint heddle_paint_lines (HeddlePainter *self, guint ground);
/* paint-squeeze.c */
void heddle_paint_squeeze (const GPtrArray *items);
/* paint-table.c */
void heddle_paint_table (HeddlePainter *self);
/* "12.5 KiB"; without @bytes the count of values, "3.15 M". Newly allocated. */
char *heddle_paint_held_text (gint64 elements, gint64 bytes);

/* cost-table.c */
/* "28.8 µs"; newly allocated. */
char *heddle_paint_time_text (double seconds);

/* rotary.c */
void heddle_paint_turn (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
/* source.c */
void heddle_paint_source (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
/* combine.c */
void heddle_paint_combine (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);

G_END_DECLS
