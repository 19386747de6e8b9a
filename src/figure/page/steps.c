/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/report/forecast.h"
#include "figure/page/cost-table.h"
#include "figure/page/steps.h"
#include "figure/paint/paint.h"
#include "figure/paint/table.h"
#include "figure/scene/path.h"
#include "figure/typeset/label.h"

#include <glib/gi18n-lib.h>

#define TITLE 17.
#define CAPTION 15.
#define BADGE 11.
#define HEAD 54. /* from the top of a panel to that of its figure */
#define COLUMN_GAP 20.
#define ROW_GAP 30.

void
heddle_panel_of_step_free (HeddlePanelOfStep *self)
{
  g_free (self->title);
  g_clear_pointer (&self->scene, heddle_scene_unref);
  g_clear_pointer (&self->unnamed, heddle_scene_unref);
  g_free (self);
}

/* Returns the caption of a step: "50.4 M moved, 28.8 µs", or what stands against it; newly allocated. */
static char *
panel_of_step_caption (const HeddlePanelOfStep *self)
{
  const HeddleForecast *forecast = &self->forecast;
  g_autofree char *moved = heddle_paint_held_text ((gint64) forecast->values, 0), *time = NULL, *held = NULL;

  if (!forecast->legal)
    return g_strdup (_ ("not legal yet"));
  if (!forecast->fits && forecast->full_level == NULL)
    return g_strdup (_ ("does not fit yet"));
  if (!forecast->fits)
    {
      held = heddle_paint_held_text (
          (gint64) forecast->needs, forecast->in_values ? 0 : (gint64) forecast->needs);
      return g_strdup_printf (_ ("needs %s held"), held);
    }
  if (!heddle_forecast_is_timed (forecast))
    return g_strdup_printf (_ ("%s moved"), moved);
  time = heddle_paint_time_text (forecast->seconds);
  return g_strdup_printf (_ ("%s moved, %s"), moved, time);
}

typedef struct
{
  HeddlePainter painter;
  double x, y; /* of the panel at hand */
  gboolean unnamed; /* what comes in and goes out is named in the first panel alone */
} Strip;

static void
paint_badge (Strip *self, guint number)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1.2 };
  g_autofree char *text = g_strdup_printf ("%u", number);
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_ANNOTATION, NULL, &line, NULL);

  heddle_item_arc (item, self->x + BADGE, self->y + BADGE, BADGE, 0, 4, FALSE);
  heddle_item_close (item);
  heddle_paint_label (&self->painter, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, CAPTION, NULL,
      self->x + BADGE, self->y + BADGE + .35 * CAPTION, .5);
}

static void
paint_head (Strip *self, guint number, const HeddlePanelOfStep *panel)
{
  g_autofree char *caption = panel_of_step_caption (panel);
  const double left = self->x + 2. * BADGE + 10.;

  paint_badge (self, number);
  heddle_paint_label (&self->painter, HEDDLE_PART_ANNOTATION, NULL, panel->title, HEDDLE_FONT_SANS_BOLD,
      TITLE, NULL, left, self->y + BADGE + .35 * TITLE, 0.);
  heddle_paint_label (&self->painter, HEDDLE_PART_ANNOTATION, NULL, caption, HEDDLE_FONT_SANS, CAPTION,
      &self->painter.dim, left, self->y + BADGE + .35 * TITLE + 1.35 * CAPTION, 0.);
}

static HeddleScene *
scene_of (const HeddlePanelOfStep *panel, gboolean unnamed)
{
  return unnamed && panel->unnamed != NULL ? panel->unnamed : panel->scene;
}

/* Returns how high the panel is. */
static double
paint_panel (Strip *self, guint number, HeddlePanelOfStep *panel)
{
  double x, y, width, height;

  paint_head (self, number, panel);
  HeddleScene *scene = scene_of (panel, self->unnamed);

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  heddle_scene_take (self->painter.scene, scene, self->x - x, self->y + HEAD - y);
  return HEAD + height;
}

static double
text_width (const char *text, HeddleFont font, double size)
{
  const HeddleColor ink = { 0. };

  return heddle_math_layout (NULL, HEDDLE_PART_ANNOTATION, NULL, text, font, size, ink, 0., 0., NULL, NULL);
}

/* Returns the width of a panel with its head. */
static double
panel_width (const HeddlePanelOfStep *panel, gboolean unnamed)
{
  g_autofree char *caption = panel_of_step_caption (panel);
  const double words = MAX (text_width (panel->title, HEDDLE_FONT_SANS_BOLD, TITLE),
      text_width (caption, HEDDLE_FONT_SANS, CAPTION));
  double x, y, width, height;

  heddle_scene_get_bounds (scene_of (panel, unnamed), &x, &y, &width, &height);
  return MAX (width, words + 2. * BADGE + 10.);
}

/* The first panel of the row after the one that begins with @first. */
static guint
end_of_row (const GPtrArray *panels, guint first, gboolean unnamed, double width)
{
  double x = panel_width (panels->pdata[first], unnamed);
  guint i = first + 1;

  for (; i < panels->len && width > 0.; i++)
    {
      x += COLUMN_GAP + panel_width (panels->pdata[i], unnamed);
      if (x > width)
        return i;
    }
  return width > 0. ? i : panels->len;
}

static guint
count_rows (const GPtrArray *panels, gboolean unnamed, double width)
{
  guint n = 0;

  for (guint i = 0; i < panels->len; n++)
    i = end_of_row (panels, i, unnamed, width);
  return n;
}

/* Panels from @first to before @end; returns how high they are. */
static double
paint_row (Strip *self, const GPtrArray *panels, guint first, guint end)
{
  double highest = 0.;

  self->x = 0.;
  for (guint i = first; i < end; i++)
    {
      const double width = panel_width (panels->pdata[i], self->unnamed),
                   height = paint_panel (self, i + 1, panels->pdata[i]);

      highest = MAX (highest, height);
      self->x += width + COLUMN_GAP;
    }
  return highest;
}

HeddleScene *
heddle_chart_render_steps (const GPtrArray *panels, HeddleTheme theme, double width)
{
  Strip self = { .painter = heddle_painter_for (theme) };

  self.unnamed = count_rows (panels, TRUE, width) < count_rows (panels, FALSE, width);
  for (guint i = 0, end; i < panels->len; i = end)
    {
      end = end_of_row (panels, i, self.unnamed, width);
      self.y += paint_row (&self, panels, i, end) + ROW_GAP;
    }
  return self.painter.scene;
}
