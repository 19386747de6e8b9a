/* SPDX-License-Identifier: MIT */
#include "files/picture-private.h"
#include "files/svg-source.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GString *text;
  const HeddlePictureOptions *options;
  const HeddleScene *scene;
  cairo_t *outliner; /* gives the paths of glyphs */
  GHashTable *seen; /* objects that have an id and a title already */
  char *group; /* the attributes of the group that is open, or NULL */
} Writer;

static const char *const part_classes[] = {
  [HEDDLE_PART_BACKGROUND] = "background",
  [HEDDLE_PART_BOX] = "box",
  [HEDDLE_PART_SEPARATOR] = "separator",
  [HEDDLE_PART_WIRE] = "wire",
  [HEDDLE_PART_GLYPH] = "glyph",
  [HEDDLE_PART_AXIS_LABEL] = "axis",
  [HEDDLE_PART_VALUE_LABEL] = "value",
  [HEDDLE_PART_TAG] = "tag",
  [HEDDLE_PART_COLUMN] = "column",
  [HEDDLE_PART_ANNOTATION] = "annotation",
};

/* --- pieces of text ------------------------------------------------------------------------------ */

static void
append_number_attribute (GString *text, const char *name, double value)
{
  g_string_append_printf (text, " %s=\"", name);
  heddle_picture_append_number (text, value);
  g_string_append_c (text, '"');
}

static void
append_attribute (GString *text, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_autofree char *escaped = g_markup_escape_text (value, -1);
  g_string_append_printf (text, " %s=\"%s\"", name, escaped);
}

static guint
channel (double value)
{
  return (guint) lround (255. * CLAMP (value, 0., 1.));
}

static void
append_color (GString *text, const char *name, const HeddleColor *color)
{
  g_string_append_printf (
      text, " %s=\"#%02x%02x%02x\"", name, channel (color->r), channel (color->g), channel (color->b));
  if (color->a < 1.)
    {
      g_autofree char *opacity = g_strconcat (name, "-opacity", NULL);
      append_number_attribute (text, opacity, color->a);
    }
}

static gboolean
is_black (const HeddleColor *color)
{
  return color->r == 0. && color->g == 0. && color->b == 0. && color->a == 1.;
}

/* The first item of an object carries its id. An id that begins with a digit or the like would be none. */
static void
append_identity (Writer *self, const HeddleItem *item, gboolean *first)
{
  GString *text = self->text;

  *first = item->object != NULL && g_hash_table_add (self->seen, (gpointer) item->object);
  if (*first)
    {
      g_autofree char *id = g_strdup_printf ("o.%s", item->object);
      append_attribute (text, "id", g_strcanon (id, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-", '-'));
    }
  append_attribute (text, "data-object", item->object);
  append_attribute (text, "data-axis", item->axis);
  if (item->value != item->object)
    append_attribute (text, "data-value", item->value);
}

static void
append_element (GString *text, const char *name, const char *content)
{
  g_autofree char *valid = g_utf8_make_valid (content, -1);
  g_autofree char *escaped = g_markup_escape_text (valid, -1);

  g_string_append_printf (text, "<%s>%s</%s>", name, escaped, name);
}

/* What it is called, once. */
static void
end_element (Writer *self, const HeddleItem *item, const char *name, gboolean first)
{
  const char *title = first ? heddle_scene_get_title (self->scene, item->object) : NULL;

  if (title == NULL)
    {
      g_string_append (self->text, "/>\n");
      return;
    }
  g_string_append_c (self->text, '>');
  append_element (self->text, "title", title);
  g_string_append_printf (self->text, "</%s>\n", name);
}

/* --- items ----------------------------------------------------------------------------------------- */

static void
append_point (GString *text, double x, double y)
{
  heddle_picture_append_number (text, x);
  g_string_append_c (text, ' ');
  heddle_picture_append_number (text, y);
}

static void
append_segments (GString *text, const GArray *path)
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
      append_point (text, segment->x1, segment->y1);
      if (segment->kind != HEDDLE_SEGMENT_CURVE)
        continue;
      g_string_append_c (text, ' ');
      append_point (text, segment->x2, segment->y2);
      g_string_append_c (text, ' ');
      append_point (text, segment->x3, segment->y3);
    }
}

