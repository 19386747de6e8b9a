/* SPDX-License-Identifier: MIT */

/* The points of a roofline chart, the path between them, and their texts, each where it covers nothing. */

#include <math.h>

#include "app/derivation/roofline-plot.h"

#define SMALL .82
#define RADIUS 6.
#define GAP 12.
#define STEP 9.
#define MAX_TRIES 12
#define MAX_CEILINGS 6

static const GdkRGBA accent = { .208, .518, .894, 1 };

static GdkRGBA
suggested_color (const HeddlePlot *self)
{
  return self->dark ? (GdkRGBA){ .56, .94, .64, 1 } : (GdkRGBA){ .15, .55, .35, 1 };
}

static graphene_point_t
place (const HeddlePlot *self, HeddlePlotKind kind)
{
  const HeddleRooflinePoint *at = &self->points[kind].at;

  return GRAPHENE_POINT_INIT (heddle_plot_x (self, at->intensity), heddle_plot_y (self, at->flops_per_s));
}

/* --- marks --- */

static void
draw_mark (const HeddlePlot *self, cairo_t *cr, HeddlePlotKind kind)
{
  static const double dashes[] = { 3, 2.5 };
  graphene_point_t at = place (self, kind);
  GdkRGBA green = suggested_color (self);

  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, kind == HEDDLE_PLOT_NOW ? 10 : RADIUS, 0, 2 * G_PI);
  cairo_set_line_width (cr, 2);
  switch (kind)
    {
    case HEDDLE_PLOT_NOW:
      cairo_set_source_rgba (cr, accent.red, accent.green, accent.blue, .25);
      cairo_fill (cr);
      cairo_arc (cr, at.x, at.y, RADIUS - .5, 0, 2 * G_PI);
      gdk_cairo_set_source_rgba (cr, &accent);
      cairo_fill (cr);
      break;
    case HEDDLE_PLOT_SUGGESTED:
      gdk_cairo_set_source_rgba (cr, &green);
      cairo_stroke (cr);
      break;
    case HEDDLE_PLOT_BEFORE:
    default:
      heddle_plot_set_ink (self, cr, .65);
      cairo_set_line_width (cr, 1.5);
      cairo_set_dash (cr, dashes, 2, 0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      break;
    }
}

