/* SPDX-License-Identifier: MIT */
#include "diagram/graph/operation-table.h"
#include "figure/page/legend-sample.h"
#include "figure/page/palette-glyph.h"
#include "figure/paint/blocks.h"
#include "figure/paint/box.h"
#include "figure/paint/glyphs.h"
#include "figure/scene/path.h"
#include "figure/scene/theme.h"

#define END 20. /* px to the ends of a sample's line */
#define LETTER 14.
#define TAG_SLANT 6.
#define TAG_UP 9.

static HeddleItem *
new_line (HeddlePainter *self, double x1, double x2, double y, double width)
{
  const HeddleStroke stroke = { .color = self->ink, .width = width };
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, NULL);

  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
  return item;
}

static void
write_label (HeddlePainter *self, const char *source, double size, double x, double y)
{
  heddle_paint_label (self, HEDDLE_PART_ANNOTATION, NULL, source, HEDDLE_FONT_MATH, size, NULL, x, y, 0.5);
}

/* Paints a line that ends in a dot, or begins in one. */
static void
paint_dotted_end (HeddlePainter *self, double at, double other)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  new_line (self, MIN (at, other), MAX (at, other), 0., 1.);
  heddle_paint_dot (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, at, 0.);
}

static void
paint_line (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  if (meaning == HEDDLE_MEANING_BUNDLE)
    {
      new_line (self, -END, END, -1.5, 1.);
      new_line (self, -END, END, 1.5, 1.);
      return;
    }
  new_line (self, -END, END - (meaning == HEDDLE_MEANING_SCALAR ? 8. : 0.), 0.,
      meaning == HEDDLE_MEANING_WHOLE ? 2. : 1.);
  if (meaning == HEDDLE_MEANING_SCALAR)
    heddle_paint_arrow_head (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, END, 0.);
  if (meaning == HEDDLE_MEANING_WHOLE)
    {
      heddle_paint_arrow_head (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, 4., 0.);
      write_label (self, "\\mathbf{Z}", 12., 0., 13.);
    }
}

static void
paint_separator (HeddlePainter *self, HeddleMeaning meaning)
{
  heddle_item_set_dash (new_line (self, -END, END, 0., 2.), (const double[]){ 7.5, 6. }, 2);
}

static void
paint_copy (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  HeddleItem *item = new_line (self, -END, END, -6., 1.);

  heddle_item_move_to (item, -8., -6.);
  heddle_item_curve_to (item, 2., -6., 0., 8., 10., 8.);
  heddle_item_line_to (item, END, 8.);
  heddle_paint_dot (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, -8., -6.);
}

static void
paint_named (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, -8., 0., 1.);
  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL, "load", -8., -11., 28., 22.);
  write_label (self, "\\to A", LETTER, 6., 5.);
}

static void
paint_end (HeddlePainter *self, HeddleMeaning meaning)
{
  paint_dotted_end (
      self, meaning == HEDDLE_MEANING_REPEAT ? -10. : 10., meaning == HEDDLE_MEANING_REPEAT ? END : -END);
}

static void
paint_cast (HeddlePainter *self, HeddleMeaning meaning)
{
  HeddleItem *item = new_line (self, -END, END, -4., 1.);

  item = new_line (self, 0., 0., -8., 2.);
  heddle_item_line_to (item, 0., 0.);
  heddle_paint_label (self, HEDDLE_PART_ANNOTATION, NULL, "f16", HEDDLE_FONT_SANS, 12., NULL, 0., 11., 0.5);
}

static void
paint_scale (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL, "scale", -18., -12., 36., 24.);
  new_line (self, -END, 6., 5., 1.);
  heddle_paint_arrow_head (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, 14., 5.);
  write_label (self, "\\ast c", LETTER, 0., 0.);
}

static void
paint_crossing (HeddlePainter *self, HeddleMeaning meaning)
{
  HeddleItem *item = NULL;

  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL, "transpose", -13., -13., 26., 26.);
  item = new_line (self, -END, -12., -7., 1.);
  heddle_item_curve_to (item, 0., -7., 0., 7., 12., 7.);
  heddle_item_line_to (item, END, 7.);
  heddle_item_move_to (item, -END, 7.);
  heddle_item_line_to (item, -12., 7.);
  heddle_item_curve_to (item, 0., 7., 0., -7., 12., -7.);
  heddle_item_line_to (item, END, -7.);
}

static void
paint_mask (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 0., 1.);
  heddle_paint_mask (self, NULL, 0., 0., 20.);
}

static void
paint_index (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke stroke = heddle_paint_plain (self);

  new_line (self, -END, -9., 0., 1.);
  heddle_paint_pentagon (self, NULL, &stroke, 0., 0., 20., 20.);
  write_label (self, "0", 12., -2., 4.);
}

