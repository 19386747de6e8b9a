/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/base/quote-tex.h"
#include "figure/scene/draw.h"
#include "files/ncd/write.h"
#include "files/picture/picture.h"
#include "files/picture/private.h"
#include "files/picture/tikz-formula.h"
#include "files/picture/tikz-source.h"
#include "files/picture/tikz.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The limits of coordinates: TeX knows no lengths from 16384 pt and TikZ no numbers from 16384. */
#define MOST_PX 16000.
#define SEGMENTS_PER_LINE 6
#define BOX_RADIUS 1.5 /* px: as heddle.sty has it */
#define THIN 1. /* px: a wire's line where nothing else is said */
#define SEPARATOR 2.

typedef struct
{
  GString *text;
  double x, y; /* the scene's px that are the picture's origin */
  double scale; /* pt (1/72 in) in a px */
  gboolean outlines;
  const char *art; /* the PDF over which the words are set; NULL: all is drawn */
  cairo_t *outliner;
  GHashTable *colors; /* those defined, as 0xRRGGBB */
  GHashTable *names; /* char *, those given, -> how often */
} Writer;

/* The styles of data/tex/heddle.sty by HeddleFont. They use the paper's own fonts, so that a figure matches
 * it. */
static const char *const fonts[] = {
  [HEDDLE_FONT_MATH] = "heddle italic",
  [HEDDLE_FONT_ROMAN] = "", /* what is not said */
  [HEDDLE_FONT_BOLD] = "heddle bold",
  [HEDDLE_FONT_SANS] = "heddle sans",
  [HEDDLE_FONT_SANS_BOLD] = "heddle sans bold",
  [HEDDLE_FONT_MONO] = "heddle mono",
};

/* --- pieces of text ------------------------------------------------------------------------------ */

static void
append_number (Writer *self, double value)
{
  heddle_picture_append_number (self->text, value);
}

static void
append_point (Writer *self, double x, double y)
{
  g_string_append_c (self->text, '(');
  append_number (self, x - self->x);
  g_string_append_c (self->text, ',');
  append_number (self, y - self->y);
  g_string_append_c (self->text, ')');
}

static void
append_words (Writer *self, double first, double second)
{
  g_string_append_c (self->text, '{');
  append_number (self, first);
  g_string_append (self->text, "}{");
  append_number (self, second);
  g_string_append_c (self->text, '}');
}

/* Appends "{o-S}", what a paper calls what the item stands for: its object, the axis of a wire, and @role.
 * TikZ allows no dots and commas in names; a second one gets a number. */
static void
append_name (Writer *self, const HeddleItem *item, const char *role)
{
  const char *object = item->object != NULL ? item->object : "text";
  const gboolean wire = item->axis != NULL && g_strcmp0 (item->axis, item->object) != 0;
  char *name = g_strjoin ("-", object, wire ? item->axis : role, wire ? role : NULL, NULL);

  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '-');
  while (g_str_has_suffix (name, "-"))
    name[strlen (name) - 1] = '\0';
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name)) + 1;
  if (n == 1)
    g_string_append_printf (self->text, "{%s}", name);
  else
    g_string_append_printf (self->text, "{%s-%u}", name, n);
  g_hash_table_insert (self->names, name, GUINT_TO_POINTER (n));
}

static guint
rgb_of (const HeddleColor *color)
{
  const double channels[] = { color->r, color->g, color->b };
  guint rgb = 0;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    rgb = rgb << 8 | (guint) lround (255. * CLAMP (channels[i], 0., 1.));
  return rgb;
}

/* Begins another option between brackets. */
static void
append_option (Writer *self, const char *option)
{
  const char last = self->text->str[self->text->len - 1];

  g_string_append_printf (self->text, "%s%s", last == '[' ? "" : ",", option);
}

/* Appends a colour. @use is fill, draw or text; @plain says that black without transparency is the
 * default. */
static void
append_color (Writer *self, const char *use, const HeddleColor *color, gboolean plain)
{
  if (!plain || rgb_of (color) != 0)
    {
      append_option (self, use);
      g_string_append_printf (self->text, "=heddle%06X", rgb_of (color));
    }
  if (!(color->a < 1.))
    return;
  append_option (self, use);
  g_string_append (self->text, " opacity=");
  append_number (self, CLAMP (color->a, 0., 1.));
}

/* Takes back brackets with nothing between. */
static void
end_options (Writer *self)
{
  if (g_str_has_suffix (self->text->str, "["))
    g_string_truncate (self->text, self->text->len - 1);
  else
    g_string_append_c (self->text, ']');
}

