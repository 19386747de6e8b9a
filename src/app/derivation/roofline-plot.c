/* SPDX-License-Identifier: MIT */

/* A roofline chart has a frame: its window, grid and roofs. */

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/format.h"
#include "app/derivation/roofline-plot.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define MARGIN_TOP 8
#define SMALL .82
/* A gap lies between a tick and its text. */
#define GAP 6
#define NARROW_IN_LINES 26
#define ROOMY_IN_LINES 9 /* a lower chart has the titles of its points alone */
#define RADIUS 6.
/* A gap lies between a mark and its words. */
#define MARK_GAP 12.
#define STEP 9.
#define MAX_TRIES 12
#define MAX_CEILINGS 6
#define MAX_MEASURED 3 /* with words: the newest; the others have their tooltips */
#define DIAMOND 6.5
#define KERNEL_RADIUS 2.5
#define KERNEL_REACH 7. /* of the pointer */

double
heddle_plot_x (const HeddlePlot *self, double intensity)
{
  return self->left + (log2 (intensity) - self->x0) / (self->x1 - self->x0) * self->width;
}

double
heddle_plot_y (const HeddlePlot *self, double rate)
{
  return self->top + self->height - (log10 (rate) - self->y0) / (self->y1 - self->y0) * self->height;
}

void
heddle_plot_read (const HeddlePlot *self, double x, double y, double *intensity, double *rate)
{
  *intensity = exp2 (self->x0 + (x - self->left) / self->width * (self->x1 - self->x0));
  *rate = pow (10, self->y0 + (self->top + self->height - y) / self->height * (self->y1 - self->y0));
}

/* --- the window --- */

static double
find_ceiling (const GPtrArray *roofs, const char *name)
{
  double highest = 0;

  for (guint i = 0; roofs != NULL && i < roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (roofs, i);

      if (roof->ceiling && (name == NULL || g_str_equal (roof->name, name)))
        highest = MAX (highest, roof->rate);
    }
  return highest;
}

/* Returns where slopes end: the tensor cores' roof, or the highest there is. */
static double
main_ceiling (const GPtrArray *roofs)
{
  double tensor = find_ceiling (roofs, "tensor"), any = find_ceiling (roofs, NULL);

  return tensor > 0 ? tensor : any > 0 ? any : 1e12;
}

static void
include_corners (HeddlePlot *self)
{
  double ceiling = main_ceiling (self->roofs);

  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling)
        continue;
      self->x0 = MIN (self->x0, floor (log2 (ceiling / roof->rate)) - 2);
      self->x1 = MAX (self->x1, ceil (log2 (ceiling / roof->rate)) + 3);
    }
}

static void
include_point (HeddlePlot *self, const HeddleRooflinePoint *point)
{
  self->x0 = MIN (self->x0, floor (log2 (point->intensity)) - 1);
  self->x1 = MAX (self->x1, ceil (log2 (point->intensity)) + 1);
  self->y0 = MIN (self->y0, log10 (point->flops_per_s) - .45);
}

static void
include_points (HeddlePlot *self)
{
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    {
      const HeddlePlotPoint *point = &self->points[i];

      if (point->shown)
        include_point (self, &point->at);
    }
  for (guint i = 0; i < self->measured->len; i++)
    {
      HeddleRooflinePoint at = heddle_bench_result_point (g_ptr_array_index (self->measured, i));

      include_point (self, &at);
    }
}

static void
measure (GtkWidget *widget, const char *text, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, text, SMALL, FALSE);
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  *width = w;
  *height = h;
}

static char *
ceiling_title (const HeddleRoof *roof)
{
  return g_strdup_printf ("%s %.0f", heddle_format_unit (roof->name), roof->rate / 1e12);
}

/* Makes room for the texts beside the chart. */
static void
make_room (HeddlePlot *self, GtkWidget *widget, int width, int height)
{
  double rate, ceiling = 0, line;

  measure (widget, "0000", &rate, &self->line);
  measure (widget, "4096", &self->tick, &line);
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);
      g_autofree char *title = ceiling_title (roof);
      double wide = 0;

      if (roof->ceiling)
        measure (widget, title, &wide, &line);
      ceiling = MAX (ceiling, wide);
    }
  self->left = rate + 2 * GAP;
  self->inside = width < NARROW_IN_LINES * self->line;
  self->right
      = self->inside ? MAX (GAP, .5 * self->tick) : ceiling + 2 * GAP; /* half of the last tick's text */
  self->top = MARGIN_TOP;
  self->width = MAX (10, width - self->left - self->right);
  self->height = MAX (10, height - self->top - 2 * self->line - GAP);
}