static void
paint_view (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, 0., 0., 1.);
  new_line (self, 0., END, -5., 1.);
  new_line (self, 0., END, 5., 1.);
  heddle_paint_bar (self, NULL, 0., -12., 12.);
}

static void
paint_window (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, -12., -6., 1.);
  new_line (self, 12., END, -6., 1.);
  new_line (self, 12., END, 6., 1.);
  heddle_paint_window (self, NULL, NULL, 0., -14., 13., 24.);
}

/* Paints an element, or the bow of a unit. */
static void
paint_source (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  HeddleItem *item = NULL;

  if (meaning == HEDDLE_MEANING_UNIT)
    {
      item = new_line (self, END, 0., -8., 1.);
      heddle_item_arc (item, 0., 0., 8., 3, -2, TRUE);
      heddle_item_line_to (item, END, 8.);
      return;
    }
  new_line (self, 8., END, 0., 1.);
  item = heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &stroke, &self->paper);
  heddle_item_move_to (item, -14., 0.);
  heddle_item_line_to (item, -6., -10.);
  heddle_item_line_to (item, 8., -10.);
  heddle_item_line_to (item, 8., 10.);
  heddle_item_line_to (item, -6., 10.);
  heddle_item_close (item);
  write_label (self, "1", 12., 0., 4.);
}

static void
paint_table (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 0., 1.);
  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL, "norm", -12., -12., 24., 24.);
  write_label (self, "\\mathbf{E}", LETTER, 0., 5.);
}

static void
paint_rotary (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 0., 1.);
  heddle_paint_norm (self, NULL, &(HeddleStroke){ .color = self->ink, .width = 1. }, "scan", 0., 0.);
}

static void
paint_box (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 0., 1.);
  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL,
      meaning == HEDDLE_MEANING_CALL ? "definition" : "convolution", -13., -11., 26., 22.);
  write_label (self, "f", LETTER, 0., 4.);
}

static void
paint_repetition (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 0., 1.);
  heddle_paint_parenthesis (self, NULL, -7., -12., 12., -1);
  heddle_paint_parenthesis (self, NULL, 7., -12., 12., 1);
}

static void
paint_scan (HeddlePainter *self, HeddleMeaning meaning)
{
  new_line (self, -END, END, 4., 1.);
  heddle_paint_card (self, HEDDLE_PART_ANNOTATION, NULL, "definition", -13., -4., 26., 16.);
  heddle_paint_loop (self, HEDDLE_PART_ANNOTATION, NULL, -7., 7., -4., 9.);
}

static void
paint_kernel (HeddlePainter *self, HeddleMeaning meaning)
{
  HeddleColor color, tint;
  double width, dash[8];
  guint n_dashes;

  heddle_level_style ("smem", self->theme, &color, &width, dash, &n_dashes);
  tint = color;
  tint.a = heddle_theme_tint (self->theme);
  heddle_item_rectangle (
      heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, NULL, &tint), -END, -12., 2. * END, 24., 0.);
  heddle_item_rectangle (
      heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, NULL, &color), -END, -13.5, 2. * END, 3., 0.);
}

static void
paint_tag (HeddlePainter *self, HeddleMeaning meaning)
{
  HeddleStroke outline = { .width = 1.4 };
  double width;

  heddle_level_style ("smem", self->theme, &outline.color, &width, outline.dash, &outline.n_dashes);
  outline.n_dashes = 0;
  if (meaning == HEDDLE_MEANING_INACTIVE)
    {
      outline.color = self->dim;
      outline.dash[0] = outline.dash[1] = 3.;
      outline.n_dashes = 2;
    }
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &outline, &self->paper);
  heddle_item_move_to (item, -END, 0.);
  heddle_item_line_to (item, -END + TAG_SLANT, -TAG_UP);
  heddle_item_line_to (item, END - TAG_SLANT, -TAG_UP);
  heddle_item_line_to (item, END, 0.);
  heddle_item_line_to (item, END - TAG_SLANT, TAG_UP);
  heddle_item_line_to (item, -END + TAG_SLANT, TAG_UP);
  heddle_item_close (item);
  write_label (self, meaning == HEDDLE_MEANING_GROUP ? "g_x" : "s_x", LETTER, 0., 4.);
}

static void
paint_carried (HeddlePainter *self, HeddleMeaning meaning)
{
  const HeddleStroke dotted = { .color = self->ink, .width = 1., .dash = { 1.2, 3. }, .n_dashes = 2 };

  heddle_item_rectangle (
      heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &dotted, NULL), -END, -11., 2. * END, 22., 0.);
}

static void
paint_costs (HeddlePainter *self, HeddleMeaning meaning)
{
  write_label (self, "H", 15., -9., 5.);
  write_label (self, "M", 15., 10., 5.);
}