static void
define_color (Writer *self, const HeddleColor *color)
{
  const guint rgb = rgb_of (color);

  if (g_hash_table_add (self->colors, GUINT_TO_POINTER (rgb)))
    g_string_append_printf (self->text, "\\definecolor{heddle%06X}{HTML}{%06X}\n", rgb, rgb);
}

/* --- paths ----------------------------------------------------------------------------------------- */

static void
append_segment (Writer *self, const HeddleSegment *segment)
{
  switch (segment->kind)
    {
    case HEDDLE_SEGMENT_MOVE:
      break;
    case HEDDLE_SEGMENT_LINE:
      g_string_append (self->text, "--");
      break;
    case HEDDLE_SEGMENT_CURVE:
      g_string_append (self->text, "..controls ");
      append_point (self, segment->x1, segment->y1);
      g_string_append (self->text, " and ");
      append_point (self, segment->x2, segment->y2);
      g_string_append (self->text, "..");
      append_point (self, segment->x3, segment->y3);
      return;
    case HEDDLE_SEGMENT_CLOSE:
      g_string_append (self->text, "--cycle");
      return;
    }
  append_point (self, segment->x1, segment->y1);
}

static void
append_segments (Writer *self, const HeddleSegment *segments, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (self->text, i > 0 && i % SEGMENTS_PER_LINE == 0 ? "\n  " : "");
      append_segment (self, &segments[i]);
    }
}

/* Appends dashes as Cairo interprets them: a list of odd length is used twice; one that is all gaps, or has a
 * negative length, is none. */
static void
append_dashes (Writer *self, const HeddleItem *item)
{
  const guint n = item->n_dashes % 2 == 1 ? 2 * item->n_dashes : item->n_dashes;
  double total = 0.;

  for (guint i = 0; i < item->n_dashes; i++)
    total = item->dash[i] >= 0. ? total + item->dash[i] : -INFINITY;
  if (!(total > 0.))
    return;
  append_option (self, "dash pattern=");
  for (guint i = 0; i < n; i++)
    {
      g_string_append (self->text, i % 2 == 0 ? (i > 0 ? " on " : "on ") : " off ");
      append_number (self, item->dash[i % item->n_dashes]);
      g_string_append (self->text, "\\heddleunit");
    }
  if (item->dash_offset == 0.)
    return;
  append_option (self, "dash phase=");
  append_number (self, item->dash_offset);
  g_string_append (self->text, "\\heddleunit");
}

/* Appends a stroke; @width, in px, is that of a line that is the default. */
static void
append_stroke (Writer *self, const HeddleItem *item, double width)
{
  append_color (self, "draw", &item->stroke_color, width > 0.);
  if (item->line_width != width)
    {
      append_option (self, "lw=");
      append_number (self, item->line_width);
    }
  if (item->round_caps && width != THIN)
    append_option (self, "line cap=round,line join=round");
  append_dashes (self, item);
}

static void
begin_macro (Writer *self, const char *macro)
{
  g_string_append_printf (self->text, "\\heddle%s[", macro);
}

/* Returns whether the path has the corners of one that heddle_item_rectangle () made. */
static gboolean
is_rectangle (const HeddleItem *item)
{
  const HeddlePath *path = item->path;
  double x, y, width, height;

  if ((path->len != 6 && path->len != 10) || path->data[path->len - 1].kind != HEDDLE_SEGMENT_CLOSE)
    return FALSE;
  for (guint i = 1; i + 1 < path->len; i++)
    if (path->data[i].kind != (path->len == 10 && i % 2 == 0 ? HEDDLE_SEGMENT_CURVE : HEDDLE_SEGMENT_LINE))
      return FALSE;
  heddle_item_get_bounds (item, &x, &y, &width, &height);
  const HeddleSegment *first = &path->data[0], *second = &path->data[1];
  return first->y1 == second->y1 && second->x1 > first->x1 && first->y1 <= y + item->line_width;
}

static void
write_box (Writer *self, const HeddleItem *item)
{
  const HeddlePath *path = item->path;
  const gboolean round = path->len == 10;
  const double radius = round ? path->data[2].x3 - path->data[1].x1 : 0.;
  const double x = path->data[0].x1 - radius, y = path->data[0].y1;

  begin_macro (self, "box");
  append_color (self, "fill", &item->fill_color, FALSE);
  if (item->stroke)
    append_stroke (self, item, 0.);
  if (radius != BOX_RADIUS)
    {
      append_option (self, "corner=");
      append_number (self, radius);
    }
  end_options (self);
  append_name (self, item, "");
  g_string_append_c (self->text, '{');
  append_point (self, x, y);
  g_string_append_c (self->text, '}');
  append_words (self, path->data[1].x1 + radius - x, path->data[round ? 5 : 3].y1 - y);
  g_string_append_c (self->text, '\n');
}

