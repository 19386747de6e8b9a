/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/bundle.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/layout.h"
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
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define TITLE_SIZE 18.
#define TITLE_DISTANCE 28.

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

static void
paint_presentation (HeddlePainter *self, const HeddlePresentation *presentation, guint ground)
{
  double x, y, width, height;

  heddle_paint_notes (self, presentation, ground);
  if (presentation->title == NULL || *presentation->title == '\0')
    return;
  heddle_scene_get_bounds (self->scene, &x, &y, &width, &height);
  heddle_paint_label (self, HEDDLE_PART_ANNOTATION, NULL, presentation->title, HEDDLE_FONT_SANS, TITLE_SIZE,
      NULL, x + width / 2., y - TITLE_DISTANCE + TITLE_SIZE, 0.5);
}

/**
 * heddle_figure_render:
 * @figure: what is drawn, and how
 *
 * Lays the diagram out and makes its scene: the same for the same figure, and little different for one little edited. It takes time
 * near-linear in the number of operations. Ids of items are the diagram's own; wires carry axis and value.
 *
 * Returns: (transfer full): the scene; empty for a diagram without values
 */
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
  heddle_paint_region_heads (&painter);
  heddle_paint_block_heads (&painter);
  heddle_paint_table (&painter);
  ground = heddle_paint_lines (&painter, ground);
  if (figure->presentation != NULL)
    paint_presentation (&painter, figure->presentation, ground);
  heddle_scene_title_objects (painter.scene, figure);
  g_hash_table_unref (painter.fills);
  heddle_layout_free (layout);
  return painter.scene;
}
