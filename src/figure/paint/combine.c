/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-node.h"
#include "figure/paint/combine.h"
#include "figure/paint/glyphs.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#define DIAMOND 11.

#define CHIP 7.

typedef struct
{
  double top, bottom;
} Span;

static double
wire_y (const HeddlePainter *self, const HeddleFigureNode *node, int line)
{
  return heddle_layout_line_y (self->layout, line) + node->dy;
}

/* Gives the span from the first to the last of the wires that end or begin here. */
static Span
acting_span (const HeddlePainter *self, const HeddleFigureNode *node)
{
  Span span = { G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        if (heddle_strand (member->strands, j)->core)
          {
            const double y = wire_y (self, node, heddle_strand (member->strands, j)->target);
            span.top = MIN (span.top, y);
            span.bottom = MAX (span.bottom, y);
          }
    }
  for (guint i = 0; i < node->results->len; i++)
    if (heddle_strand (node->results, i)->fresh)
      {
        const double y = wire_y (self, node, heddle_strand (node->results, i)->line);
        span.top = MIN (span.top, y);
        span.bottom = MAX (span.bottom, y);
      }
  if (span.top > span.bottom)
    span = (Span){ (node->top + node->bottom) / 2., (node->top + node->bottom) / 2. };
  return span;
}

static void
paint_diamond (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x, double y)
{
  HeddleStroke outline = *stroke;
  outline.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &outline, &self->paper);

  heddle_item_move_to (item, x - DIAMOND, y);
  heddle_item_line_to (item, x, y - DIAMOND);
  heddle_item_line_to (item, x + DIAMOND, y);
  heddle_item_line_to (item, x, y + DIAMOND);
  heddle_item_close (item);
}

/* The numbers of an array of indices go into the table: a bold arrow down, or up, from its lowest wire. */
static void
paint_numbers (HeddlePainter *self, const HeddleFigureNode *node, double x, const Span *table)
{
  const HeddleStroke bold = { .color = self->ink, .width = 2. };

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      const HeddleStrand *lowest = heddle_member_entering (member, member->strands->len - 1);
      if (member->slot == 0 || lowest->axis == NULL)
        continue;
      const double y = wire_y (self, node, lowest->target);
      const double end = y < table->top ? table->top : table->bottom, back = end > y ? -5. : 5.;
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &bold, NULL);
      heddle_item_move_to (item, x, y);
      heddle_item_line_to (item, x, end + back);
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, NULL, &self->ink);
      heddle_item_move_to (item, x, end);
      heddle_item_line_to (item, x - 4., end + 1.4 * back);
      heddle_item_line_to (item, x + 4., end + 1.4 * back);
      heddle_item_close (item);
    }
}

/* A box with one corner chipped where the table is learned. */
static void
paint_table (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x)
{
  const HeddleOperation *operation = node->operation;
  const HeddleValue *data
      = heddle_diagram_get_value (self->layout->diagram, heddle_ids_index (operation->operands, 0));
  const Span span = acting_span (self, node);
  const double middle = (span.top + span.bottom) / 2., half = MAX ((span.bottom - span.top) / 2. + 9., 14.);
  const double right = x + HEDDLE_TABLE_WIDTH / 2.;
  const Span table = { middle - half, middle + half };

  heddle_paint_box (self, operation->id, "norm", x - HEDDLE_TABLE_WIDTH / 2., table.top, HEDDLE_TABLE_WIDTH,
      table.bottom - table.top);
  if (data->role == HEDDLE_ROLE_PARAMETER)
    {
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, operation->id, NULL, &self->paper);
      heddle_item_move_to (item, right - CHIP, table.top - 0.5);
      heddle_item_line_to (item, right + 0.5, table.top - 0.5);
      heddle_item_line_to (item, right + 0.5, table.top + CHIP);
      heddle_item_close (item);
    }
  heddle_paint_label (
      self, HEDDLE_PART_GLYPH, operation->id, node->title, HEDDLE_FONT_MATH, 17., NULL, x, middle + 5.5, 0.5);
  paint_numbers (self, node, x, &table);
}

static void
paint_scan (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x)
{
  const char *along = heddle_ids_index (node->operation->axes, 0);
  const HeddleStrand *wire = heddle_figure_node_result (node, along);
  const double y = wire_y (self, node, wire != NULL ? wire->line : heddle_strand (node->results, 0)->line);

  heddle_paint_norm (self, node->operation->id, stroke, node->operation->kind->glyph, x, y);
}

void
heddle_paint_combine (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const double x = heddle_combine_x (node);
  const Span span = acting_span (self, node);

  if (heddle_figure_node_is_gather (node))
    {
      paint_table (self, node, stroke, x);
      return;
    }
  if (node->operation->kind->form == HEDDLE_FORM_CONCAT)
    heddle_paint_bar (self, node->operation->id, x, span.top - 9., span.bottom + 9.);
  else if (node->operation->kind->form == HEDDLE_FORM_SELECT)
    paint_diamond (self, node, stroke, x, span.top);
  else
    paint_scan (self, node, stroke, x);
  if (node->title != NULL)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_ROMAN, 13.,
        NULL, x, node->top - 8., 0.5);
}
