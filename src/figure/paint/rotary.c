/* SPDX-License-Identifier: MIT */
#include "figure/layout/weave-node.h"
#include "figure/layout/shapes.h"
#include "figure/paint/rotary.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#define RADIUS 9.

#define CHIRP 4.5

#define AFTER_DOTS 16.

/* A quarter of a turn from the left, or from the right, with a head. */
static void
paint_chirp (
    HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y, int side)
{
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, stroke, NULL);
  const double tip = y + side * CHIRP;

  heddle_item_arc (item, x, y, CHIRP, side < 0 ? 2 : 0, 1, FALSE);
  item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, NULL, &stroke->color);
  heddle_item_move_to (item, x - side * 4., tip);
  heddle_item_line_to (item, x, tip - 2.5);
  heddle_item_line_to (item, x, tip + 2.5);
  heddle_item_close (item);
}

void
heddle_paint_turn (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const HeddleStrand *wire = heddle_figure_node_result (node, node->turns);
  const HeddleStroke bold = { .color = stroke->color, .width = 2. };
  HeddleStroke thin = *stroke;

  if (wire == NULL)
    return;
  const char *object = node->operation->id;
  const double x = node->x + node->width - node->tail + AFTER_DOTS,
               y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, wire->line));
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &bold, &self->paper);
  thin.n_dashes = 0;
  heddle_item_arc (item, x, y, RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  paint_chirp (self, object, &thin, x, y, -1);
  paint_chirp (self, object, &thin, x, y, 1);
}