static void
write_wire (Writer *self, const HeddleItem *item)
{
  begin_macro (self, "wire");
  append_stroke (self, item, THIN);
  if (!item->round_caps)
    append_option (self, "line cap=butt");
  end_options (self);
  append_name (self, item, "");
  g_string_append_c (self->text, '{');
  append_segments (self, item->path->data, 1);
  g_string_append (self->text, "}{");
  append_segments (self, item->path->data + 1, item->path->len - 1);
  g_string_append (self->text, "}\n");
}

/* Writes a sign that always has the same form, by its place. */
static void
write_sign (Writer *self, const HeddleItem *item)
{
  const gboolean dot = item->sign == HEDDLE_SIGN_DOT;
  double x, y, width, height;

  heddle_item_get_bounds (item, &x, &y, &width, &height);
  begin_macro (self, dot ? "dot" : "arrow");
  append_color (self, "fill", &item->fill_color, TRUE);
  end_options (self);
  g_string_append_c (self->text, '{');
  if (dot)
    append_point (self, x + width / 2., y + height / 2.);
  else
    append_point (self, item->path->data[0].x1, item->path->data[0].y1);
  g_string_append (self->text, "}\n");
}

static const char *
macro_of (const HeddleItem *item)
{
  static const char *const macros[] = { [HEDDLE_PART_BACKGROUND] = "ground",
    [HEDDLE_PART_BOX] = "glyph",
    [HEDDLE_PART_SEPARATOR] = "separator",
    [HEDDLE_PART_WIRE] = "glyph",
    [HEDDLE_PART_GLYPH] = "glyph",
    [HEDDLE_PART_AXIS_LABEL] = "note",
    [HEDDLE_PART_VALUE_LABEL] = "note",
    [HEDDLE_PART_TAG] = "tag",
    [HEDDLE_PART_COLUMN] = "column",
    [HEDDLE_PART_ANNOTATION] = "note" };
  static const char *const signs[]
      = { [HEDDLE_SIGN_CUP] = "cup", [HEDDLE_SIGN_SOFTMAX] = "softmax", [HEDDLE_SIGN_NORM] = "norm" };

  return item->sign >= HEDDLE_SIGN_CUP ? signs[item->sign] : macros[item->part];
}

/* Writes any other shape, as its path. */
static void
write_shape (Writer *self, const HeddleItem *item)
{
  const double width = item->sign == HEDDLE_SIGN_CUP                        ? THIN
                       : item->part == HEDDLE_PART_SEPARATOR && !item->fill ? SEPARATOR
                                                                            : 0.;

  begin_macro (self, macro_of (item));
  if (item->fill)
    append_color (self, "fill", &item->fill_color, FALSE);
  if (item->stroke)
    append_stroke (self, item, width);
  end_options (self);
  if (item->sign >= HEDDLE_SIGN_CUP)
    append_name (self, item, macro_of (item));
  g_string_append_c (self->text, '{');
  append_segments (self, item->path->data, item->path->len);
  g_string_append (self->text, "}\n");
}

static void
write_path (Writer *self, const HeddleItem *item)
{
  if (item->path->len == 0 || (!item->fill && !item->stroke))
    return;
  if (item->sign == HEDDLE_SIGN_DOT || item->sign == HEDDLE_SIGN_ARROW)
    write_sign (self, item);
  else if (item->sign == HEDDLE_SIGN_NONE && item->part == HEDDLE_PART_WIRE && item->stroke && !item->fill)
    write_wire (self, item);
  else if (item->part == HEDDLE_PART_BOX && item->fill && is_rectangle (item))
    write_box (self, item);
  else
    write_shape (self, item);
}

static void
write_shadow (Writer *self, const HeddleItem *item)
{
  if (!(item->sigma > 0.))
    return;
  begin_macro (self, "shadow");
  const HeddleColor opaque = { item->fill_color.r, item->fill_color.g, item->fill_color.b, 1. };
  append_color (self, "fill", &opaque, TRUE);
  end_options (self);
  append_words (self, item->x - self->x, item->y - self->y);
  append_words (self, item->x + item->width - self->x, item->y + item->height - self->y);
  append_words (self, item->radius, item->sigma);
  g_string_append_c (self->text, '{');
  append_number (self, item->fill_color.a);
  g_string_append (self->text, "}\n");
}