static void
paint_level (HeddlePainter *self, HeddleMeaning meaning)
{
  HeddleStroke stroke;
  HeddleItem *item = NULL;

  heddle_level_style (heddle_meaning_level (meaning), self->theme, &stroke.color, &stroke.width, stroke.dash,
      &stroke.n_dashes);
  item = heddle_paint_path (self, HEDDLE_PART_WIRE, NULL, &stroke, NULL);
  heddle_item_move_to (item, -END, 0.);
  heddle_item_line_to (item, END, 0.);
}

/* --- those of the palette -------------------------------------------------------------------------------- */

static void
paint_linear (HeddlePainter *self, HeddleMeaning meaning)
{
  heddle_paint_linear_glyph (self);
}

static void
paint_join (HeddlePainter *self, HeddleMeaning meaning)
{
  heddle_paint_join_glyph (self, "+");
}

static const struct
{
  void (*paint) (HeddlePainter *self, HeddleMeaning meaning);
  const char *kind; /* an operation whose glyph it is, where nothing paints */
} samples[HEDDLE_N_MEANINGS] = {
  [HEDDLE_MEANING_AXIS] = { paint_line },
  [HEDDLE_MEANING_BUNDLE] = { paint_line },
  [HEDDLE_MEANING_SCALAR] = { paint_line },
  [HEDDLE_MEANING_WHOLE] = { paint_line },
  [HEDDLE_MEANING_SEPARATOR] = { paint_separator },
  [HEDDLE_MEANING_COPY] = { paint_copy },
  [HEDDLE_MEANING_NAMED] = { paint_named },
  [HEDDLE_MEANING_UNREAD] = { paint_end },
  [HEDDLE_MEANING_CAST] = { paint_cast },
  [HEDDLE_MEANING_CONTRACTION] = { NULL, "contract" },
  [HEDDLE_MEANING_SCALE] = { paint_scale },
  [HEDDLE_MEANING_LINEAR] = { paint_linear },
  [HEDDLE_MEANING_MAP] = { NULL, "map" },
  [HEDDLE_MEANING_JOIN] = { paint_join },
  [HEDDLE_MEANING_MASK] = { paint_mask },
  [HEDDLE_MEANING_SOFTMAX] = { NULL, "softmax" },
  [HEDDLE_MEANING_LENGTH] = { NULL, "l2norm" },
  [HEDDLE_MEANING_RMS] = { NULL, "rmsnorm" },
  [HEDDLE_MEANING_VARIANCE] = { NULL, "layernorm" },
  [HEDDLE_MEANING_BATCH] = { NULL, "batchnorm" },
  [HEDDLE_MEANING_REDUCTION] = { paint_end },
  [HEDDLE_MEANING_SCAN] = { NULL, "cumsum" },
  [HEDDLE_MEANING_TRANSPOSE] = { paint_crossing },
  [HEDDLE_MEANING_READING] = { NULL, "reindex" },
  [HEDDLE_MEANING_INDEX] = { paint_index },
  [HEDDLE_MEANING_VIEW] = { paint_view },
  [HEDDLE_MEANING_WINDOW] = { paint_window },
  [HEDDLE_MEANING_REPEAT] = { paint_end },
  [HEDDLE_MEANING_CONSTANT] = { paint_source },
  [HEDDLE_MEANING_UNIT] = { paint_source },
  [HEDDLE_MEANING_CONCAT] = { NULL, "concat" },
  [HEDDLE_MEANING_SELECT] = { NULL, "argtopk" },
  [HEDDLE_MEANING_GATHER] = { paint_table },
  [HEDDLE_MEANING_ROTARY] = { paint_rotary },
  [HEDDLE_MEANING_BOX] = { paint_box },
  [HEDDLE_MEANING_CALL] = { paint_box },
  [HEDDLE_MEANING_REPETITION] = { paint_repetition },
  [HEDDLE_MEANING_LOOP] = { paint_scan },
  [HEDDLE_MEANING_KERNEL] = { paint_kernel },
  [HEDDLE_MEANING_GROUP] = { paint_tag },
  [HEDDLE_MEANING_STREAM] = { paint_tag },
  [HEDDLE_MEANING_INACTIVE] = { paint_tag },
  [HEDDLE_MEANING_CARRIED] = { paint_carried },
  [HEDDLE_MEANING_COSTS] = { paint_costs },
  [HEDDLE_MEANING_GMEM] = { paint_level },
  [HEDDLE_MEANING_L2] = { paint_level },
  [HEDDLE_MEANING_SMEM] = { paint_level },
  [HEDDLE_MEANING_REGISTERS] = { paint_level },
  [HEDDLE_MEANING_TENSOR] = { paint_level },
};

void
heddle_paint_sample (HeddlePainter *self, HeddleMeaning meaning)
{
  g_return_if_fail (meaning > HEDDLE_MEANING_NONE && meaning < HEDDLE_N_MEANINGS);

  if (samples[meaning].paint != NULL)
    samples[meaning].paint (self, meaning);
  else
    heddle_paint_kind_glyph (self, heddle_operation_kind (samples[meaning].kind));
}
