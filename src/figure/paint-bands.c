/* SPDX-License-Identifier: MIT */
#include "figure/paint.h"

/* Columns of data types and of operations on bands of two colours, as diagrams are explained with. */

#define OVER 17. /* a wire, for its name */
#define UNDER 8.
#define HALF 15. /* of a band of data types, at least */
#define BESIDE 5.

typedef struct
{
  double x1, x2, y1, y2;
} Band;

static void
cover_lines (const HeddleLayout *layout, int t, Band *band)
{
  const GPtrArray *live = layout->live->pdata[t];

  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      for (guint j = 0; j < member->strands->len; j++)
        {
          const double y = heddle_layout_line_y (layout, heddle_strand (member->strands, j)->line);
          band->y1 = MIN (band->y1, y - OVER);
          band->y2 = MAX (band->y2, y + UNDER);
        }
    }
}

static void
cover_nodes (const HeddleLayout *layout, int t, Band *band)
{
  const GPtrArray *nodes = layout->stages->pdata[t];

  for (guint i = 0; i < nodes->len; i++)
    {
      const HeddleFigureNode *node = nodes->pdata[i];
      const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;
      band->x1 = MIN (band->x1, node->x - BESIDE);
      band->x2 = MAX (band->x2, node->x + node->width + attached + BESIDE);
      band->y1 = MIN (band->y1, node->top - BESIDE);
      band->y2 = MAX (band->y2, node->bottom + BESIDE);
    }
}

static void
paint_band (HeddlePainter *self, const Band *band, const char *fill)
{
  if (band->x2 > band->x1 && band->y2 > band->y1)
    heddle_paint_card (self, HEDDLE_PART_BACKGROUND, NULL, fill, band->x1, band->y1, band->x2 - band->x1,
        band->y2 - band->y1);
}

void
heddle_paint_bands (HeddlePainter *self)
{
  const HeddleLayout *layout = self->layout;
  const HeddlePresentation *presentation = layout->figure->presentation;

  if (presentation == NULL || presentation->bands != HEDDLE_BANDS_SHADED)
    return;
  for (int t = 0; t <= layout->n_stages; t++)
    {
      const double middle = heddle_layout_column (layout, t)->labels;
      Band data = { middle - HALF, middle + HALF, G_MAXDOUBLE, -G_MAXDOUBLE };
      Band operations = { G_MAXDOUBLE, -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE };
      cover_lines (layout, t, &data);
      paint_band (self, &data, "data");
      if (t == layout->n_stages)
        continue;
      cover_lines (layout, t, &operations);
      cover_nodes (layout, t, &operations);
      paint_band (self, &operations, "operation");
    }
}