/* --- text ------------------------------------------------------------------------------------------ */

static void
append_cairo_path (Writer *self, const cairo_path_t *path)
{
  static const HeddleSegmentKind kinds[] = { [CAIRO_PATH_MOVE_TO] = HEDDLE_SEGMENT_MOVE,
    [CAIRO_PATH_LINE_TO] = HEDDLE_SEGMENT_LINE,
    [CAIRO_PATH_CURVE_TO] = HEDDLE_SEGMENT_CURVE,
    [CAIRO_PATH_CLOSE_PATH] = HEDDLE_SEGMENT_CLOSE };
  g_autoptr (GArray) segments = g_array_new (FALSE, TRUE, sizeof (HeddleSegment));

  for (int i = 0; i < path->num_data; i += path->data[i].header.length)
    {
      const cairo_path_data_t *data = &path->data[i];
      HeddleSegment segment = { .kind = kinds[data->header.type] };
      double *xy = &segment.x1;

      for (int j = 1; j < data->header.length; j++)
        {
          xy[2 * j - 2] = data[j].point.x;
          xy[2 * j - 1] = data[j].point.y;
        }
      g_array_append_val (segments, segment);
    }
  append_segments (self, (const HeddleSegment *) segments->data, segments->len);
}

static void
write_outlines (Writer *self, const HeddleItem *item)
{
  heddle_item_text_path (item, self->outliner);
  cairo_path_t *path = cairo_copy_path (self->outliner);
  if (path->num_data > 0)
    {
      begin_macro (self, "glyph");
      append_color (self, "fill", &item->fill_color, FALSE);
      end_options (self);
      g_string_append_c (self->text, '{');
      append_cairo_path (self, path);
      g_string_append (self->text, "}\n");
    }
  cairo_path_destroy (path);
}

/* Returns whether a label is a word of prose or of a listing. The paper's font may be a little narrower or wider
 * than the one measured: a word is fitted to its place, so that the gaps between words stay, while a formula
 * stands about the middle of its place, and is made narrower or smaller if it would not fit. */
static gboolean
is_word (const char *text, HeddleFont font)
{
  return font >= HEDDLE_FONT_SANS && g_utf8_strlen (text, -1) > 1
         && (font == HEDDLE_FONT_MONO || strpbrk (text, "\\_^{}'*") == NULL);
}

static const char *
label_macro (const HeddleItem *item, const HeddleFormula *formula)
{
  if (formula->width > 0. && is_word (formula->source, formula->font))
    return "word";
  return formula->width > 0. && item->part == HEDDLE_PART_ANNOTATION && formula->font == HEDDLE_FONT_MATH
             ? "formula"
             : "label";
}

/* What is @width px wide from (@x, @y) on, in letters of @size px. */
static void
write_label (Writer *self, const HeddleItem *item, const HeddleFormula *formula, const char *tex)
{
  const double x = item->x + formula->dx, y = item->y + formula->dy;
  const HeddleColor *color = item->kind == HEDDLE_ITEM_TEXT ? &item->fill_color : &item->stroke_color;

  begin_macro (self, label_macro (item, formula));
  if (*fonts[formula->font] != '\0' && *tex != '$')
    append_option (self, fonts[formula->font]);
  append_color (self, "text", color, TRUE);
  end_options (self);
  append_name (self, item, item->object != NULL ? "label" : "");
  g_string_append_c (self->text, '{');
  append_point (self, x + formula->width / 2., y);
  g_string_append_c (self->text, '}');
  append_words (self, formula->width, formula->size);
  g_string_append_printf (self->text, "{%s}\n", tex);
}

/* Writes a run that belongs to no label, or to one that cannot be set as one formula. */
static void
write_text (Writer *self, const HeddleItem *item)
{
  g_autoptr (GString) tex = g_string_new (NULL);
  const HeddleFormula run
      = { .source = item->text, .font = item->font, .size = item->size, .width = item->width };

  if (self->outlines || !heddle_quote_tex (tex, item->text, item->font == HEDDLE_FONT_MATH))
    write_outlines (self, item);
  else
    write_label (self, item, &run, tex->str);
}

/* --- the picture ------------------------------------------------------------------------------------- */

