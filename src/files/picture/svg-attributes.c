/* SPDX-License-Identifier: MIT */
#include "diagram/base/quote.h"
#include "figure/scene/draw.h"
#include "files/picture/picture.h"
#include "files/picture/svg-attributes.h"

#include <math.h>
#include <string.h>

void
heddle_svg_append_number (GString *text, const char *name, double value)
{
  g_string_append_printf (text, " %s=\"", name);
  heddle_picture_append_number (text, value);
  g_string_append_c (text, '"');
}

void
heddle_svg_append_attribute (GString *text, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_autofree char *escaped = heddle_quote_xml (value, TRUE);
  g_string_append_printf (text, " %s=\"%s\"", name, escaped);
}

static guint
channel (double value)
{
  return (guint) lround (255. * CLAMP (value, 0., 1.));
}

void
heddle_svg_append_color (GString *text, const char *name, const HeddleColor *color)
{
  g_string_append_printf (
      text, " %s=\"#%02x%02x%02x\"", name, channel (color->r), channel (color->g), channel (color->b));
  if (color->a < 1.)
    {
      g_autofree char *opacity = g_strconcat (name, "-opacity", NULL);
      heddle_svg_append_number (text, opacity, color->a);
    }
}

void
heddle_svg_append_element (GString *text, const char *name, const char *content)
{
  g_autofree char *escaped = heddle_quote_xml (content, FALSE);

  g_string_append_printf (text, "<%s>%s</%s>", name, escaped, name);
}

void
heddle_svg_append_point (GString *text, double x, double y)
{
  heddle_picture_append_number (text, x);
  g_string_append_c (text, ' ');
  heddle_picture_append_number (text, y);
}

void
heddle_svg_append_segments (GString *text, const HeddlePath *path)
{
  for (guint i = 0; i < path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (path, HeddleSegment, i);
      if (segment->kind == HEDDLE_SEGMENT_CLOSE)
        {
          g_string_append_c (text, 'Z');
          continue;
        }
      const HeddleSegment *before = i > 0 ? segment - 1 : NULL;
      const gboolean curved = before != NULL && before->kind == HEDDLE_SEGMENT_CURVE;
      const gboolean straight
          = segment->kind == HEDDLE_SEGMENT_LINE && before != NULL && before->kind != HEDDLE_SEGMENT_CLOSE;
      if (straight && segment->y1 == (curved ? before->y3 : before->y1))
        {
          g_string_append_c (text, 'H');
          heddle_picture_append_number (text, segment->x1);
          continue;
        }
      if (straight && segment->x1 == (curved ? before->x3 : before->x1))
        {
          g_string_append_c (text, 'V');
          heddle_picture_append_number (text, segment->y1);
          continue;
        }
      g_string_append_c (text, segment->kind == HEDDLE_SEGMENT_MOVE   ? 'M'
                               : segment->kind == HEDDLE_SEGMENT_LINE ? 'L'
                                                                      : 'C');
      heddle_svg_append_point (text, segment->x1, segment->y1);
      if (segment->kind != HEDDLE_SEGMENT_CURVE)
        continue;
      g_string_append_c (text, ' ');
      heddle_svg_append_point (text, segment->x2, segment->y2);
      g_string_append_c (text, ' ');
      heddle_svg_append_point (text, segment->x3, segment->y3);
    }
}

void
heddle_svg_append_cairo_path (GString *text, const cairo_path_t *path)
{
  for (int i = 0; i < path->num_data; i += path->data[i].header.length)
    {
      const cairo_path_data_t *data = &path->data[i];
      static const char letters[] = { [CAIRO_PATH_MOVE_TO] = 'M',
        [CAIRO_PATH_LINE_TO] = 'L',
        [CAIRO_PATH_CURVE_TO] = 'C',
        [CAIRO_PATH_CLOSE_PATH] = 'Z' };
      g_string_append_c (text, letters[data->header.type]);
      for (int j = 1; j < data->header.length; j++)
        {
          if (j > 1)
            g_string_append_c (text, ' ');
          heddle_svg_append_point (text, data[j].point.x, data[j].point.y);
        }
    }
}

void
heddle_svg_append_stroke (GString *text, const HeddleItem *item)
{
  if (!item->stroke)
    return;
  heddle_svg_append_color (text, "stroke", &item->stroke_color);
  if (item->line_width != 1.)
    heddle_svg_append_number (text, "stroke-width", item->line_width);
  if (item->round_caps)
    g_string_append (text, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
  if (item->n_dashes == 0)
    return;
  g_string_append (text, " stroke-dasharray=\"");
  for (guint i = 0; i < item->n_dashes; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      heddle_picture_append_number (text, item->dash[i]);
    }
  g_string_append_c (text, '"');
  if (item->dash_offset != 0.)
    heddle_svg_append_number (text, "stroke-dashoffset", item->dash_offset);
}

void
heddle_svg_append_family (GString *text, HeddleFont font)
{
  g_auto (GStrv) names = g_strsplit (heddle_font_family (font), ", ", -1);

  g_string_append (text, " font-family=\"");
  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (
        text, strchr (names[i], ' ') != NULL ? "%s'%s'" : "%s%s", i > 0 ? ", " : "", names[i]);
  g_string_append_c (text, '"');
}

/* Appends the font of an item, unless it is that of mathematics, which the root has. */
void
heddle_svg_append_font (GString *text, const HeddleItem *item)
{
  if (!g_str_equal (heddle_font_family (item->font), heddle_font_family (HEDDLE_FONT_MATH)))
    heddle_svg_append_family (text, item->font);
  if (heddle_font_is_italic (item->font))
    heddle_svg_append_attribute (text, "font-style", "italic");
  if (heddle_font_is_bold (item->font))
    heddle_svg_append_attribute (text, "font-weight", "bold");
  heddle_svg_append_number (text, "font-size", item->size);
}
