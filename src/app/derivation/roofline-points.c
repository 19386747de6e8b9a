/* SPDX-License-Identifier: MIT */

/* The points of a roofline chart, the path between them, and their texts, each where it covers nothing. */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/format.h"
#include "app/derivation/roofline-plot.h"
#include "app/derivation/roofline-points.h"
#include "derive/report/roofline.h"

#define SMALL .82
#define RADIUS 6.
#define GAP 12.
#define STEP 9.
#define MAX_TRIES 12
#define MAX_CEILINGS 6
#define MAX_MEASURED 3 /* with words: the newest; the others have their tooltips */
#define DIAMOND 6.5

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
  graphene_rect_t taken[2 * HEDDLE_N_PLOT_POINTS + MAX_CEILINGS + 2 * MAX_MEASURED];
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

/* @color: of the title; NULL: ink, and left out where it would cover something */
static void
draw_words (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const graphene_point_t *at,
    const char *title_words, const char *words, const GdkRGBA *color, Taken *taken)
{
  g_autoptr (PangoLayout) title = heddle_plot_new_text (widget, title_words, SMALL, TRUE);
  g_autoptr (PangoLayout) text = heddle_plot_new_text (widget, words, SMALL, FALSE);
  int title_width, title_height, width, height;
  graphene_rect_t area;

  pango_layout_get_pixel_size (title, &title_width, &title_height);
  pango_layout_get_pixel_size (text, &width, &height);
  height = *words != '\0' ? height : 0;
  area = find_room (self, at, MAX (width, title_width) + 8, title_height + height + 4, taken);
  if (color == NULL && !is_free (taken, &area))
    return;
  taken->taken[taken->n++] = area;
  draw_card (self, cr, &area);
  if (color != NULL)
    gdk_cairo_set_source_rgba (cr, color);
  else
    heddle_plot_set_ink (self, cr, .8);
  cairo_move_to (cr, area.origin.x + 4, area.origin.y + 2);
  pango_cairo_show_layout (cr, title);
  heddle_plot_set_ink (self, cr, .65);
  cairo_move_to (cr, area.origin.x + 4, area.origin.y + 2 + title_height);
  pango_cairo_show_layout (cr, text);
}

/* --- what was measured: a diamond on a bar from the least to the most --- */

static graphene_point_t
place_measured (const HeddlePlot *self, const HeddleBenchResult *measurement)
{
  HeddleRooflinePoint at = heddle_bench_result_point (measurement);

  return GRAPHENE_POINT_INIT (heddle_plot_x (self, at.intensity), heddle_plot_y (self, at.flops_per_s));
}

static void
draw_measured (const HeddlePlot *self, cairo_t *cr, const HeddleBenchResult *measurement)
{
  const double paper = self->dark ? .12 : 1;
  graphene_point_t at = place_measured (self, measurement);
  double top = heddle_plot_y (self, measurement->flops / measurement->least_s);
  double bottom = heddle_plot_y (self, measurement->flops / measurement->most_s);

  heddle_plot_set_ink (self, cr, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, at.x, top);
  cairo_line_to (cr, at.x, bottom);
  cairo_stroke (cr);
  cairo_move_to (cr, at.x, at.y - DIAMOND);
  cairo_line_to (cr, at.x + DIAMOND, at.y);
  cairo_line_to (cr, at.x, at.y + DIAMOND);
  cairo_line_to (cr, at.x - DIAMOND, at.y);
  cairo_close_path (cr);
  cairo_set_source_rgba (cr, paper, paper, paper, 1);
  cairo_fill_preserve (cr);
  heddle_plot_set_ink (self, cr, 1);
  cairo_stroke (cr);
}

static void
draw_measured_words (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr,
    const HeddleBenchResult *measurement, Taken *taken)
{
  graphene_point_t at = place_measured (self, measurement);
  g_autofree char *time = heddle_format_seconds (measurement->median_s);
  g_autofree char *day = heddle_bench_result_day (measurement);
  g_autofree char *title = g_strdup_printf (_ ("measured: %s"), time);
  g_autofree char *text = g_strdup_printf ("%s, %s", measurement->gpu, day);

  draw_words (self, widget, cr, &at, title, text, NULL, taken);
}

const HeddleBenchResult *
heddle_plot_find_measured (const HeddlePlot *self, double x, double y)
{
  for (guint i = self->measured->len; i-- > 0;)
    {
      const HeddleBenchResult *measurement = g_ptr_array_index (self->measured, i);
      graphene_point_t at = place_measured (self, measurement);

      if (fabs (at.x - x) <= DIAMOND + 2 && fabs (at.y - y) <= DIAMOND + 2)
        return measurement;
    }
  return NULL;
}

/* --- all --- */

static const GdkRGBA *
color_of (HeddlePlotKind kind, const GdkRGBA *green)
{
  return kind == HEDDLE_PLOT_NOW ? &accent : kind == HEDDLE_PLOT_SUGGESTED ? green : NULL;
}

static void
take_mark (Taken *taken, const graphene_point_t *at)
{
  taken->taken[taken->n++] = GRAPHENE_RECT_INIT (at->x - 8, at->y - 8, 16, 16);
}

/* The names of the ceilings stand right of the chart. */
static void
take_ceilings (const HeddlePlot *self, Taken *taken)
{
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling && taken->n < MAX_CEILINGS)
        taken->taken[taken->n++]
            = self->inside ? GRAPHENE_RECT_INIT (self->left + .45 * self->width,
                  heddle_plot_y (self, roof->rate) - self->line, .55 * self->width, self->line)
                           : GRAPHENE_RECT_INIT (self->left + self->width,
                               heddle_plot_y (self, roof->rate) - self->line / 2, self->right, self->line);
    }
}

void
heddle_plot_draw_points (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  const guint n = self->measured->len, most = self->inside ? 1 : MAX_MEASURED;
  const guint first = n > most ? n - most : 0;
  const gboolean crowded = self->inside && n > 0;
  GdkRGBA green = suggested_color (self);
  Taken taken = { .n = 0 };

  take_ceilings (self, &taken);
  draw_path (self, cr, HEDDLE_PLOT_BEFORE, HEDDLE_PLOT_NOW);
  draw_path (self, cr, HEDDLE_PLOT_NOW, HEDDLE_PLOT_SUGGESTED);
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    if (self->points[i].shown)
      {
        graphene_point_t at = place (self, i);

        take_mark (&taken, &at);
      }
  for (guint i = first; i < n; i++)
    {
      graphene_point_t at = place_measured (self, g_ptr_array_index (self->measured, i));

      take_mark (&taken, &at);
    }
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    if (self->points[i].shown)
      {
        graphene_point_t at = place (self, i);

        draw_words (self, widget, cr, &at, self->points[i].title, crowded ? "" : self->points[i].text,
            color_of (i, &green), &taken);
      }
  for (guint i = first; i < n; i++)
    draw_measured_words (self, widget, cr, g_ptr_array_index (self->measured, i), &taken);
  for (guint i = HEDDLE_N_PLOT_POINTS; i-- > 0;)
    if (self->points[i].shown)
      draw_mark (self, cr, i);
  for (guint i = 0; i < n; i++)
    draw_measured (self, cr, g_ptr_array_index (self->measured, i));
}