HeddlePlot
heddle_plot_make (GtkWidget *widget, GPtrArray *roofs, const HeddlePlotPoint *points,
    const GPtrArray *measured, const GPtrArray *kernels, int width, int height)
{
  double ceiling = log10 (main_ceiling (roofs)), highest = log10 (MAX (1e9, find_ceiling (roofs, NULL)));
  HeddlePlot self = { .roofs = roofs,
    .points = points,
    .measured = measured,
    .kernels = kernels,
    .x0 = 4,
    .x1 = 12,
    .y0 = ceiling - 1.35,
    .y1 = MAX (ceiling + .3, MIN (highest, ceiling + .8) + .15),
    .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()) };

  make_room (&self, widget, width, height);
  include_corners (&self);
  include_points (&self);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &self.ink);
  return self;
}

/* --- kernels --- */

/* Where the dot of a kernel is; FALSE: it computes nothing, and has none. */
static gboolean
place_kernel (const HeddlePlot *self, const HeddleKernelTime *kernel, double *x, double *y)
{
  if (!(kernel->point.intensity > 0) || !(kernel->point.flops_per_s > 0))
    return FALSE;
  *x = CLAMP (heddle_plot_x (self, kernel->point.intensity), self->left, self->left + self->width);
  *y = CLAMP (heddle_plot_y (self, kernel->point.flops_per_s), self->top, self->top + self->height);
  return TRUE;
}

const HeddleKernelTime *
heddle_plot_find_kernel (const HeddlePlot *self, double x, double y)
{
  const HeddleKernelTime *found = NULL;
  double nearest = KERNEL_REACH;

  for (guint i = 0; self->kernels != NULL && i < self->kernels->len; i++)
    {
      double at_x, at_y;

      if (!place_kernel (self, self->kernels->pdata[i], &at_x, &at_y)
          || hypot (x - at_x, y - at_y) >= nearest)
        continue;
      nearest = hypot (x - at_x, y - at_y);
      found = self->kernels->pdata[i];
    }
  return found;
}

