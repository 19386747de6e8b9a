/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/graph/operation.h"
#include "figure/layout/box.h"
#include "figure/paint/blocks.h"
#include "figure/paint/box.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/math-expr.h"

static void
polygon (HeddleItem *item, const double *xy, guint n)
{
  for (guint i = 0; i < n; i++)
    if (i == 0)
      heddle_item_move_to (item, xy[0], xy[1]);
    else
      heddle_item_line_to (item, xy[2 * i], xy[2 * i + 1]);
  heddle_item_close (item);
}

/* Paints the box, below the wires. */
void
heddle_paint_node_box (HeddlePainter *self, const HeddleFigureNode *node)
{
  const HeddleLookKind look = heddle_layout_look (self->layout, node->operation);
  const char *object = node->operation->id;
  const HeddleStroke outline = { .color = self->ink, .width = 1.2 };
  const double d = look == HEDDLE_LOOK_SOLID ? HEDDLE_BOX_DEPTH : 0.;
  const double x1 = heddle_box_left (node), x2 = heddle_box_right (node) - d, y1 = node->top,
               y2 = node->bottom;

  if (look == HEDDLE_LOOK_LETTER)
    return;
  const guint before = heddle_scene_get_n_items (self->scene);
  heddle_paint_box (
      self, object, look == HEDDLE_LOOK_SOLID ? "definition" : "convolution", x1, y1, x2 - x1, y2 - y1);
  if (look == HEDDLE_LOOK_SOLID)
    {
      const guint n = heddle_scene_get_n_items (self->scene);
      const HeddleColor color
          = n > before ? heddle_scene_get_item (self->scene, n - 1)->fill_color : self->paper;
      polygon (heddle_paint_path (self, HEDDLE_PART_BOX, object, &outline, &color),
          (double[]){ x1, y1, x1 + d, y1 - d, x2 + d, y1 - d, x2 + d, y2 - d, x2, y2, x1, y2 }, 6);
      HeddleItem *edges = heddle_paint_path (self, HEDDLE_PART_BOX, object, &outline, NULL);
      heddle_item_move_to (edges, x1, y1);
      heddle_item_line_to (edges, x2, y1);
      heddle_item_line_to (edges, x2, y2);
      heddle_item_move_to (edges, x2, y1);
      heddle_item_line_to (edges, x2 + d, y1 - d);
      return;
    }
  heddle_item_rectangle (
      heddle_paint_path (self, HEDDLE_PART_BOX, object, &outline, NULL), x1, y1, x2 - x1, y2 - y1, 0.);
}

void
heddle_paint_loop (
    HeddlePainter *self, HeddlePart part, const char *object, double x1, double x2, double y, double height)
{
  const HeddleStroke stroke = { .color = self->ink, .width = 1.4 };
  const double head = 0.4 * height, peak = y - 4. / 3. * height; /* a curve comes to three quarters of that */
  HeddleItem *line = heddle_paint_path (self, part, object, &stroke, NULL);
  HeddleItem *arrow = heddle_paint_path (self, part, object, NULL, &stroke.color);

  line->meaning = arrow->meaning = HEDDLE_MEANING_LOOP;
  heddle_item_move_to (line, x2, y);
  heddle_item_curve_to (line, x2, peak, x1, peak, x1, y - head);
  polygon (arrow, (double[]){ x1, y, x1 - head / 2., y - head, x1 + head / 2., y - head }, 3);
}

/* Paints the loop over a call that is scanned, with the name of the axis that it goes along. */
static void
paint_scan (HeddlePainter *self, const HeddleFigureNode *node, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->layout->diagram, axis_id);
  const gboolean solid = heddle_layout_look (self->layout, node->operation) == HEDDLE_LOOK_SOLID;
  const double d = solid ? HEDDLE_BOX_DEPTH : 0., y = node->top - d;
  const double left = heddle_box_left (node) + d, right = heddle_box_right (node);
  const double middle = (left + right) / 2., reach = MIN (14., (right - left) / 3.);

  heddle_paint_loop (
      self, HEDDLE_PART_GLYPH, node->operation->id, middle - reach, middle + reach, y, HEDDLE_BOX_LOOP);
  if (axis == NULL)
    return;
  const guint from = heddle_scene_get_n_items (self->scene);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id,
      heddle_layout_axis_label (self->layout, axis), HEDDLE_FONT_MATH, HEDDLE_BOX_TITLE_SIZE, NULL, middle,
      y - HEDDLE_BOX_LOOP - 5., 0.5);
  heddle_paint_mean (self, from, HEDDLE_MEANING_LOOP);
}

static void
paint_repetition (HeddlePainter *self, const HeddleFigureNode *node)
{
  g_autofree char *times = heddle_math_from_expr (node->operation->repeat, self->layout->diagram);
  g_autofree char *text = g_strdup_printf ("\\times\\,%s", times);
  const char *object = node->operation->id;
  const double y1 = node->top - HEDDLE_BOX_DEPTH - 6., y2 = node->bottom + 6.;

  heddle_paint_parenthesis (self, object, node->x + HEDDLE_BOX_PARENTHESIS - 4., y1, y2, -1);
  heddle_paint_parenthesis (self, object, node->x + node->width - HEDDLE_BOX_PARENTHESIS + 4., y1, y2, 1);
  heddle_paint_times (
      self, HEDDLE_PART_GLYPH, object, text, HEDDLE_BOX_TITLE_SIZE, node->x + node->width - 6., y1 - 2., y2);
}

/* Its name, over the wires. */
void
heddle_paint_node_name (HeddlePainter *self, const HeddleFigureNode *node)
{
  const HeddleLookKind look = heddle_layout_look (self->layout, node->operation);
  const double size = heddle_box_title_size (look, node->title);
  g_auto (GStrv) lines = g_strsplit (node->title != NULL ? node->title : "", "\n", -1);
  const guint n = g_strv_length (lines);
  const double d = look == HEDDLE_LOOK_SOLID ? HEDDLE_BOX_DEPTH : 0.,
               x = (heddle_box_left (node) + heddle_box_right (node) - d) / 2.;
  double y = (node->top + node->bottom) / 2. - HEDDLE_BOX_LINE_HEIGHT * (n - 1.) / 2. + size / 3.;

  for (guint i = 0; i < n; i++, y += HEDDLE_BOX_LINE_HEIGHT)
    heddle_paint_label (
        self, HEDDLE_PART_GLYPH, node->operation->id, lines[i], HEDDLE_FONT_MATH, size, NULL, x, y, 0.5);
  if (heddle_figure_node_is_repeated (node))
    paint_repetition (self, node);
  if (heddle_call_scan_axis (node->operation) != NULL)
    paint_scan (self, node, heddle_call_scan_axis (node->operation));
}
