/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "figure/layout/block-title.h"
#include "figure/layout/blocks.h"
#include "figure/layout/lines.h"
#include "figure/layout/title-size.h"
#include "figure/paint/blocks.h"
#include "figure/paint/prose.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/prose-pieces.h"

#define SHADOW_SIGMA 3.
#define PARENTHESIS_GAP 5.
#define PARENTHESIS_DEPTH 9. /* how far it bows out */
#define PARENTHESIS_WIDTH 2.6
#define CORNER_SIZE 15.
#define CORNER_BESIDE 6. /* from the parenthesis, which bows out, to what stands at its ends */

static void
paint_backdrop (HeddlePainter *self, const HeddleShownBlock *shown)
{
  const HeddleBlock *block = shown->block;
  const double width = shown->x2 - shown->x1, height = shown->y2 - shown->y1;

  if (block->frame == HEDDLE_FRAME_NONE)
    return;
  if (block->frame == HEDDLE_FRAME_DOTS)
    {
      const HeddleStroke dotted = { .color = self->ink, .width = 1., .dash = { 1.2, 3. }, .n_dashes = 2 };
      heddle_item_rectangle (heddle_paint_path (self, HEDDLE_PART_BACKGROUND, block->id, &dotted, NULL),
          shown->x1, shown->y1, width, height, 0.);
      return;
    }
  heddle_paint_card (self, HEDDLE_PART_BACKGROUND, block->id, block->fill != NULL ? block->fill : "head",
      shown->x1, shown->y1, width, height);
}

/* Paints the outermost first; nodes come on top. */
void
heddle_paint_blocks (HeddlePainter *self)
{
  const GPtrArray *blocks = self->layout->blocks;

  for (guint i = blocks->len; i-- > 0;)
    paint_backdrop (self, blocks->pdata[i]);
}

static void
paint_title (HeddlePainter *self, const HeddleShownBlock *shown)
{
  const HeddleBlock *block = shown->block;
  double x1 = shown->title_x, x2 = shown->title_x + shown->title_width;
  if (heddle_layout_wrap_width (self->layout) > 0.)
    heddle_layout_widest_in_line (self->layout, &x1, &x2);
  const HeddleProse prose = { .part = HEDDLE_PART_ANNOTATION,
    .object = block->id,
    .size = heddle_block_title_size (block),
    .width = x2 - x1,
    .align = 0.5 };

  if (block->title != NULL && *block->title != '\0')
    heddle_prose_set (self, &prose, block->title, x1, shown->title_top, NULL, NULL);
}

/* Paints a parenthesis; @side is -1 left, 1 right. */
void
heddle_paint_parenthesis (HeddlePainter *self, const char *object, double x, double y1, double y2, int side)
{
  const HeddleStroke stroke = { .color = self->ink, .width = PARENTHESIS_WIDTH };
  const double reach = 0.28 * (y2 - y1), out = side * PARENTHESIS_DEPTH;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &stroke, NULL);

  item->meaning = HEDDLE_MEANING_REPETITION;
  item->round_caps = TRUE;
  heddle_item_move_to (item, x, y1);
  heddle_item_curve_to (item, x + out, y1 + reach * 0.35, x + out, y1 + reach, x + out, (y1 + y2) / 2.);
  heddle_item_curve_to (item, x + out, y2 - reach, x + out, y2 - reach * 0.35, x, y2);
}

static void
paint_corner (HeddlePainter *self, const char *object, const char *text, double x, double y, double align)
{
  if (text != NULL)
    heddle_paint_label (
        self, HEDDLE_PART_ANNOTATION, object, text, HEDDLE_FONT_MATH, CORNER_SIZE, NULL, x, y, align);
}

/* Returns whether a line between two arrays runs through the area. */
static gboolean
meets_separator (const HeddlePainter *self, double left, double top, double right, double bottom)
{
  for (guint i = 0; i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, i);
      double x = 0., y = 0.;
      for (guint j = 0; item->part == HEDDLE_PART_SEPARATOR && j < item->path->len; j++)
        {
          const HeddleSegment *to = &g_array_index (item->path, HeddleSegment, j);
          if (to->kind == HEDDLE_SEGMENT_LINE && MIN (x, to->x1) < right && MAX (x, to->x1) > left
              && MIN (y, to->y1) < bottom && MAX (y, to->y1) > top)
            return TRUE;
          x = to->x1;
          y = to->y1;
        }
    }
  return FALSE;
}

void
heddle_paint_times (HeddlePainter *self, HeddlePart part, const char *object, const char *text, double size,
    double x, double y1, double y2)
{
  const double right = x + heddle_title_width (text, HEDDLE_FONT_MATH, size);
  const double above = y1 + 4., below = y2 + 6.;
  const gboolean taken = meets_separator (self, x, above - size, right, above + 4.)
                         && !meets_separator (self, x, below - size, right, below + 4.);

  heddle_paint_label (self, part, object, text, HEDDLE_FONT_MATH, size, NULL, x, taken ? below : above, 0.);
}

static void
paint_repetition (HeddlePainter *self, const HeddleShownBlock *shown)
{
  const HeddleBlock *block = shown->block;
  const double left = shown->x1 - PARENTHESIS_GAP, right = shown->x2 + PARENTHESIS_GAP;
  const double y1 = shown->y1 - 6., y2 = shown->y2 + 6.;

  heddle_paint_parenthesis (self, block->id, left, y1, y2, -1);
  heddle_paint_parenthesis (self, block->id, right, y1, y2, 1);
  paint_corner (self, block->id, block->last, left - CORNER_BESIDE, y1 + 4., 1.);
  paint_corner (self, block->id, block->first, left - CORNER_BESIDE, y2 + 6., 1.);
  if (block->times != NULL)
    heddle_paint_times (
        self, HEDDLE_PART_ANNOTATION, block->id, block->times, CORNER_SIZE, right + 4., y1, y2);
}

/* Titles and parentheses, which lie on top. */
void
heddle_paint_block_heads (HeddlePainter *self)
{
  const GPtrArray *blocks = self->layout->blocks;

  for (guint i = 0; i < blocks->len; i++)
    {
      const HeddleShownBlock *shown = blocks->pdata[i];
      paint_title (self, shown);
      if (heddle_block_repeats (shown->block))
        paint_repetition (self, shown);
    }
}