static void
write_item (Writer *self, const HeddleItem *item)
{
  switch (item->kind)
    {
    case HEDDLE_ITEM_PATH:
      write_path (self, item);
      return;
    case HEDDLE_ITEM_SHADOW:
      write_shadow (self, item);
      return;
    case HEDDLE_ITEM_TEXT:
      write_text (self, item);
      return;
    }
}

/* Returns whether the item is a part of what is written: of words over a picture it is a part of a text. */
static gboolean
is_written (const Writer *self, const HeddleItem *item)
{
  return self->art == NULL || heddle_item_is_lettering (item);
}

/* Writes the label that begins with item @i as one formula. Returns the number of the item behind it; @i: it
 * is no label, or none that TeX can set so. */
static guint
write_formula (Writer *self, const HeddleScene *scene, guint i)
{
  const HeddleItem *head = heddle_scene_get_item (scene, i);
  g_autoptr (GString) tex = g_string_new (NULL);
  guint end = i;

  if (self->outlines || head->formula == NULL
      || !heddle_tikz_append_formula (tex, head->formula->source, head->formula->font))
    return i;
  while (end < heddle_scene_get_n_items (scene) && heddle_scene_get_item (scene, end)->label == head->label)
    end++;
  write_label (self, head, head->formula, tex->str);
  return end;
}

static void
write_items (Writer *self, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene);)
    {
      const guint next = write_formula (self, scene, i);

      if (next == i && is_written (self, heddle_scene_get_item (scene, i)))
        write_item (self, heddle_scene_get_item (scene, i));
      i = MAX (next, i + 1);
    }
}

/* Writes the head. Sizes are those of the other formats, whose points are TeX's bp. */
static void
write_head (Writer *self, const HeddlePage *page)
{
  g_string_append (self->text,
      HEDDLE_TIKZ_FIGURE ", in a document with \\usepackage{heddle}; that file comes with Heddle.\n"
                         "\\ifcsname heddlepicture\\endcsname\\else"
                         "\\errmessage{This figure needs \\string\\usepackage{heddle}}\\fi\n"
                         "\\begin{heddlepicture}[unit=");
  append_number (self, self->scale);
  g_string_append (self->text, "bp]");
  append_words (self, page->width, page->height);
  g_string_append_c (self->text, '\n');
}

static void
write_colors (Writer *self, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (!is_written (self, item))
        continue;
      if (item->kind != HEDDLE_ITEM_PATH || item->fill)
        define_color (self, &item->fill_color);
      if (item->kind == HEDDLE_ITEM_PATH && item->stroke)
        define_color (self, &item->stroke_color);
    }
}

static void
write_paper (Writer *self, const HeddlePage *page, const HeddleColor *paper)
{
  define_color (self, paper);
  begin_macro (self, "ground");
  append_color (self, "fill", paper, FALSE);
  end_options (self);
  g_string_append_c (self->text, '{');
  append_point (self, page->x, page->y);
  g_string_append (self->text, " rectangle ");
  append_point (self, page->x + page->width, page->y + page->height);
  g_string_append (self->text, "}\n");
}

static void
write_picture (Writer *self, const HeddleScene *scene, const HeddlePage *page, const HeddleColor *paper)
{
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);

  self->outliner = cairo_create (recording);
  self->colors = g_hash_table_new (NULL, NULL);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  write_head (self, page);
  write_colors (self, scene);
  if (self->art != NULL)
    g_string_append_printf (self->text, "\\heddleart{%s}\n", self->art);
  else if (paper != NULL)
    write_paper (self, page, paper);
  write_items (self, scene);
  g_string_append (self->text, "\\end{heddlepicture}%\n");
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->colors);
  cairo_destroy (self->outliner);
  cairo_surface_destroy (recording);
}

/* --- tables -------------------------------------------------------------------------------------------- */

/* Appends a label in a cell. If no font of TeX is sure to have it, it is left out, and a mark stands for
 * it. */
static void
append_cell (Writer *self, const char *source, gboolean math)
{
  if (!heddle_tikz_append_formula (self->text, source, math ? HEDDLE_FONT_MATH : HEDDLE_FONT_SANS))
    g_string_append_c (self->text, '?');
}

static void
append_row (Writer *self, const HeddleSceneTable *table, guint number)
{
  const gsize n = strlen (table->columns);
  char **cells = table->rows->pdata[number];

  g_string_append (self->text, table->total && number + 1 == table->rows->len ? "\\heddlerule\n" : "");
  for (gsize k = 0; k < n; k++)
    {
      g_string_append (self->text, k > 0 ? " & " : "");
      append_cell (self, cells[k], table->math[number == 0 ? n + k : k] == 'm');
    }
  g_string_append_printf (self->text, " \\\\\n%s", number == 0 ? "\\heddlerule\n" : "");
}

