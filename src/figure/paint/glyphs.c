/* SPDX-License-Identifier: MIT */
#include "figure/layout/node-title.h"
#include "figure/paint/glyphs.h"
#include "figure/scene/path.h"
#include "figure/scene/theme.h"

#define TRIANGLE_WIDTH 20.
#define TRIANGLE_HEIGHT 28.
#define NORM_RADIUS 9.
#define TAIL 5. /* of an elementwise function's arrows */
#define FLOAT_SIZE 15. /* of its formula */

static void
polygon (HeddleItem *item, const double *points, guint n)
{
  for (guint i = 0; i < n; i++)
    if (i == 0)
      heddle_item_move_to (item, points[0], points[1]);
    else
      heddle_item_line_to (item, points[2 * i], points[2 * i + 1]);
  heddle_item_close (item);
}

/* Paints a softmax, which points left; @span is from the first to the last of the wires that it takes in. */
void
heddle_paint_triangle (
    HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y, double span)
{
  HeddleStroke outline = *stroke;
  const double half = (TRIANGLE_HEIGHT + span) / 2.;

  outline.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &outline, &self->paper);
  item->sign = HEDDLE_SIGN_SOFTMAX;
  polygon (item,
      (const double[]){
          x - TRIANGLE_WIDTH / 2., y, x + TRIANGLE_WIDTH / 2., y - half, x + TRIANGLE_WIDTH / 2., y + half },
      3);
}

/* Paints a bold circle: with a V for the root mean square, a vertical diameter for mean and variance, empty
 * for the length. */
void
heddle_paint_norm (HeddlePainter *self, const char *object, const HeddleStroke *stroke, const char *glyph,
    double x, double y)
{
  const HeddleStroke bold = { .color = stroke->color, .width = 2. };
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &bold, &self->paper);

  item->sign = HEDDLE_SIGN_NORM;
  heddle_item_arc (item, x, y, NORM_RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  if (g_str_equal (glyph, "layernorm"))
    {
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &bold, NULL);
      heddle_item_move_to (item, x, y - NORM_RADIUS);
      heddle_item_line_to (item, x, y + NORM_RADIUS);
    }
  else if (g_str_equal (glyph, "batchnorm")) /* its wire goes in and comes out */
    {
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &bold, NULL);
      heddle_item_move_to (item, x - NORM_RADIUS, y);
      heddle_item_line_to (item, x + NORM_RADIUS, y);
    }
  else if (g_str_equal (glyph, "scan")) /* round and on */
    {
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, stroke, NULL);
      heddle_item_arc (item, x, y, 4.5, 0, 3, FALSE);
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, NULL, &stroke->color);
      heddle_item_move_to (item, x + 4., y - 4.5);
      heddle_item_line_to (item, x - 0.5, y - 7.5);
      heddle_item_line_to (item, x - 0.5, y - 1.5);
      heddle_item_close (item);
    }
  else if (g_str_equal (glyph, "rmsnorm"))
    {
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &bold, NULL);
      heddle_item_move_to (item, x - 4., y - 3.5);
      heddle_item_line_to (item, x, y + 4.);
      heddle_item_line_to (item, x + 4., y - 3.5);
    }
}

/* Paints a square split on its diagonal: below it is kept, above it is left out. */
void
heddle_paint_mask (HeddlePainter *self, const char *object, double x, double y, double size)
{
  const HeddleStroke outline = { .color = self->ink, .width = 1. };
  const double half = size / 2.;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &outline, &self->paper);

  heddle_item_rectangle (item, x - half, y - half, size, size, 0.);
  item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, NULL, &self->ink);
  polygon (item, (const double[]){ x - half, y - half, x + half, y + half, x - half, y + half }, 3);
}

void
heddle_paint_hexagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y,
    double width, double height)
{
  HeddleStroke outline = *stroke;
  const double half = width / 2., up = height / 2., slant = MIN (7., half);

  outline.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &outline, &self->paper);
  polygon (item,
      (const double[]){ x - half, y, x - half + slant, y - up, x + half - slant, y - up, x + half, y,
          x + half - slant, y + up, x - half + slant, y + up },
      6);
}

