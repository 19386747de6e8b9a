/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "figure/layout/bundle.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/regions.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"

#define DOT_RADIUS 3.2
#define HEAD_LENGTH 11.
#define HEAD_HALF 4.6
#define HEAD_NOTCH 3.
#define GLOW_WIDTH 7.
#define BOX_RADIUS 1.5
#define BUNDLE_SPREAD 1.5
#define SHADOW_SIGMA 3.

HeddlePainter
heddle_painter_for (HeddleTheme theme)
{
  return (HeddlePainter){
    .scene = heddle_scene_new (),
    .theme = theme,
    .ink = heddle_theme_ink (theme),
    .paper = heddle_theme_paper (theme),
    .dim = heddle_theme_dim (theme),
  };
}

double
heddle_paint_spread (const HeddlePainter *self, const char *axis)
{
  return self->layout != NULL && heddle_bundles_contain (self->layout->figure->presentation, axis)
             ? BUNDLE_SPREAD
             : 0.;
}

gboolean
heddle_paint_glow (const HeddlePainter *self, const char *axis, HeddleStroke *stroke)
{
  const char *fill = self->fills != NULL && axis != NULL ? g_hash_table_lookup (self->fills, axis) : NULL;

  if (fill == NULL || self->layout->figure->presentation->bands == HEDDLE_BANDS_SHADED)
    return FALSE; /* see heddle_paint_bands() */
  *stroke = (HeddleStroke){ .color = heddle_theme_glow (self->theme, fill), .width = GLOW_WIDTH };
  return TRUE;
}

gboolean
heddle_paint_tells_tuples (const HeddlePainter *self)
{
  const HeddlePresentation *presentation = self->layout->figure->presentation;

  return presentation == NULL || presentation->separators == HEDDLE_SEPARATORS_DRAWN;
}

HeddleStroke
heddle_paint_plain (const HeddlePainter *self)
{
  HeddleStroke stroke = { .color = self->ink, .width = 1. };

  if (self->layout != NULL && self->layout->figure->show & HEDDLE_SHOW_LABELS)
    heddle_level_style ("gmem", self->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  return stroke;
}

HeddleStroke
heddle_paint_stroke (const HeddlePainter *self, int region)
{
  const HeddleShownRegion *shown = self->layout != NULL ? heddle_layout_region (self->layout, region) : NULL;
  HeddleStroke stroke = heddle_paint_plain (self);

  if (shown != NULL)
    heddle_level_style (
        shown->level, self->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  return stroke;
}

/* Adds a new path on top: stroked where @stroke, filled where @fill is given. */
HeddleItem *
heddle_paint_path (HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke,
    const HeddleColor *fill)
{
  HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, part, object);

  if (stroke != NULL)
    {
      item->stroke = TRUE;
      item->stroke_color = stroke->color;
      item->line_width = stroke->width;
      heddle_item_set_dash (item, stroke->dash, stroke->n_dashes);
      /* round ends hide the seams where wires of one line meet */
      item->round_caps = stroke->n_dashes > 0 ? stroke->dash[0] < 1. : part == HEDDLE_PART_WIRE;
    }
  if (fill != NULL)
    {
      item->fill = TRUE;
      item->fill_color = *fill;
    }
  return item;
}

void
heddle_paint_card (HeddlePainter *self, HeddlePart part, const char *object, const char *fill, double x,
    double y, double width, double height)
{
  const HeddleColor color = heddle_theme_fill (self->theme, fill);
  const HeddleStroke outline = { .color = self->ink, .width = heddle_theme_outline (self->theme) };

  if (!(outline.width > 0.))
    {
      HeddleItem *shadow = heddle_scene_add (self->scene, HEDDLE_ITEM_SHADOW, part, object);
      shadow->x = x;
      shadow->y = y;
      shadow->width = width;
      shadow->height = height;
      shadow->radius = BOX_RADIUS;
      shadow->sigma = SHADOW_SIGMA;
      shadow->fill = TRUE;
      shadow->fill_color = heddle_theme_shadow (self->theme);
    }
  heddle_item_rectangle (heddle_paint_path (self, part, object, outline.width > 0. ? &outline : NULL, &color),
      x, y, width, height, BOX_RADIUS);
}

/* Of an operation, which may have a fill of its own. */
void
heddle_paint_box (HeddlePainter *self, const char *object, const char *fill, double x, double y, double width,
    double height)
{
  const char *own = self->fills != NULL && object != NULL ? g_hash_table_lookup (self->fills, object) : NULL;

  if (g_strcmp0 (own, "none") != 0)
    heddle_paint_card (self, HEDDLE_PART_BOX, object, own != NULL ? own : fill, x, y, width, height);
}

void
heddle_paint_dot (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y)
{
  HeddleItem *item = heddle_paint_path (self, part, object, NULL, &stroke->color);

  item->sign = HEDDLE_SIGN_DOT;
  heddle_item_arc (item, x, y, DOT_RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
}

/* Its tip at (@x, @y), pointing right. */
void
heddle_paint_arrow_head (
    HeddlePainter *self, HeddlePart part, const char *object, const HeddleStroke *stroke, double x, double y)
{
  HeddleItem *item = heddle_paint_path (self, part, object, NULL, &stroke->color);

  item->sign = HEDDLE_SIGN_ARROW;
  heddle_item_move_to (item, x, y);
  heddle_item_line_to (item, x - HEAD_LENGTH, y - HEAD_HALF);
  heddle_item_line_to (item, x - HEAD_LENGTH + HEAD_NOTCH, y);
  heddle_item_line_to (item, x - HEAD_LENGTH, y + HEAD_HALF);
  heddle_item_close (item);
}

/* Returns the width. */
double
heddle_paint_label (HeddlePainter *self, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, const HeddleColor *color, double x, double y, double align)
{
  const HeddleColor ink = color != NULL ? *color : self->ink;
  const double width
      = align > 0. ? heddle_math_layout (NULL, part, object, source, font, size, ink, x, y, NULL, NULL) : 0.;

  return heddle_math_layout (
      self->scene, part, object, source, font, size, ink, x - align * width, y, NULL, NULL);
}

/* Says of the items from number @from on which axis and value they show. */
void
heddle_paint_mark (HeddlePainter *self, guint from, const char *axis, const char *value)
{
  for (guint i = from; i < heddle_scene_get_n_items (self->scene); i++)
    {
      HeddleItem *item = (HeddleItem *) heddle_scene_get_item (self->scene, i);
      item->axis = axis;
      item->value = value;
    }
}

void
heddle_paint_mean (HeddlePainter *self, guint from, HeddleMeaning meaning)
{
  for (guint i = from; i < heddle_scene_get_n_items (self->scene); i++)
    {
      HeddleItem *item = (HeddleItem *) heddle_scene_get_item (self->scene, i);
      if (item->meaning == HEDDLE_MEANING_NONE)
        item->meaning = meaning;
    }
}
