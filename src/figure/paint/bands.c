/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"
#include "figure/paint/bands.h"
#include "figure/scene/scene.h"

/* Columns of data types and of operations on bands of two colours, as diagrams are explained with. */

#define OVER 17. /* a wire, for its name */
#define UNDER 11.
#define HALF 15. /* of a band of data types, at least */
#define BESIDE 5.
#define BESIDE_COPY 12.
#define APART 6. /* px between a band of operations and what goes on under them */
#define BEYOND 7. /* the outer columns, of a band along an axis */

typedef struct
{
  double x1, x2, y1, y2;
} Band;

/* Covers the wires of the arrays from number @first to before @end at column @t. */
static void
cover_lines (const HeddleLayout *layout, int t, guint first, guint end, gboolean scalars, Band *band)
{
  const GPtrArray *live = layout->live->pdata[t];

  for (guint i = first; i < end; i++)
    {
      const HeddleMember *member = live->pdata[i];
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          const double y = heddle_layout_line_y (layout, strand->line);
          if (strand->axis == NULL && !scalars) /* its arrow has no name */
            continue;
          band->y1 = MIN (band->y1, y - OVER);
          band->y2 = MAX (band->y2, y + UNDER);
        }
    }
}

/* Returns the number of the first array at column @t under all that something is done to there. */
static guint
first_below (const HeddleLayout *layout, int t)
{
  const GPtrArray *live = layout->live->pdata[t];

  for (guint i = live->len; i > 0; i--)
    {
      const HeddleMember *member = live->pdata[i - 1];

      if (member->to == t && member->end == HEDDLE_END_OPERATION)
        return i;
    }
  return live->len;
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

/* Paints an axis with a fill of its own on a band behind all columns. */
static void
paint_axis_band (HeddlePainter *self, const char *axis, const char *fill)
{
  const HeddleLayout *layout = self->layout;
  Band band = { G_MAXDOUBLE, -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (layout, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          if (strand->axis != axis)
            continue;
          const double y = heddle_layout_line_y (layout, strand->line);
          band.x1 = MIN (band.x1, heddle_layout_column (layout, member->from)->labels - HALF - BEYOND);
          band.x2 = MAX (band.x2, heddle_layout_column (layout, member->to)->labels + HALF + BEYOND);
          band.y1 = MIN (band.y1, y - OVER + 3.);
          band.y2 = MAX (band.y2, y + 4.);
        }
    }
  paint_band (self, &band, fill);
}

static void
paint_axis_bands (HeddlePainter *self)
{
  const GPtrArray *axes = self->layout->diagram->axes;

  for (guint i = 0; self->fills != NULL && i < axes->len; i++)
    {
      const HeddleAxis *axis = axes->pdata[i];
      const char *fill = g_hash_table_lookup (self->fills, axis->id);
      if (fill != NULL)
        paint_axis_band (self, axis->id, fill);
    }
}

/* Paints a value with a fill of its own on a card where it is copied. */
static void
paint_copies (HeddlePainter *self, const char *value, const char *fill)
{
  const HeddleLayout *layout = self->layout;
  Band band = { G_MAXDOUBLE, -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (layout, i);
      if (member->value != value || member->start != HEDDLE_START_COPY)
        continue;
      band.x1 = MIN (band.x1, member->bend_from - BESIDE_COPY);
      band.x2 = MAX (band.x2, member->bend_to + BESIDE_COPY);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          const double from = heddle_layout_line_y (layout, strand->source),
                       to = heddle_layout_line_y (layout, strand->line);
          band.y1 = MIN (band.y1, MIN (from, to) - OVER);
          band.y2 = MAX (band.y2, MAX (from, to) + UNDER);
        }
    }
  if (band.x2 > band.x1)
    heddle_paint_card (
        self, HEDDLE_PART_BACKGROUND, value, fill, band.x1, band.y1, band.x2 - band.x1, band.y2 - band.y1);
}

void
heddle_paint_copies (HeddlePainter *self)
{
  const GPtrArray *values = self->layout->diagram->values;

  for (guint i = 0; self->fills != NULL && i < values->len; i++)
    {
      const char *value = ((const HeddleValue *) values->pdata[i])->id;
      const char *fill = g_hash_table_lookup (self->fills, value);
      if (fill != NULL)
        paint_copies (self, value, fill);
    }
}

/* Paints the operations of a stage on a band, and what goes on under them as it is on one of its own, as an
 * identity, where tuples are told apart. */
static void
paint_operations (HeddlePainter *self, int t)
{
  const HeddleLayout *layout = self->layout;
  const GPtrArray *live = layout->live->pdata[t];
  const guint below = heddle_paint_tells_tuples (self) ? first_below (layout, t) : live->len;
  Band operations = { G_MAXDOUBLE, -G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE }, rest = operations;

  cover_lines (layout, t, 0, below, TRUE, &operations);
  cover_nodes (layout, t, &operations);
  cover_lines (layout, t, below, live->len, TRUE, &rest);
  rest.x1 = operations.x1;
  rest.x2 = operations.x2;
  rest.y1 += APART / 2.;
  operations.y2 = MIN (operations.y2, rest.y1 - APART);
  paint_band (self, &operations, "operation");
  paint_band (self, &rest, "operation");
}

void
heddle_paint_bands (HeddlePainter *self)
{
  const HeddleLayout *layout = self->layout;
  const HeddlePresentation *presentation = layout->figure->presentation;

  if (presentation == NULL || presentation->bands != HEDDLE_BANDS_SHADED)
    return;
  paint_axis_bands (self);
  for (int t = 0; t <= layout->n_stages; t++)
    {
      const double middle = heddle_layout_column (layout, t)->labels;
      const double half = MAX (HALF, heddle_layout_column (layout, t)->half);
      Band data = { middle - half, middle + half, G_MAXDOUBLE, -G_MAXDOUBLE };
      cover_lines (layout, t, 0, ((const GPtrArray *) layout->live->pdata[t])->len, FALSE, &data);
      paint_band (self, &data, "data");
      if (t < layout->n_stages)
        paint_operations (self, t);
    }
}
