/* SPDX-License-Identifier: MIT */
#include "diagram/base/quote.h"
#include "figure/page/scene-titles.h"
#include "files/ncd/write.h"
#include "files/picture/picture.h"
#include "files/picture/private.h"
#include "files/picture/svg-attributes.h"
#include "files/picture/svg-items.h"
#include "files/picture/svg-private.h"
#include "files/picture/svg-source.h"
#include "files/picture/svg.h"

static double
find_sigma (const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_SHADOW)
      return heddle_scene_get_item (scene, i)->sigma;
  return 0.;
}

static void
write_definitions (HeddleSvgWriter *self, const HeddleScene *scene)
{
  const double sigma = find_sigma (scene);

  g_string_append (self->text, "<defs>\n");
  if (sigma > 0.)
    {
      g_string_append (self->text,
          "<filter id=\"heddle-shadow\" x=\"-60%\" y=\"-60%\" width=\"220%\" height=\"220%\">"
          "<feGaussianBlur stdDeviation=\"");
      heddle_picture_append_number (self->text, sigma);
      g_string_append (self->text, "\"/></filter>\n");
    }
  g_string_append (self->text, "</defs>\n");
}

/* Writes the document that the picture was made from, so that the picture can be opened again, with a hash
 * that reveals changes by hand. It stands at the end: the drawing is what is before it. */
static gboolean
write_source (HeddleSvgWriter *self, GError **error)
{
  if (self->options->source == NULL)
    return TRUE;
  g_autofree char *source = heddle_ncd_write (self->options->source, NULL, error);
  if (source == NULL)
    return FALSE;
  g_autofree char *hash = heddle_picture_hash (self->text->str, self->text->len, source);
  g_autofree char *escaped = heddle_quote_xml (source, FALSE);
  g_string_append_printf (
      self->text, HEDDLE_SVG_SOURCE_START "%s\">%s</heddle:source>\n</metadata>\n", hash, escaped);
  return TRUE;
}

static void
write_paper (HeddleSvgWriter *self, const HeddlePage *page)
{
  if (self->options->paper == NULL)
    return;
  g_string_append (self->text, "<rect class=\"paper\"");
  heddle_svg_append_number (self->text, "x", page->x);
  heddle_svg_append_number (self->text, "y", page->y);
  heddle_svg_append_number (self->text, "width", page->width);
  heddle_svg_append_number (self->text, "height", page->height);
  heddle_svg_append_color (self->text, "fill", self->options->paper);
  g_string_append (self->text, "/>\n");
}

static void
write_root (HeddleSvgWriter *self, const HeddlePage *page)
{
  GString *text = self->text;

  g_string_append (text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                         "xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"");
  heddle_picture_append_number (text, page->width_pt);
  g_string_append (text, "pt\" height=\"");
  heddle_picture_append_number (text, page->height_pt);
  g_string_append (text, "pt\" viewBox=\"");
  heddle_svg_append_point (text, page->x, page->y);
  g_string_append_c (text, ' ');
  heddle_svg_append_point (text, page->width, page->height);
  g_string_append_c (text, '"');
  if (!self->options->outlines)
    heddle_svg_append_family (text, HEDDLE_FONT_MATH);
  g_string_append (text, ">\n");
}

/* Writes the title and description of the whole, for people who cannot see it. */
static void
write_title (HeddleSvgWriter *self)
{
  const char *description = NULL, *title = heddle_scene_get_figure_title (self->scene, &description);

  if (title == NULL)
    return;
  heddle_svg_append_element (self->text, "title", title);
  heddle_svg_append_element (self->text, "desc", description);
  g_string_append_c (self->text, '\n');
}

GBytes *
heddle_svg_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scene != NULL, NULL);

  const HeddlePictureOptions plain = { 0 };
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  HeddleSvgWriter self = { .text = g_string_new (NULL),
    .options = options != NULL ? options : &plain,
    .scene = scene,
    .outliner = cairo_create (recording),
    .seen = g_hash_table_new (NULL, NULL) };
  const HeddlePage page = heddle_page_for (scene, self.options);

  write_root (&self, &page);
  write_title (&self);
  write_definitions (&self, scene);
  write_paper (&self, &page);
  heddle_svg_write_items (&self);
  const gboolean written = write_source (&self, error);
  g_string_append (self.text, "</svg>\n");
  g_hash_table_unref (self.seen);
  cairo_destroy (self.outliner);
  cairo_surface_destroy (recording);
  if (written)
    return g_string_free_to_bytes (self.text);
  g_string_free (self.text, TRUE);
  return NULL;
}