/* Writes a table as one of TeX, in the size and the font of the paper. */
static void
write_table (Writer *self, const HeddleSceneTable *table)
{
  g_string_append_printf (self->text,
      "%s, in a document with \\usepackage{heddle}; that file comes with Heddle.\n"
      "\\begin{heddletable}{%s}\n",
      HEDDLE_TIKZ_FIGURE, table->columns);
  for (guint i = 0; i < table->rows->len; i++)
    append_row (self, table, i);
  g_string_append (self->text, "\\end{heddletable}%\n");
}

/* Writes the document that the figure was made from, in comments, so that the file can be opened again. It
 * stands after the drawing, with a hash of both. */
static gboolean
write_source (Writer *self, const HeddleSnapshot *snapshot, GError **error)
{
  if (snapshot == NULL)
    return TRUE;
  g_autofree char *source = heddle_ncd_write (snapshot, NULL, error);
  if (source == NULL)
    return FALSE;
  g_autofree char *hash = heddle_picture_hash (self->text->str, self->text->len, source);
  g_auto (GStrv) lines = g_strsplit (source, "\n", -1);
  g_string_append_printf (self->text, "%s%s\n", HEDDLE_TIKZ_SOURCE_START, hash);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (self->text, "%s%s\n", HEDDLE_TIKZ_SOURCE_LINE, lines[i]);
  return TRUE;
}

/* Writes what a document needs of heddle.sty in its preamble: without notes, and without what makes it a
 * package. */
static gboolean
write_style (Writer *self, GError **error)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "tex", "heddle.sty", NULL);
  g_autofree char *style = NULL;

  if (!g_file_get_contents (path, &style, NULL, error))
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (style, "\n", -1);
  g_string_append (self->text, "\\makeatletter\n");
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && *lines[i] != '%' && !g_str_has_prefix (lines[i], "\\NeedsTeXFormat")
        && !g_str_has_prefix (lines[i], "\\ProvidesPackage") && !g_str_has_prefix (lines[i], "\\endinput"))
      g_string_append_printf (self->text, "%s\n", lines[i]);
  g_string_append (self->text, "\\makeatother\n");
  return TRUE;
}

/* Writes a document that consists of the figure alone, on paper of its size. */
static gboolean
write_document (
    Writer *self, const HeddleScene *scene, const HeddlePage *page, const HeddleColor *paper, GError **error)
{
  g_string_append (self->text, HEDDLE_TIKZ_DOCUMENT "\n\\usepackage[paperwidth=");
  append_number (self, page->width_pt);
  g_string_append (self->text, "bp,paperheight=");
  append_number (self, page->height_pt);
  g_string_append (self->text, "bp,margin=0bp,noheadfoot,nomarginpar]{geometry}\n");
  if (!write_style (self, error))
    return FALSE;
  g_string_append (self->text, "\\pagestyle{empty}\\topskip=0pt\\parindent=0pt\n\\begin{document}%\n");
  write_picture (self, scene, page, paper);
  g_string_append (self->text, "\\end{document}\n");
  return TRUE;
}

GBytes *
heddle_tikz_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scene != NULL, NULL);

  const HeddlePictureOptions plain = { 0 };
  options = options != NULL ? options : &plain;
  const HeddlePage page = heddle_page_for (scene, options);
  if (!(MAX (page.width, page.height) < MOST_PX) || !(MAX (page.width_pt, page.height_pt) < MOST_PX))
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT,
          _ ("The picture of %.0f × %.0f is too large for TeX; choose SVG or PDF"), page.width, page.height);
      return NULL;
    }
  Writer self = { .text = g_string_new (NULL),
    .x = page.x,
    .y = page.y,
    .scale = page.width_pt / page.width,
    .outlines = options->outlines,
    .art = options->art };
  const HeddleSceneTable *table = heddle_scene_get_table (scene);
  gboolean written = TRUE;
  if (table != NULL && !options->standalone && options->art == NULL)
    write_table (&self, table);
  else if (options->standalone)
    written = write_document (&self, scene, &page, options->paper, error);
  else
    write_picture (&self, scene, &page, options->paper);
  if (written && write_source (&self, options->source, error))
    return g_string_free_to_bytes (self.text);
  g_string_free (self.text, TRUE);
  return NULL;
}
