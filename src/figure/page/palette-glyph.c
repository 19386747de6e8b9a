/* SPDX-License-Identifier: MIT */
#include "figure/page/palette-glyph.h"
#include "figure/paint/glyphs.h"
#include "figure/scene/path.h"

/* Glyphs by themselves, as the palette shows them: at the origin, in a box of this size. */
#define WIDTH 44.
#define HEIGHT 32.

static void
wire (HeddlePainter *self, double x1, double x2, double y)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, NULL, &stroke, NULL);

  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
}

static void
draw_map (HeddlePainter *self, const HeddleOperationKind *kind)
{
  heddle_paint_float (self, NULL, "f", -21., 0., 42.);
}

static void
draw_cup (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, NULL, &stroke, NULL);

  heddle_item_move_to (item, -20., -9.);
  heddle_item_line_to (item, -6., -9.);
  heddle_item_arc (item, -6., 0., 9., 3, 2, TRUE);
  heddle_item_line_to (item, -20., 9.);
  wire (self, 3., 14., 0.);
  heddle_paint_arrow_head (self, HEDDLE_PART_GLYPH, NULL, &stroke, 20., 0.);
}

static void
draw_reindex (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  wire (self, -20., -13., 0.);
  wire (self, 9., 20., -5.);
  wire (self, 9., 20., 5.);
  heddle_paint_hexagon (self, NULL, &stroke, 0., 0., 26., 20.);
}

static void
draw_call (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  wire (self, -20., -13., 0.);
  wire (self, 13., 20., 0.);
  heddle_item_rectangle (
      heddle_paint_path (self, HEDDLE_PART_GLYPH, NULL, &stroke, NULL), -13., -10., 26., 20., 0.);
}

static void
draw_reduction (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  if (g_str_equal (kind->id, "sum"))
    {
      wire (self, -20., 6., 0.);
      heddle_paint_dot (self, HEDDLE_PART_GLYPH, NULL, &stroke, 6., 0.);
      return;
    }
  wire (self, -20., 0., 7.);
  heddle_paint_dot (self, HEDDLE_PART_GLYPH, NULL, &stroke, 0., 7.);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, NULL, g_str_equal (kind->id, "logsumexp") ? "lse" : kind->id,
      HEDDLE_FONT_ROMAN, g_str_equal (kind->id, "argmax") ? 12. : 14., NULL, 0., -1., 0.5);
}

static void
draw_normalisation (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  wire (self, -20., 20., 0.);
  if (g_str_equal (kind->glyph, "softmax"))
    heddle_paint_triangle (self, NULL, &stroke, 0., 0., 0.);
  else
    heddle_paint_norm (self, NULL, &stroke, kind->glyph, 0., 0.);
}

static void
draw_concat (HeddlePainter *self, const HeddleOperationKind *kind)
{
  wire (self, -20., 0., -8.);
  wire (self, -20., 0., 8.);
  wire (self, 0., 20., 0.);
  heddle_paint_bar (self, NULL, 0., -13., 13.);
}

static void
draw_select (HeddlePainter *self, const HeddleOperationKind *kind)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  wire (self, -20., 20., 0.);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, NULL, &stroke, &self->paper);
  heddle_item_move_to (item, -11., 0.);
  heddle_item_line_to (item, 0., -11.);
  heddle_item_line_to (item, 11., 0.);
  heddle_item_line_to (item, 0., 11.);
  heddle_item_close (item);
}

/* --- of what is no row of the table ---------------------------------------------------------------- */

static HeddlePainter
painter_of_glyph (HeddleTheme theme)
{
  HeddlePainter painter = heddle_painter_for (theme);

  heddle_item_rectangle (heddle_paint_path (&painter, HEDDLE_PART_BACKGROUND, NULL, NULL, NULL), -WIDTH / 2.,
      -HEIGHT / 2., WIDTH, HEIGHT, 0.);
  return painter;
}

void
heddle_paint_linear_glyph (HeddlePainter *self)
{
  draw_call (self, NULL);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, NULL, "\\mathbf{L}", HEDDLE_FONT_MATH, 17., NULL, 0., 6., 0.5);
}

HeddleScene *
heddle_figure_render_linear_glyph (HeddleTheme theme)
{
  HeddlePainter painter = painter_of_glyph (theme);

  heddle_paint_linear_glyph (&painter);
  return painter.scene;
}

void
heddle_paint_join_glyph (HeddlePainter *self, const char *sign)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, NULL, &stroke, NULL);

  wire (self, -20., 20., -1.);
  heddle_item_move_to (item, -20., 11.);
  heddle_item_curve_to (item, -9., 11., -7., -1., 4., -1.);
  heddle_paint_dot (self, HEDDLE_PART_GLYPH, NULL, &stroke, 4., -1.);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, NULL, sign, HEDDLE_FONT_MATH, 14., NULL, 4., -6., 0.5);
}

HeddleScene *
heddle_figure_render_join_glyph (const char *sign, HeddleTheme theme)
{
  HeddlePainter painter = painter_of_glyph (theme);

  heddle_paint_join_glyph (&painter, sign);
  return painter.scene;
}

/* One for each form, so that a new row of the table has a glyph by its form. */
static void (*const drawers[]) (HeddlePainter *self, const HeddleOperationKind *kind) = {
  [HEDDLE_FORM_MAP] = draw_map,
  [HEDDLE_FORM_CONTRACT] = draw_cup,
  [HEDDLE_FORM_REDUCE] = draw_reduction,
  [HEDDLE_FORM_NORMALISE] = draw_normalisation,
  [HEDDLE_FORM_REINDEX] = draw_reindex,
  [HEDDLE_FORM_CONCAT] = draw_concat,
  [HEDDLE_FORM_SCAN] = draw_normalisation,
  [HEDDLE_FORM_SELECT] = draw_select,
  [HEDDLE_FORM_CALL] = draw_call,
};

void
heddle_paint_kind_glyph (HeddlePainter *self, const HeddleOperationKind *kind)
{
  g_return_if_fail (kind != NULL && kind->form < G_N_ELEMENTS (drawers));

  drawers[kind->form](self, kind);
}

HeddleScene *
heddle_figure_render_glyph (const HeddleOperationKind *kind, HeddleTheme theme)
{
  HeddlePainter painter = painter_of_glyph (theme);

  heddle_paint_kind_glyph (&painter, kind);
  return painter.scene;
}