static void
append_stroke (GString *text, const HeddleItem *item)
{
  if (!item->stroke)
    return;
  append_color (text, "stroke", &item->stroke_color);
  if (item->line_width != 1.)
    append_number_attribute (text, "stroke-width", item->line_width);
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
    append_number_attribute (text, "stroke-dashoffset", item->dash_offset);
}

static void
append_family (GString *text, HeddleFont font)
{
  g_auto (GStrv) names = g_strsplit (heddle_font_family (font), ", ", -1);

  g_string_append (text, " font-family=\"");
  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (
        text, strchr (names[i], ' ') != NULL ? "%s'%s'" : "%s%s", i > 0 ? ", " : "", names[i]);
  g_string_append_c (text, '"');
}

/* The root has the family of mathematics. */
static void
append_font (GString *text, const HeddleItem *item)
{
  if (!g_str_equal (heddle_font_family (item->font), heddle_font_family (HEDDLE_FONT_MATH)))
    append_family (text, item->font);
  if (heddle_font_is_italic (item->font))
    append_attribute (text, "font-style", "italic");
  if (heddle_font_is_bold (item->font))
    append_attribute (text, "font-weight", "bold");
  append_number_attribute (text, "font-size", item->size);
}

/* Whether readers' fonts have it: letters of Europe, punctuation and the commonest signs of mathematics. Others, such as the mathematical
 * alphabets, are drawn by whatever font has them, or as empty boxes. */
static gboolean
is_common (gunichar c)
{
  static const gunichar signs[] = { 0x2190, 0x2192, 0x2202, 0x2207, 0x2208, 0x220F, 0x2211, 0x2212, 0x2217,
    0x221A, 0x221E, 0x2227, 0x2228, 0x2248, 0x2260, 0x2261, 0x2264, 0x2265, 0x22C5 };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (signs[i] == c)
      return TRUE;
  return c < 0x0400 || (c >= 0x2000 && c < 0x2070) || c == 0x2113 || c == 0xFFFD;
}

static gboolean
is_outlined (const Writer *self, const HeddleItem *item)
{
  if (self->options->outlines)
    return TRUE;
  for (const char *p = item->text; *p != '\0'; p = g_utf8_next_char (p))
    if (!is_common (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}

/* What many items have in common, and one group of them can say: how they are drawn. NULL: it is drawn as nothing else is. */
static char *
style_of (const Writer *self, const HeddleItem *item)
{
  GString *text = g_string_new (NULL);

  append_attribute (text, "class", part_classes[item->part]);
  if (item->kind == HEDDLE_ITEM_SHADOW || (item->kind == HEDDLE_ITEM_TEXT && is_outlined (self, item)))
    return g_string_free (text, TRUE); /* NULL */
  if (item->kind == HEDDLE_ITEM_TEXT)
    append_font (text, item);
  if (item->kind == HEDDLE_ITEM_PATH && !item->fill)
    g_string_append (text, " fill=\"none\"");
  else if (!is_black (&item->fill_color)) /* what is not said */
    append_color (text, "fill", &item->fill_color);
  if (item->kind == HEDDLE_ITEM_PATH)
    append_stroke (text, item);
  return g_string_free (text, FALSE);
}

static void
write_path (Writer *self, const HeddleItem *item, const char *style)
{
  GString *text = self->text;
  gboolean first;

  g_string_append_printf (text, "<path%s", style);
  append_identity (self, item, &first);
  g_string_append (text, " d=\"");
  append_segments (text, item->path);
  g_string_append_c (text, '"');
  end_element (self, item, "path", first);
}

static void
write_shadow (Writer *self, const HeddleItem *item)
{
  GString *text = self->text;

  g_string_append (text, "<rect class=\"shadow\"");
  append_number_attribute (text, "x", item->x);
  append_number_attribute (text, "y", item->y);
  append_number_attribute (text, "width", item->width);
  append_number_attribute (text, "height", item->height);
  append_number_attribute (text, "rx", item->radius);
  append_color (text, "fill", &item->fill_color);
  g_string_append (text, " filter=\"url(#heddle-shadow)\"/>\n");
}

/* A run within a label that begins with @head: at its own place, in its own font where that differs. */
static void
append_run (Writer *self, const HeddleItem *item, const HeddleItem *head)
{
  g_autofree char *escaped = g_markup_escape_text (item->text, -1);
  GString *text = self->text;

  g_string_append (text, "<tspan");
  append_number_attribute (text, "x", item->x);
  append_number_attribute (text, "y", item->y);
  if (item->size != head->size)
    append_number_attribute (text, "font-size", item->size);
  if (!g_str_equal (heddle_font_family (item->font), heddle_font_family (head->font)))
    append_family (text, item->font);
  if (heddle_font_is_italic (item->font) != heddle_font_is_italic (head->font))
    append_attribute (text, "font-style", heddle_font_is_italic (item->font) ? "italic" : "normal");
  if (heddle_font_is_bold (item->font) != heddle_font_is_bold (head->font))
    append_attribute (text, "font-weight", heddle_font_is_bold (item->font) ? "bold" : "normal");
  g_string_append_printf (text, ">%s</tspan>", escaped);
}

/* A label's runs are one text, so that it is found and copied as one. */
static void
write_text (Writer *self, guint number, const char *style)
{
  const HeddleItem *item = heddle_scene_get_item (self->scene, number);
  GString *text = self->text;
  g_autofree char *escaped = g_markup_escape_text (item->text, -1);
  gboolean first;

  const gboolean titled = heddle_scene_get_title (self->scene, item->object) != NULL
                          && !g_hash_table_contains (self->seen, item->object);
  if (titled) /* about the text: a title within it would be part of what it says */
    {
      g_string_append (text, "<g");
      append_identity (self, item, &first);
      g_string_append_c (text, '>');
      append_element (text, "title", heddle_scene_get_title (self->scene, item->object));
    }
  g_string_append_printf (text, "<text%s", style);
  append_identity (self, item, &first);
  append_number_attribute (text, "x", item->x);
  append_number_attribute (text, "y", item->y);
  g_string_append_c (text, '>');
  g_string_append (text, escaped);
  for (guint i = number + 1; item->label != 0 && i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *run = heddle_scene_get_item (self->scene, i);
      if (run->kind == HEDDLE_ITEM_TEXT && run->label != item->label)
        break;
      if (run->kind == HEDDLE_ITEM_TEXT && !is_outlined (self, run))
        append_run (self, run, item);
    }
  g_string_append (text, titled ? "</text></g>\n" : "</text>\n");
}

static void
append_cairo_path (GString *text, const cairo_path_t *path)
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
          append_point (text, data[j].point.x, data[j].point.y);
        }
    }
}

