/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/saturate.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "figure/page/expanded-ground.h"
#include "figure/page/expanded-place.h"
#include "figure/page/expanded-private.h"
#include "figure/page/expanded-text.h"
#include "figure/page/expanded.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* The grounds, titles and legend of an expanded loop program. */

static void
paint_ground (HeddleExpanded *self, const char *fill, double x1, double y1, double x2, double y2)
{
  HeddleColor color = heddle_theme_fill (self->chart->theme, fill);
  HeddleStroke stroke = heddle_paint_plain (&self->painter);
  gboolean outlined = heddle_theme_outline (self->chart->theme) > 0.;
  HeddleItem *item
      = heddle_paint_path (&self->painter, HEDDLE_PART_BACKGROUND, NULL, outlined ? &stroke : NULL, &color);

  heddle_item_rectangle (item, x1, y1, x2 - x1, y2 - y1, 10.);
}

/* each of 11 groups: g_q = 373 */
static double
paint_groups_title (HeddleExpanded *self, double x, double y)
{
  GString *tiles = g_string_new (NULL);
  g_autofree char *title = NULL;
  gint64 groups = 1;

  for (guint i = 0; i < self->liveness->scopes->len; i++)
    {
      const HeddleNode *band = g_array_index (self->liveness->scopes, HeddleScope, i).band;
      g_autofree char *name = NULL;
      gint64 n;

      if (band->band != HEDDLE_BAND_GROUP || band->depth > 0)
        continue;
      name = heddle_expanded_axis_name (self, band->axis);
      n = heddle_sizes_get (self->sizes, band->axis);
      groups = heddle_saturating_multiply (groups, n / band->size + (n % band->size != 0));
      g_string_append_printf (tiles, "%sg_{%s} = %" PRId64, tiles->len > 0 ? ",  " : "", name, band->size);
    }
  title
      = groups > 1 ? g_strdup_printf (_ ("each of %" PRId64 " groups:"), groups) : g_strdup (_ ("one group"));
  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 0.);
  x += heddle_paint_label (&self->painter, HEDDLE_PART_TAG, NULL, tiles->str, HEDDLE_FONT_MATH, EXPANDED_SIZE,
      NULL, x + 6., y, 0.);
  g_string_free (tiles, TRUE);
  return x + 6.;
}

static double
paint_stream_title (HeddleExpanded *self, const HeddleNode *stream, double x, double y)
{
  gint64 n = heddle_sizes_get (self->sizes, stream->axis);
  g_autofree char *name = heddle_expanded_axis_name (self, stream->axis);
  g_autofree char *tile = g_strdup_printf ("s_{%s} = %" PRId64, name, stream->size);
  gint64 steps = n / stream->size + (n % stream->size != 0);
  g_autofree char *title = g_strdup_printf (_ ("each of %" PRId64 " steps:"), steps);

  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 0.);
  return x + 6.
         + heddle_paint_label (&self->painter, HEDDLE_PART_TAG, stream->axis, tile, HEDDLE_FONT_MATH,
             EXPANDED_SIZE, NULL, x + 6., y, 0.);
}

/* The stream that columns are in, and where its ground begins and ends; NULL: nothing streams. */
static const HeddleNode *
find_stream (const HeddleExpanded *self, double *first, double *last)
{
  const HeddleNode *stream = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const HeddleExpandedColumn *column = heddle_expanded_get_column (self, i);

      if (!column->in_stream)
        continue;
      if (stream == NULL)
        *first = column->x - column->width / 2. - EXPANDED_BAND;
      *last = column->x + column->width / 2. + EXPANDED_GAP / 2. + heddle_expanded_label_width (self, column);
      stream = heddle_liveness_stream (self->liveness, i, 0);
    }
  return stream;
}

/* The grounds of the groups and of the stream, with what they go through. */
void
heddle_expanded_paint_grounds (HeddleExpanded *self)
{
  double top = self->y + 24., bottom = heddle_expanded_global_y (self) - 22., first = 0., last = 0., end;
  const HeddleNode *stream = find_stream (self, &first, &last);

  self->bottom = heddle_expanded_global_y (self) + 12.;
  end = paint_groups_title (self, self->x + EXPANDED_BAND, top + 17.);
  if (stream != NULL && end + 20. < first + EXPANDED_BAND)
    end = paint_stream_title (self, stream, first + EXPANDED_BAND, top + 17.);
  else if (stream != NULL)
    end = paint_stream_title (self, stream, end + 20., top + 17.);
  self->right = MAX (self->right, end + EXPANDED_BAND);
  self->ground_lists = heddle_scene_get_n_items (self->painter.scene);
  paint_ground (self, "linear", self->x, top, self->right, bottom);
  if (stream != NULL)
    paint_ground (self, "scale", first, top + 24., last, bottom - 5.);
  heddle_scene_lower (self->painter.scene, self->ground_lists, self->ground);
}

/* The signs of the two lines of numbers. */
void
heddle_expanded_paint_head_signs (HeddleExpanded *self)
{
  double y = self->y + EXPANDED_HEAD - 12.;

  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, "M", HEDDLE_FONT_MATH, EXPANDED_SIZE, NULL,
      self->x - 8., y - 17., 1.);
  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, "H", HEDDLE_FONT_MATH, EXPANDED_SIZE, NULL,
      self->x - 8., y, 1.);
}

/* Names of memories beside their lines. */
void
heddle_expanded_paint_levels (HeddleExpanded *self)
{
  const char *level = self->program->buffers->len > 0 ? heddle_expanded_get_buffer (self, 0)->level : NULL;
  const char *const names[] = { "gmem", level };
  double x = self->right - 4., y = self->bottom + 16.;

  for (guint i = G_N_ELEMENTS (names); i-- > 0;)
    {
      HeddleStroke stroke;

      if (names[i] == NULL)
        continue;
      stroke = heddle_expanded_stroke_of (self, names[i]);
      x -= heddle_paint_label (
          &self->painter, HEDDLE_PART_TAG, NULL, names[i], HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 1.);
      heddle_expanded_paint_line (self, &stroke, x - 44., y - 4., x - 8., y - 4.);
      x -= 64.;
    }
  self->bottom = y + 8.;
}
