/* SPDX-License-Identifier: MIT */
#include "diagram/base/quote.h"
#include "figure/page/scene-titles.h"
#include "figure/scene/draw.h"
#include "figure/scene/scene.h"
#include "files/picture/svg-attributes.h"
#include "files/picture/svg-items.h"

/* The items of a scene, each as an element; those drawn alike in groups. */

#define NO_BREAK_SPACE "\302\240"

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

static gboolean
is_black (const HeddleColor *color)
{
  return color->r == 0. && color->g == 0. && color->b == 0. && color->a == 1.;
}

/* Appends the id of an object to its first item. It has a prefix, since an id may not begin with a digit or
 * the like. */
static void
append_identity (HeddleSvgWriter *self, const HeddleItem *item, gboolean *first)
{
  GString *text = self->text;

  *first = item->object != NULL && g_hash_table_add (self->seen, (gpointer) item->object);
  if (*first)
    {
      g_autofree char *id = g_strdup_printf ("o.%s", item->object);
      heddle_svg_append_attribute (
          text, "id", g_strcanon (id, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-", '-'));
    }
  heddle_svg_append_attribute (text, "data-object", item->object);
  heddle_svg_append_attribute (text, "data-axis", item->axis);
  if (item->value != item->object)
    heddle_svg_append_attribute (text, "data-value", item->value);
}

/* Ends an element, with the title of its object once. */
static void
end_element (HeddleSvgWriter *self, const HeddleItem *item, const char *name, gboolean first)
{
  const char *title = first ? heddle_scene_get_title (self->scene, item->object) : NULL;

  if (title == NULL)
    {
      g_string_append (self->text, "/>\n");
      return;
    }
  g_string_append_c (self->text, '>');
  heddle_svg_append_element (self->text, "title", title);
  g_string_append_printf (self->text, "</%s>\n", name);
}

/* Returns whether readers' fonts have the character: letters of Europe, punctuation and the commonest signs
 * of mathematics. Others, such as the mathematical alphabets, are drawn by whatever font has them, or as
 * empty boxes. */
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
is_outlined (const HeddleSvgWriter *self, const HeddleItem *item)
{
  if (self->options->outlines)
    return TRUE;
  for (const char *p = item->text; *p != '\0'; p = g_utf8_next_char (p))
    if (!is_common (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}

/* Returns the attributes of drawing that many items share, so that one group of them can have them. Returns
 * NULL if the item is drawn like no other. */
static char *
style_of (const HeddleSvgWriter *self, const HeddleItem *item)
{
  GString *text = g_string_new (NULL);

  heddle_svg_append_attribute (text, "class", part_classes[item->part]);
  if (item->kind == HEDDLE_ITEM_SHADOW || (item->kind == HEDDLE_ITEM_TEXT && is_outlined (self, item)))
    return g_string_free (text, TRUE); /* NULL */
  if (item->kind == HEDDLE_ITEM_TEXT)
    heddle_svg_append_font (text, item);
  if (item->kind == HEDDLE_ITEM_PATH && !item->fill)
    g_string_append (text, " fill=\"none\"");
  else if (!is_black (&item->fill_color)) /* what is not said */
    heddle_svg_append_color (text, "fill", &item->fill_color);
  if (item->kind == HEDDLE_ITEM_PATH)
    heddle_svg_append_stroke (text, item);
  return g_string_free (text, FALSE);
}

static void
write_path (HeddleSvgWriter *self, const HeddleItem *item, const char *style)
{
  GString *text = self->text;
  gboolean first;

  g_string_append_printf (text, "<path%s", style);
  append_identity (self, item, &first);
  g_string_append (text, " d=\"");
  heddle_svg_append_segments (text, item->path);
  g_string_append_c (text, '"');
  end_element (self, item, "path", first);
}

static void
write_shadow (HeddleSvgWriter *self, const HeddleItem *item)
{
  GString *text = self->text;

  g_string_append (text, "<rect class=\"shadow\"");
  heddle_svg_append_number (text, "x", item->x);
  heddle_svg_append_number (text, "y", item->y);
  heddle_svg_append_number (text, "width", item->width);
  heddle_svg_append_number (text, "height", item->height);
  heddle_svg_append_number (text, "rx", item->radius);
  heddle_svg_append_color (text, "fill", &item->fill_color);
  g_string_append (text, " filter=\"url(#heddle-shadow)\"/>\n");
}

/* Appends the length of a run in the font in which it was measured: in another font it is fitted to its
 * place, and does not overlap what follows. A single letter cannot reach far. */
static void
append_length (GString *text, const HeddleItem *item)
{
  if (!(item->width > 0.) || g_utf8_strlen (item->text, -1) < 2)
    return;
  heddle_svg_append_number (text, "textLength", item->width);
  heddle_svg_append_attribute (text, "lengthAdjust", "spacingAndGlyphs");
}

/* Appends a run within a label that begins with @head: at its own place, in its own font if that differs. */
static void
append_run (HeddleSvgWriter *self, const HeddleItem *item, const HeddleItem *head)
{
  g_autofree char *escaped = heddle_quote_xml (item->text, FALSE);
  GString *text = self->text;

  g_string_append (text, "<tspan");
  heddle_svg_append_number (text, "x", item->x);
  heddle_svg_append_number (text, "y", item->y);
  if (item->size != head->size)
    heddle_svg_append_number (text, "font-size", item->size);
  if (!g_str_equal (heddle_font_family (item->font), heddle_font_family (head->font)))
    heddle_svg_append_family (text, item->font);
  if (heddle_font_is_italic (item->font) != heddle_font_is_italic (head->font))
    heddle_svg_append_attribute (
        text, "font-style", heddle_font_is_italic (item->font) ? "italic" : "normal");
  if (heddle_font_is_bold (item->font) != heddle_font_is_bold (head->font))
    heddle_svg_append_attribute (text, "font-weight", heddle_font_is_bold (item->font) ? "bold" : "normal");
  append_length (text, item);
  g_string_append_printf (text, ">%s</tspan>", escaped);
}

/* Returns whether the text has spaces that would be left out: those at the ends, and all but one of several.
 * librsvg also leaves out no-break spaces at the ends. */
static gboolean
has_outer_spaces (const char *text)
{
  return *text == ' ' || g_str_has_suffix (text, " ") || strstr (text, "  ") != NULL
         || g_str_has_prefix (text, NO_BREAK_SPACE) || g_str_has_suffix (text, NO_BREAK_SPACE);
}

/* Returns the next run of the label of item @number that is written as text; NULL if it was the last. */
static const HeddleItem *
next_run (const HeddleSvgWriter *self, const HeddleItem *head, guint *number)
{
  while (head->label != 0 && ++*number < heddle_scene_get_n_items (self->scene))
    {
      const HeddleItem *run = heddle_scene_get_item (self->scene, *number);

      if (run->kind == HEDDLE_ITEM_TEXT && run->label != head->label)
        return NULL;
      if (run->kind == HEDDLE_ITEM_TEXT && !is_outlined (self, run))
        return run;
    }
  return NULL;
}

/* Appends the runs of a label; if the first is alone, its length is that of the whole. */
static void
append_runs (HeddleSvgWriter *self, guint number)
{
  const HeddleItem *head = heddle_scene_get_item (self->scene, number), *run = next_run (self, head, &number);
  GString *text = self->text;
  g_autofree char *escaped = heddle_quote_xml (head->text, FALSE);

  if (run == NULL)
    {
      append_length (text, head);
      g_string_append_printf (text, ">%s", escaped);
      return;
    }
  g_string_append_c (text, '>');
  if (g_utf8_strlen (head->text, -1) > 1)
    append_run (self, head, head);
  else
    g_string_append (text, escaped);
  for (; run != NULL; run = next_run (self, head, &number))
    append_run (self, run, head);
}

/* Writes a label's runs as one text, so that it is found and copied as one. */
static void
write_text (HeddleSvgWriter *self, guint number, const char *style)
{
  const HeddleItem *item = heddle_scene_get_item (self->scene, number);
  GString *text = self->text;
  gboolean first;

  const gboolean titled = heddle_scene_get_title (self->scene, item->object) != NULL
                          && !g_hash_table_contains (self->seen, item->object);
  if (titled) /* about the text: a title within it would be part of what it says */
    {
      g_string_append (text, "<g");
      append_identity (self, item, &first);
      g_string_append_c (text, '>');
      heddle_svg_append_element (text, "title", heddle_scene_get_title (self->scene, item->object));
    }
  g_string_append_printf (text, "<text%s", style);
  append_identity (self, item, &first);
  heddle_svg_append_number (text, "x", item->x);
  heddle_svg_append_number (text, "y", item->y);
  if (has_outer_spaces (item->text))
    heddle_svg_append_attribute (text, "xml:space", "preserve");
  append_runs (self, number);
  g_string_append (text, titled ? "</text></g>\n" : "</text>\n");
}

/* Writes letters as paths, with the text in the title. */
static void
write_outlines (HeddleSvgWriter *self, const HeddleItem *item)
{
  GString *text = self->text;
  gboolean first;

  heddle_item_text_path (item, self->outliner);
  cairo_path_t *path = cairo_copy_path (self->outliner);
  g_string_append_printf (text, "<path class=\"%s\"", part_classes[item->part]);
  append_identity (self, item, &first);
  heddle_svg_append_attribute (text, "aria-label", item->text);
  heddle_svg_append_color (text, "fill", &item->fill_color);
  g_string_append (text, " d=\"");
  heddle_svg_append_cairo_path (text, path);
  g_string_append (text, "\">");
  heddle_svg_append_element (text, "title", item->text);
  g_string_append (text, "</path>\n");
  cairo_path_destroy (path);
}

/* Writes an item. @style holds its own attributes; it is empty in a group that has them. */
static void
write_item (HeddleSvgWriter *self, guint number, const char *style)
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
close_group (HeddleSvgWriter *self)
{
  if (self->group != NULL)
    g_string_append (self->text, "</g>\n");
  g_clear_pointer (&self->group, g_free);
}

/* Returns all items but the runs that are written with the first of their label. */
static GArray *
find_written (const HeddleSvgWriter *self)
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

/* Writes all items. Those that follow one another and are drawn in the same way are a group: that halves the
 * bytes, and keeps the order. */
void
heddle_svg_write_items (HeddleSvgWriter *self)
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