/* Letters as paths, with the text in the title. */
static void
write_outlines (Writer *self, const HeddleItem *item)
{
  GString *text = self->text;
  gboolean first;

  heddle_item_text_path (item, self->outliner);
  cairo_path_t *path = cairo_copy_path (self->outliner);
  g_string_append_printf (text, "<path class=\"%s\"", part_classes[item->part]);
  append_identity (self, item, &first);
  append_attribute (text, "aria-label", item->text);
  append_color (text, "fill", &item->fill_color);
  g_string_append (text, " d=\"");
  append_cairo_path (text, path);
  g_string_append (text, "\">");
  append_element (text, "title", item->text);
  g_string_append (text, "</path>\n");
  cairo_path_destroy (path);
}

/* --- the document ------------------------------------------------------------------------------------- */

static double
find_sigma (const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_SHADOW)
      return heddle_scene_get_item (scene, i)->sigma;
  return 0.;
}

static void
write_definitions (Writer *self, const HeddleScene *scene)
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

char *
heddle_svg_hash (const char *drawing, gsize length, const char *source)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) drawing, length);
  g_checksum_update (checksum, (const guchar *) source, strlen (source));
  return g_strdup (g_checksum_get_string (checksum));
}

/* The document that the picture was made from, so that the picture can be opened again; with a hash by which one that was changed by
 * hand is told. It stands at the end: the drawing is what is before it. */
static gboolean
write_source (Writer *self, GError **error)
{
  if (self->options->source == NULL)
    return TRUE;
  g_autofree char *source = heddle_ncd_write (self->options->source, NULL, error);
  if (source == NULL)
    return FALSE;
  g_autofree char *hash = heddle_svg_hash (self->text->str, self->text->len, source);
  g_autofree char *escaped = g_markup_escape_text (source, -1);
  g_string_append_printf (
      self->text, HEDDLE_SVG_SOURCE_START "%s\">%s</heddle:source>\n</metadata>\n", hash, escaped);
  return TRUE;
}