/* Of one kernel the point of all is its own. */
static void
draw_kernels (const HeddlePlot *self, cairo_t *cr)
{
  for (guint i = 0; self->kernels != NULL && self->kernels->len > 1 && i < self->kernels->len; i++)
    {
      double x, y;

      if (!place_kernel (self, self->kernels->pdata[i], &x, &y))
        continue;
      heddle_plot_set_ink (self, cr, .5);
      cairo_arc (cr, x, y, KERNEL_RADIUS, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

/* --- text --- */

PangoLayout *
heddle_plot_new_text (GtkWidget *widget, const char *text, double scale, gboolean bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

static void
draw_text (GtkWidget *widget, cairo_t *cr, double x, double y, double align, const char *text)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, text, SMALL, FALSE);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - align * width, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

void
heddle_plot_set_ink (const HeddlePlot *self, cairo_t *cr, double alpha)
{
  cairo_set_source_rgba (cr, self->ink.red, self->ink.green, self->ink.blue, self->ink.alpha * alpha);
}

/* --- grid --- */

static void
draw_line (const HeddlePlot *self, cairo_t *cr, double x0, double y0, double x1, double y1)
{
  heddle_plot_set_ink (self, cr, .12);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
  heddle_plot_set_ink (self, cr, .6);
}

static void
draw_intensities (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  int step = 2;

  while (step * self->width / (self->x1 - self->x0) < 1.3 * self->tick)
    step *= 2;
  for (int power = ceil (self->x0 / step) * step; power <= self->x1; power += step)
    {
      double x = round (heddle_plot_x (self, exp2 (power))) + .5;
      g_autofree char *text = g_strdup_printf (power < 0 ? "1/%.0f" : "%.0f", exp2 (ABS (power)));

      draw_line (self, cr, x, self->top, x, self->top + self->height);
      draw_text (widget, cr, x, self->top + self->height + .65 * self->line, .5, text);
    }
  draw_text (widget, cr, self->left + self->width / 2, self->top + self->height + 1.65 * self->line, .5,
      _ ("FLOP per byte moved"));
}

static void
draw_rates (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  /* 1, 2, 5, 10 … while there is room for so many; else only powers of ten. */
  int more = (self->y1 - self->y0) * 3 * self->line < self->height ? 1 : 9;

  for (int decade = floor (self->y0); decade <= self->y1; decade++)
    for (int digit = 1; digit <= 5; digit += digit == 1 ? more : 3)
      {
        double rate = digit * pow (10, decade), y = round (heddle_plot_y (self, rate)) + .5;
        g_autofree char *text = heddle_format_number (rate / 1e12, rate < 1e12 ? 2 : 12);

        if (log10 (rate) < self->y0 || log10 (rate) > self->y1)
          continue;
        draw_line (self, cr, self->left, y, self->left + self->width, y);
        draw_text (widget, cr, self->left - 6, y, 1, text);
      }
}

/* --- roofs --- */

/* Sets the style of the level or unit. */
static void
set_roof_style (const HeddlePlot *self, cairo_t *cr, const char *name)
{
  HeddleColor color = { self->ink.red, self->ink.green, self->ink.blue, .55 };
  double width = 1.5, dash[8] = { 2, 3 };
  guint n_dashes = 2;

  heddle_level_style (
      name, self->dark ? HEDDLE_THEME_DARK : HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, MAX (1.3, width));
  cairo_set_dash (cr, dash, n_dashes, 0);
  /* The dots of L2 are round caps of dashes without length. */
  cairo_set_line_cap (cr, n_dashes > 0 && dash[0] < 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
}

/* A link's slope is not at its bandwidth, but where its share of the bytes takes as long. */
static char *
slope_title (const HeddleRoof *roof)
{
  HeddleColor color;
  double width, dash[8];
  guint n_dashes;

  if (!heddle_level_style (roof->name, HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes))
    return g_strdup (roof->name);

  const char *title = g_str_equal (roof->name, "gmem") ? "GMEM" : heddle_format_unit (roof->name);

  g_autofree char *rate = heddle_format_number (roof->rate / 1e12, 3);

  return g_strdup_printf ("%s %s", title, rate);
}

static gboolean
is_slowest (const HeddlePlot *self, const HeddleRoof *roof)
{
  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *other = g_ptr_array_index (self->roofs, i);

      if (!other->ceiling && other->rate < roof->rate)
        return FALSE;
    }
  return TRUE;
}

/* Returns whether the slope of the roof is in the chart, and its ends. */
static gboolean
find_slope (const HeddlePlot *self, const HeddleRoof *roof, graphene_point_t *start, graphene_point_t *end)
{
  double knee = main_ceiling (self->roofs) / roof->rate;
  double from = MAX (exp2 (self->x0), pow (10, self->y0) / roof->rate), to = MIN (knee, exp2 (self->x1));

  graphene_point_init (start, heddle_plot_x (self, from), heddle_plot_y (self, from * roof->rate));
  graphene_point_init (end, heddle_plot_x (self, to), heddle_plot_y (self, to * roof->rate));
  return from < to;
}

static void
draw_slope (const HeddlePlot *self, cairo_t *cr, const HeddleRoof *roof)
{
  graphene_point_t start, end;

  if (!find_slope (self, roof, &start, &end))
    return;
  cairo_move_to (cr, start.x, start.y);
  cairo_line_to (cr, end.x, end.y);
  cairo_stroke (cr);
}

/* The tensor roof begins where the fastest memory reaches it. */
static double
ceiling_start (const HeddlePlot *self, const HeddleRoof *roof)
{
  double fastest = 0;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *other = g_ptr_array_index (self->roofs, i);

      if (!other->ceiling)
        fastest = MAX (fastest, other->rate);
    }
  return fastest > 0 ? MAX (self->left, heddle_plot_x (self, roof->rate / fastest)) : self->left;
}

/* This keeps the height and the left end of the name that was drawn for the ceiling before. */
typedef struct
{
  double y, left;
} LastName;

/* Draws a name on the line, or below one at the edge; beside the one before where they would meet. */
static void
draw_name_inside (
    const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, double y, const char *text, LastName *last)
{
  double at = y - .55 * self->line, right = self->left + self->width - 2, width, height;

  if (at < .5 * self->line) /* cut off by the edge */
    at = y + .55 * self->line;
  if (fabs (at - last->y) < self->line)
    right = last->left - GAP;
  measure (widget, text, &width, &height);
  *last = (LastName){ at, right - width };
  draw_text (widget, cr, right, at, 1, text);
}

static void
draw_ceiling (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const HeddleRoof *roof, LastName *last)
{
  double y = heddle_plot_y (self, roof->rate), at;
  g_autofree char *text = ceiling_title (roof);

  if (log10 (roof->rate) < self->y0 || log10 (roof->rate) > self->y1)
    return;
  cairo_move_to (cr, ceiling_start (self, roof), y);
  cairo_line_to (cr, self->left + self->width, y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (self->inside)
    {
      draw_name_inside (self, widget, cr, y, text, last);
      return;
    }
  at = fabs (y - last->y) < self->line ? last->y + (y < last->y ? -self->line : self->line) : y;
  last->y = at;
  draw_text (widget, cr, self->left + self->width + 7, at, 0, text);
}

static void
draw_roofs (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  LastName last = { -1e6, 0 };

  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      set_roof_style (self, cr, roof->name);
      if (roof->ceiling)
        draw_ceiling (self, widget, cr, roof, &last);
      else
        draw_slope (self, cr, roof);
    }
}

static void plot_draw_points (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr);

void
heddle_plot_draw (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  draw_intensities (self, widget, cr);
  draw_rates (self, widget, cr);
  cairo_save (cr);
  cairo_rectangle (cr, self->left, 0., self->width + self->right, self->top + self->height);
  cairo_clip (cr);
  draw_roofs (self, widget, cr);
  cairo_restore (cr);
  draw_kernels (self, cr);
  plot_draw_points (self, widget, cr);
}

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

/* Draws the way from one point to the next. */
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

/* Returns a free place for words beside a point: right of it and below, then the other corners, then ever farther off;
 * inside the chart and clear of all else. */
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
      double x = corner[0] > 0 ? at->x + MARK_GAP : at->x - MARK_GAP - width;
      double y = corner[1] > 0 ? at->y + off : at->y - off - height;

      graphene_rect_init (&area, x, y, width, height);
      if (graphene_rect_contains_rect (&frame, &area) && is_free (taken, &area))
        return area;
    }
  /* too wide for either side: below or above it, as far in as it must be */
  double x = CLAMP (at->x + MARK_GAP, self->left, self->left + self->width + self->right - width);
  for (guint i = 0; i < 2 * MAX_TRIES; i++)
    {
      double off = MARK_GAP + STEP * (i / 2);

      graphene_rect_init (&area, x, i % 2 == 0 ? at->y + off : at->y - off - height, width, height);
      if (graphene_rect_contains_rect (&frame, &area) && is_free (taken, &area))
        return area;
    }
  graphene_rect_init (
      &area, x, CLAMP (at->y + 4, self->top, self->top + self->height - height), width, height);
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

/* Draws words; @color is that of the title. NULL means ink, and words are left out where they would cover
 * something. */
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

/* --- the names of the slopes --- */

/* Returns whether the box from @at on along a line, @up from it, is clear of all that is taken. @along is the direction. */
static gboolean
is_free_along (const Taken *taken, const graphene_point_t *start, const graphene_point_t *along, double at,
    double width, double up, double height)
{
  double half = height / 2, middle = up + half;

  for (double x = at + half; x <= at + width - half + 1; x += half)
    {
      double center_x = start->x + x * along->x - middle * along->y;
      double center_y = start->y + x * along->y + middle * along->x;
      graphene_rect_t part = GRAPHENE_RECT_INIT (center_x - half, center_y - half, height, height);

      if (!is_free (taken, &part))
        return FALSE;
    }
  return TRUE;
}

/* Draws the title along the line: below the slowest, above the others, so that neighbours keep apart, and at the first
 * place where no words stand; where they leave no room, it is left out. */
static void
draw_slope_title (
    const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const HeddleRoof *roof, const Taken *taken)
{
  g_autofree char *title = slope_title (roof);
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, title, SMALL, TRUE);
  gboolean below = is_slowest (self, roof);
  graphene_point_t start, end;
  int width, height;

  if (!find_slope (self, roof, &start, &end))
    return;
  pango_layout_get_pixel_size (layout, &width, &height);
  double length = hypot (end.x - start.x, end.y - start.y);
  graphene_point_t along = GRAPHENE_POINT_INIT ((end.x - start.x) / length, (end.y - start.y) / length);
  double at = below ? MIN (10, length - width) : CLAMP ((length - width) / 2, 12, .3 * length);
  double up = below ? 1 : -height - 1;
  for (double other = 0;
       other + width <= length && !is_free_along (taken, &start, &along, at, width, up, height); other += GAP)
    at = other;
  if (!is_free_along (taken, &start, &along, at, width, up, height))
    return; /* the strip of levels has the same line with its name */
  cairo_save (cr);
  set_roof_style (self, cr, roof->name);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_translate (cr, start.x, start.y);
  cairo_rotate (cr, atan2 (along.y, along.x));
  cairo_move_to (cr, at, up);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

static void
draw_slope_titles (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const Taken *taken)
{
  cairo_save (cr);
  cairo_rectangle (cr, self->left, 0., self->width + self->right, self->top + self->height);
  cairo_clip (cr);
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (!roof->ceiling)
        draw_slope_title (self, widget, cr, roof, taken);
    }
  cairo_restore (cr);
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

/* Draws the points, the paths between them and the newest measurements, with words that avoid one another. */
static void
plot_draw_points (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  const guint n = self->measured->len, most = self->inside ? 1 : MAX_MEASURED;
  const guint first = n > most ? n - most : 0;
  const gboolean crowded = self->inside && (n > 0 || self->height < ROOMY_IN_LINES * self->line);
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
  draw_slope_titles (self, widget, cr, &taken);
  for (guint i = HEDDLE_N_PLOT_POINTS; i-- > 0;)
    if (self->points[i].shown)
      draw_mark (self, cr, i);
  for (guint i = 0; i < n; i++)
    draw_measured (self, cr, g_ptr_array_index (self->measured, i));
}