/* The way from one point to the next. */
static void
draw_path (const HeddlePlot *self, cairo_t *cr, HeddlePlotKind from, HeddlePlotKind to)
{
  static const double dashes[] = { 2, 3 };
  graphene_point_t a, b;

  if (!self->points[from].shown || !self->points[to].shown)
    return;
  a = place (self, from);
  b = place (self, to);
  cairo_move_to (cr, a.x, a.y);
  cairo_curve_to (cr, a.x + (b.x - a.x) * .6, a.y, b.x, b.y + (a.y - b.y) * .6, b.x, b.y);
  cairo_set_source_rgba (cr, accent.red, accent.green, accent.blue, .8);
  cairo_set_line_width (cr, 1.5);
  cairo_set_dash (cr, dashes, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* --- texts --- */

typedef struct
{
  graphene_rect_t taken[2 * HEDDLE_N_PLOT_POINTS + MAX_CEILINGS];
  guint n;
} Taken;

static gboolean
is_free (const Taken *taken, const graphene_rect_t *area)
{
  for (guint i = 0; i < taken->n; i++)
    if (graphene_rect_intersection (&taken->taken[i], area, NULL))
      return FALSE;
  return TRUE;
}

/* Right of it and below is tried first, then the other corners, then ever farther off; inside the chart and clear of all else. */
static graphene_rect_t
find_room (
    const HeddlePlot *self, const graphene_point_t *at, double width, double height, const Taken *taken)
{
  static const signed char corners[][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
  graphene_rect_t frame = GRAPHENE_RECT_INIT (self->left, self->top, self->width + self->right, self->height);
  graphene_rect_t area;

  for (guint i = 0; i < MAX_TRIES * G_N_ELEMENTS (corners); i++)
    {
      const signed char *corner = corners[i % G_N_ELEMENTS (corners)];
      double off = 4 + STEP * (i / G_N_ELEMENTS (corners));
      double x = corner[0] > 0 ? at->x + GAP : at->x - GAP - width;
      double y = corner[1] > 0 ? at->y + off : at->y - off - height;

      graphene_rect_init (&area, x, y, width, height);
      if (graphene_rect_contains_rect (&frame, &area) && is_free (taken, &area))
        return area;
    }
  graphene_rect_init (&area, CLAMP (at->x + GAP, self->left, self->left + self->width - width),
      CLAMP (at->y + 4, self->top, self->top + self->height - height), width, height);
  return area;
}

static void
draw_card (const HeddlePlot *self, cairo_t *cr, const graphene_rect_t *area)
{
  double paper = self->dark ? .12 : 1;

  cairo_set_source_rgba (cr, paper, paper, paper, .82);
  cairo_rectangle (cr, area->origin.x, area->origin.y, area->size.width, area->size.height);
  cairo_fill (cr);
}

static void
draw_words (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, HeddlePlotKind kind, Taken *taken)
{
  const HeddlePlotPoint *point = &self->points[kind];
  graphene_point_t at = place (self, kind);
  g_autoptr (PangoLayout) title = heddle_plot_new_text (widget, point->title, SMALL, TRUE);
  g_autoptr (PangoLayout) text = heddle_plot_new_text (widget, point->text, SMALL, FALSE);
  GdkRGBA green = suggested_color (self);
  int title_width, title_height, width, height;
  graphene_rect_t area;

  pango_layout_get_pixel_size (title, &title_width, &title_height);
  pango_layout_get_pixel_size (text, &width, &height);
  height = *point->text != '\0' ? height : 0;
  area = find_room (self, &at, MAX (width, title_width) + 8, title_height + height + 4, taken);
  taken->taken[taken->n++] = area;
  draw_card (self, cr, &area);
  if (kind == HEDDLE_PLOT_NOW)
    gdk_cairo_set_source_rgba (cr, &accent);
  else if (kind == HEDDLE_PLOT_SUGGESTED)
    gdk_cairo_set_source_rgba (cr, &green);
  else
    heddle_plot_set_ink (self, cr, .8);
  cairo_move_to (cr, area.origin.x + 4, area.origin.y + 2);
  pango_cairo_show_layout (cr, title);
  heddle_plot_set_ink (self, cr, .65);
  cairo_move_to (cr, area.origin.x + 4, area.origin.y + 2 + title_height);
  pango_cairo_show_layout (cr, text);
}

/* The names of the ceilings stand right of the chart. */
static void
take_ceilings (const HeddlePlot *self, Taken *taken)
{
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling && taken->n < MAX_CEILINGS)
        taken->taken[taken->n++] = GRAPHENE_RECT_INIT (self->left + self->width,
            heddle_plot_y (self, roof->rate) - self->line / 2, self->right, self->line);
    }
}

void
heddle_plot_draw_points (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  Taken taken = { .n = 0 };

  take_ceilings (self, &taken);
  draw_path (self, cr, HEDDLE_PLOT_BEFORE, HEDDLE_PLOT_NOW);
  draw_path (self, cr, HEDDLE_PLOT_NOW, HEDDLE_PLOT_SUGGESTED);
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    if (self->points[i].shown)
      {
        graphene_point_t at = place (self, i);

        taken.taken[taken.n++] = GRAPHENE_RECT_INIT (at.x - 8, at.y - 8, 16, 16);
      }
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    if (self->points[i].shown)
      draw_words (self, widget, cr, i, &taken);
  for (guint i = HEDDLE_N_PLOT_POINTS; i-- > 0;)
    if (self->points[i].shown)
      draw_mark (self, cr, i);
}
