/* SPDX-License-Identifier: MIT */
#include "figure/typeset/math-expr.h"
#include "figure/paint/paint.h"

/* What begins out of nothing: an element is a constant, a pentagon that points left; the Kronecker delta of two axes is the unit, a cup
 * mirrored. */

#define LARGEST_RADIUS 9.
#define ELEMENT_WIDTH 30.

static gboolean
is_number (const HeddleExpr *expr, double number)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) == number;
}

/* where (i == j, 1, 0) of the two axes of the result */
static gboolean
is_unit (const HeddleExpr *body, const HeddleValue *result)
{
  const HeddleExpr *equal;

  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_WHERE || result->axes->len != 2)
    return FALSE;
  equal = heddle_expr_get_child (body, 0);
  if (heddle_expr_get_kind (equal) != HEDDLE_EXPR_EQ || !is_number (heddle_expr_get_child (body, 1), 1.)
      || !is_number (heddle_expr_get_child (body, 2), 0.))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (heddle_expr_get_kind (heddle_expr_get_child (equal, i)) != HEDDLE_EXPR_INDEX
        || !heddle_ids_contain (result->axes, heddle_expr_get_symbol (heddle_expr_get_child (equal, i))))
      return FALSE;
  return heddle_expr_get_symbol (heddle_expr_get_child (equal, 0))
         != heddle_expr_get_symbol (heddle_expr_get_child (equal, 1));
}

static gboolean
is_constant (const HeddleExpr *body)
{
  return !heddle_expr_uses (body, HEDDLE_EXPR_INDEX, NULL);
}

gboolean
heddle_source_fits (const HeddleLayout *self, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, operation->result);

  return operation->operands->len == 0 && operation->body != NULL && result != NULL && result->axes->len > 0
         && (is_constant (operation->body) || is_unit (operation->body, result));
}

/* The constant; NULL for the unit. Newly allocated. */
char *
heddle_source_title (const HeddleLayout *self, const HeddleOperation *operation)
{
  return is_constant (operation->body) ? heddle_math_from_expr (operation->body, self->diagram) : NULL;
}

void
heddle_source_measure (HeddleFigureNode *node, double title_width)
{
  node->width = node->title != NULL ? MAX (ELEMENT_WIDTH, title_width + 22.) + 8. : 2. * LARGEST_RADIUS;
  node->above = node->below = 14.;
}

/* --- painting ---------------------------------------------------------------------------------------- */

static void
paint_unit (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double y1, double y2)
{
  const double x = node->x + node->width / 2., r = MIN (LARGEST_RADIUS, (y2 - y1) / 2.);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, NULL);

  heddle_item_move_to (item, x, y1);
  heddle_item_arc (item, x, y1 + r, r, 3, -1, TRUE);
  heddle_item_line_to (item, x - r, y2 - r);
  heddle_item_arc (item, x, y2 - r, r, 2, -1, TRUE);
}

/* Its point on the left. */
static void
paint_element (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double y1, double y2)
{
  const double right = node->x + node->width / 2., left = right - (node->width - 8.), up = 9.;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, &self->paper);

  heddle_item_move_to (item, right, y1 - up);
  heddle_item_line_to (item, right, y2 + up);
  heddle_item_line_to (item, left + 8., y2 + up);
  heddle_item_line_to (item, left, (y1 + y2) / 2.);
  heddle_item_line_to (item, left + 8., y1 - up);
  heddle_item_close (item);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_MATH, 12., NULL,
      (left + 4. + right) / 2., (y1 + y2) / 2. + 4., 0.5);
}

void
heddle_paint_source (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;

  for (guint i = 0; i < node->results->len; i++)
    {
      const double y = heddle_layout_line_y (self->layout, heddle_strand (node->results, i)->line) + node->dy;
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
  if (node->title == NULL)
    paint_unit (self, node, stroke, top, bottom);
  else
    paint_element (self, node, stroke, top, bottom);
}