/* @style: its own attributes; empty in a group that has them. */
static void
write_item (Writer *self, guint number, const char *style)
{
  const HeddleItem *item = heddle_scene_get_item (self->scene, number);

  switch (item->kind)
    {
    case HEDDLE_ITEM_PATH:
      write_path (self, item, style);
      return;
    case HEDDLE_ITEM_SHADOW:
      write_shadow (self, item);
      return;
    case HEDDLE_ITEM_TEXT:
      if (is_outlined (self, item))
        write_outlines (self, item);
      else
        write_text (self, number, style);
      return;
    }
}

static void
close_group (Writer *self)
{
  if (self->group != NULL)
    g_string_append (self->text, "</g>\n");
  g_clear_pointer (&self->group, g_free);
}

/* All but the runs that are written with the first of their label. */
static GArray *
find_written (const Writer *self)
{
  GArray *written = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) labels = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, i);
      if (item->kind != HEDDLE_ITEM_TEXT || item->label == 0 || is_outlined (self, item)
          || g_hash_table_add (labels, GUINT_TO_POINTER (item->label)))
        g_array_append_val (written, i);
    }
  return written;
}

/* Items that follow one another and are drawn in the same way are a group: half the bytes, and order stays as it is. */
static void
write_items (Writer *self)
{
  g_autoptr (GArray) written = find_written (self);
  const guint n = written->len;
  g_autofree char *style
      = n > 0 ? style_of (self, heddle_scene_get_item (self->scene, g_array_index (written, guint, 0)))
              : NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *next = i + 1 < n ? style_of (self,
                                  heddle_scene_get_item (self->scene, g_array_index (written, guint, i + 1)))
                                        : NULL;
      if (g_strcmp0 (self->group, style) != 0)
        close_group (self);
      if (self->group == NULL && style != NULL && g_strcmp0 (style, next) == 0)
        {
          self->group = g_strdup (style);
          g_string_append_printf (self->text, "<g%s>\n", style);
        }
      write_item (self, g_array_index (written, guint, i), self->group == NULL && style != NULL ? style : "");
      g_free (style);
      style = g_steal_pointer (&next);
    }
  close_group (self);
}

static void
write_paper (Writer *self, const HeddlePage *page)
{
  if (self->options->paper == NULL)
    return;
  g_string_append (self->text, "<rect class=\"paper\"");
  append_number_attribute (self->text, "x", page->x);
  append_number_attribute (self->text, "y", page->y);
  append_number_attribute (self->text, "width", page->width);
  append_number_attribute (self->text, "height", page->height);
  append_color (self->text, "fill", self->options->paper);
  g_string_append (self->text, "/>\n");
}

static void
write_root (Writer *self, const HeddlePage *page)
{
  GString *text = self->text;

  g_string_append (text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                         "xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"");
  heddle_picture_append_number (text, page->width_pt);
  g_string_append (text, "pt\" height=\"");
  heddle_picture_append_number (text, page->height_pt);
  g_string_append (text, "pt\" viewBox=\"");
  append_point (text, page->x, page->y);
  g_string_append_c (text, ' ');
  append_point (text, page->width, page->height);
  g_string_append_c (text, '"');
  if (!self->options->outlines)
    append_family (text, HEDDLE_FONT_MATH);
  g_string_append (text, ">\n");
}

/* The whole, for who cannot see it. */
static void
write_title (Writer *self)
{
  const char *description = NULL, *title = heddle_scene_get_figure_title (self->scene, &description);

  if (title == NULL)
    return;
  append_element (self->text, "title", title);
  append_element (self->text, "desc", description);
  g_string_append_c (self->text, '\n');
}

/**
 * heddle_svg_write:
 * @scene: what is drawn
 * @options: (nullable): how
 * @error: return location
 *
 * A picture as SVG 1.1 by presentation attributes alone, with text as text, or as outlines; runs that readers' fonts may lack are outlined
 * too, with their text as title. The first item of each object carries an id and the object's name. The same scene gives the same bytes. Errors: those of writing the source that
 * is embedded.
 *
 * Returns: (transfer full) (nullable): the file
 */
GBytes *
heddle_svg_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scene != NULL, NULL);

  const HeddlePictureOptions plain = { 0 };
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  Writer self = { .text = g_string_new (NULL),
    .options = options != NULL ? options : &plain,
    .scene = scene,
    .outliner = cairo_create (recording),
    .seen = g_hash_table_new (NULL, NULL) };
  const HeddlePage page = heddle_page_for (scene, self.options);

  write_root (&self, &page);
  write_title (&self);
  write_definitions (&self, scene);
  write_paper (&self, &page);
  write_items (&self);
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
