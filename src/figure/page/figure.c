/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/bundle.h"
#include "figure/layout/layout.h"
#include "figure/layout/node-title.h"
#include "figure/page/figure.h"
#include "figure/page/titles.h"
#include "figure/paint/bands.h"
#include "figure/paint/blocks.h"
#include "figure/paint/casts.h"
#include "figure/paint/labels.h"
#include "figure/paint/lines.h"
#include "figure/paint/nodes.h"
#include "figure/paint/notes.h"
#include "figure/paint/paint.h"
#include "figure/paint/regions.h"
#include "figure/paint/separators.h"
#include "figure/paint/table.h"
#include "figure/paint/wires.h"
#include "figure/scene/theme.h"

#define TITLE_SIZE 18.
#define TITLE_DISTANCE 28. /* from its top to what is below it */
#define TITLE_BESIDE 12. /* from what stands beside it */
#define TITLE_SIDEWAYS 8. /* how much lower it comes at the least where it does not stand over the middle */

static GHashTable *
index_fills (const HeddlePresentation *presentation)
{
  GHashTable *fills = g_hash_table_new (NULL, NULL);

  for (guint i = 0; presentation != NULL && i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = presentation->fills->pdata[i];
      g_hash_table_insert (fills, (gpointer) fill->object, fill->fill);
    }
  return fills;
}

/* Returns what comes highest of all from @x1 to @x2, and its top; or NULL and @bottom. */
static const HeddleItem *
highest_within (const HeddleScene *scene, double x1, double x2, double bottom, double *top)
{
  const HeddleItem *highest = NULL;

  *top = bottom;
  for (guint i = 0; i < scene->items->len; i++)
    {
      double left, y, width, height;
      heddle_item_get_bounds (scene->items->pdata[i], &left, &y, &width, &height);
      if (left >= x2 || left + width <= x1 || y >= *top)
        continue;
      highest = scene->items->pdata[i];
      *top = y;
    }
  return highest;
}

/* Returns whether the figure has several lines, which lie below one another. */
static gboolean
is_broken (const HeddleLayout *layout)
{
  for (int t = 0; t <= layout->n_stages; t++)
    if (heddle_layout_column (layout, t)->breaks)
      return TRUE;
  return FALSE;
}

/* Paints the title over the middle of the figure. Where a block or a note is highest in a figure of one line, it may
 * stand over the left or the right instead, if it comes lower. */
static void
paint_figure_title (HeddlePainter *self, const char *title)
{
  const double half = heddle_title_width (title, HEDDLE_FONT_SANS, TITLE_SIZE) / 2.;
  double x, y, width, height, top;

  heddle_scene_get_bounds (self->scene, &x, &y, &width, &height);
  double middle = x + width / 2.;
  const HeddleItem *highest = highest_within (self->scene, x, x + width, y + height, &top);
  const gboolean aside
      = highest != NULL && 2. * half <= width && !is_broken (self->layout)
        && (highest->part == HEDDLE_PART_BACKGROUND || highest->part == HEDDLE_PART_ANNOTATION);
  for (int side = -1; aside && side <= 1; side += 2)
    {
      const double at = x + width / 2. + side * (width / 2. - half);
      double under;
      highest_within (self->scene, at - half - TITLE_BESIDE, at + half + TITLE_BESIDE, y + height, &under);
      if (under < top + TITLE_SIDEWAYS)
        continue;
      middle = at;
      top = under;
    }
  heddle_paint_label (self, HEDDLE_PART_ANNOTATION, NULL, title, HEDDLE_FONT_SANS, TITLE_SIZE, NULL, middle,
      top - TITLE_DISTANCE + TITLE_SIZE, 0.5);
}

static void
paint_presentation (HeddlePainter *self, const HeddlePresentation *presentation, guint ground)
{
  heddle_paint_notes (self, presentation, ground);
  if (presentation->title != NULL && *presentation->title != '\0')
    paint_figure_title (self, presentation->title);
}

HeddleScene *
heddle_figure_render (const HeddleFigure *figure)
{
  g_return_val_if_fail (figure != NULL && figure->diagram != NULL, NULL);

  HeddleFigure drawn = *figure;
  g_autoptr (HeddleDiagram) bundled = heddle_bundles_apply (figure);
  drawn.diagram = bundled != NULL ? bundled : figure->diagram;
  HeddleLayout *layout = heddle_layout_new (&drawn);
  HeddlePainter painter = {
    .scene = heddle_scene_new (),
    .theme = figure->theme,
    .ink = heddle_theme_ink (figure->theme),
    .paper = heddle_theme_paper (figure->theme),
    .dim = heddle_theme_dim (figure->theme),
    .layout = layout,
    .fills = index_fills (figure->presentation),
  };

  heddle_paint_blocks (&painter);
  heddle_paint_bands (&painter);
  heddle_paint_copies (&painter);
  heddle_paint_regions (&painter);
  guint ground = heddle_scene_get_n_items (painter.scene);
  heddle_paint_boxes (&painter);
  heddle_paint_separators (&painter);
  heddle_paint_wires (&painter);
  heddle_paint_casts (&painter);
  heddle_paint_nodes (&painter);
  heddle_paint_labels (&painter);
  heddle_paint_block_heads (&painter);
  heddle_paint_region_heads (&painter);
  heddle_paint_table (&painter);
  ground = heddle_paint_lines (&painter, ground);
  if (figure->presentation != NULL)
    paint_presentation (&painter, figure->presentation, ground);
  heddle_scene_title_objects (painter.scene, figure);
  g_hash_table_unref (painter.fills);
  heddle_layout_free (layout);
  return painter.scene;
}