void
heddle_paint_window (
    HeddlePainter *self, const char *object, const char *label, double x, double y1, double y2, double width)
{
  const HeddleStroke outline = { .color = self->ink, .width = 1.2 };
  const HeddleColor fill = heddle_theme_fill (self->theme, "window");
  const guint from = heddle_scene_get_n_items (self->scene);
  const double left = x - width / 2., right = x + width / 2., foot = y1 + MIN (22., 0.64 * (y2 - y1));
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &outline, &fill);

  polygon (item, (const double[]){ left, y1, right, y1, right, y2, left, foot }, 4);
  item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &outline, NULL);
  heddle_item_move_to (item, left, foot);
  heddle_item_line_to (item, right, y1 + 0.45 * (foot - y1));
  heddle_paint_label (self, HEDDLE_PART_GLYPH, object, "\\star", HEDDLE_FONT_MATH, 12.5, NULL,
      left + 0.3 * width, y1 + 12., 0.5);
  if (label != NULL)
    heddle_paint_label (
        self, HEDDLE_PART_GLYPH, object, label, HEDDLE_FONT_MATH, 12.5, NULL, right - 5.5, foot - 1., 0.5);
  heddle_paint_mean (self, from, HEDDLE_MEANING_WINDOW);
}

/* Paints a view: axes split or merge at it. */
void
heddle_paint_bar (HeddlePainter *self, const char *object, double x, double y1, double y2)
{
  const HeddleStroke thick = { .color = self->ink, .width = 4. };
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &thick, NULL);

  heddle_item_move_to (item, x, y1);
  heddle_item_line_to (item, x, y2);
}

/* Paints an index, with its flat side on the left. */
void
heddle_paint_pentagon (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x,
    double y, double width, double height)
{
  const double half = width / 2., up = height / 2., slant = MIN (8., half);
  const char *own = self->fills != NULL && object != NULL ? g_hash_table_lookup (self->fills, object) : NULL;
  const HeddleColor fill = own != NULL ? heddle_theme_fill (self->theme, own) : self->paper;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, stroke, &fill);

  polygon (item,
      (const double[]){ x - half, y - up, x + half - slant, y - up, x + half, y, x + half - slant, y + up,
          x - half, y + up },
      5);
}

static void
arrow_tail (HeddlePainter *self, const char *object, const HeddleStroke *stroke, double x, double y)
{
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, NULL, &stroke->color);

  polygon (item, (const double[]){ x + 8., y, x, y - 3.6, x + 2.4, y, x, y + 3.6 }, 4);
}

void
heddle_paint_title (HeddlePainter *self, const char *object, const char *title, HeddleFont font, double size,
    double x, double y)
{
  g_auto (GStrv) lines = g_strsplit (title != NULL ? title : "", "\n", -1);
  const guint n = g_strv_length (lines);

  for (guint i = 0; i < n; i++)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, object, lines[i], font, size, NULL, x,
        y - (n - 1 - i) * HEDDLE_TITLE_LEADING * size, 0.5);
}

/* Paints an elementwise function: `> f >`, the arrow of its last line at height @y from @x on. */
void
heddle_paint_float (
    HeddlePainter *self, const char *object, const char *title, double x, double y, double width)
{
  const HeddleStroke stroke = heddle_paint_plain (self);
  const double low = y + 4.5;

  y -= (heddle_title_n_lines (title) - 1) * HEDDLE_TITLE_LEADING * FLOAT_SIZE / 2.;
  arrow_tail (self, object, &stroke, x, y);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &stroke, NULL);
  heddle_item_move_to (item, x + 2., y);
  heddle_item_line_to (item, x + TAIL + 2., y);
  heddle_item_move_to (item, x + width - TAIL - 4., y);
  heddle_item_line_to (item, x + width - 6., y);
  heddle_paint_arrow_head (self, HEDDLE_PART_GLYPH, object, &stroke, x + width, y);
  heddle_paint_title (self, object, title, HEDDLE_FONT_MATH, FLOAT_SIZE, x + width / 2. - 2., low);
}
