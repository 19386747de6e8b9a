/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "figure/scene/draw.h"
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/picture/picture.h"
#include "files/picture/private.h"
#include "files/picture/tikz-text.h"
#include "files/picture/tikz.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* TeX knows no lengths from 16384 pt and TikZ no numbers from 16384. */
#define MOST_PX 16000.
#define TEX_POINTS_PER_POINT (72.27 / 72.)
#define SEGMENTS_PER_LINE 6
/* A shadow's blur is this many frames on one another, half a sigma apart. */
#define SHADOW_FRAMES 5

typedef struct
{
  GString *text;
  double x, y; /* the scene's px that are the picture's origin */
  double scale; /* pt (1/72 in) in a px */
  gboolean outlines;
  cairo_t *outliner;
  GHashTable *colors; /* those defined, as 0xRRGGBB */
} Writer;

/* By HeddleFont: what stands before a size. The paper's own fonts, so that a figure is of one piece with it. */
static const struct
{
  const char *name, *tex;
} fonts[] = {
  [HEDDLE_FONT_MATH] = { "math", "\\normalfont\\rmfamily\\itshape" },
  [HEDDLE_FONT_ROMAN] = { "roman", "\\normalfont\\rmfamily" },
  [HEDDLE_FONT_BOLD] = { "bold", "\\normalfont\\rmfamily\\bfseries\\boldmath" },
  [HEDDLE_FONT_SANS] = { "sans", "\\normalfont\\sffamily" },
  [HEDDLE_FONT_SANS_BOLD] = { "sans bold", "\\normalfont\\sffamily\\bfseries\\boldmath" },
  [HEDDLE_FONT_MONO] = { "mono", "\\normalfont\\ttfamily" },
};

/* --- pieces of text ------------------------------------------------------------------------------ */

static void
append_number (Writer *self, double value)
{
  heddle_picture_append_number (self->text, value);
}

static void
append_length (Writer *self, double px)
{
  append_number (self, px * self->scale);
  g_string_append (self->text, "bp");
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

static guint
rgb_of (const HeddleColor *color)
{
  const double channels[] = { color->r, color->g, color->b };
  guint rgb = 0;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    rgb = rgb << 8 | (guint) lround (255. * CLAMP (channels[i], 0., 1.));
  return rgb;
}

/* @use: fill, draw or text. */
static void
append_color (Writer *self, const char *use, const HeddleColor *color)
{
  g_string_append_printf (self->text, "%s=heddle%06X", use, rgb_of (color));
  if (!(color->a < 1.))
    return;
  g_string_append_printf (self->text, ",%s opacity=", use);
  append_number (self, CLAMP (color->a, 0., 1.));
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
  g_string_append (self->text, ";\n");
}

/* As Cairo has it: a list of odd length is gone through twice; one that is all gaps, or has a negative length, is none. */
static void
append_dashes (Writer *self, const HeddleItem *item)
{
  const guint n = item->n_dashes % 2 == 1 ? 2 * item->n_dashes : item->n_dashes;
  double total = 0.;

  for (guint i = 0; i < item->n_dashes; i++)
    total = item->dash[i] >= 0. ? total + item->dash[i] : -INFINITY;
  if (!(total > 0.))
    return;
  g_string_append (self->text, ",dash pattern=");
  for (guint i = 0; i < n; i++)
    {
      g_string_append (self->text, i % 2 == 0 ? (i > 0 ? " on " : "on ") : " off ");
      append_length (self, item->dash[i % item->n_dashes]);
    }
  if (item->dash_offset == 0.)
    return;
  g_string_append (self->text, ",dash phase=");
  append_length (self, item->dash_offset);
}

static void
append_stroke (Writer *self, const HeddleItem *item)
{
  append_color (self, "draw", &item->stroke_color);
  g_string_append (self->text, ",line width=");
  append_length (self, item->line_width);
  if (item->round_caps)
    g_string_append (self->text, ",line cap=round,line join=round");
  append_dashes (self, item);
}

static void
write_path (Writer *self, const HeddleItem *item)
{
  if (item->path->len == 0 || (!item->fill && !item->stroke))
    return;
  g_string_append (self->text, "\\path[");
  if (item->fill)
    append_color (self, "fill", &item->fill_color);
  if (item->fill && item->stroke)
    g_string_append_c (self->text, ',');
  if (item->stroke)
    append_stroke (self, item);
  g_string_append (self->text, "] ");
  append_segments (self, item->path->data, item->path->len);
}

/* A blurred edge has at a distance d outside the rectangle its colour times the share of a Gaussian beyond d. Frames one inside the other are
 * laid on one another until they have it; what is further inside is under the box itself. */
static void
write_shadow (Writer *self, const HeddleItem *item)
{
  double laid = 0.;

  if (!(item->sigma > 0.))
    return;
  for (int i = SHADOW_FRAMES - 1; i >= 0; i--)
    {
      const double out = i * 0.5 * item->sigma;
      const double wanted = item->fill_color.a * 0.5 * erfc ((i * 0.5 - 0.25) / G_SQRT2);
      HeddleColor color = item->fill_color;

      color.a = (wanted - laid) / (1. - laid);
      laid = wanted;
      g_string_append (self->text, "\\path[");
      append_color (self, "fill", &color);
      g_string_append (self->text, ",rounded corners=");
      append_length (self, item->radius + out);
      g_string_append (self->text, "] ");
      append_point (self, item->x - out, item->y - out);
      g_string_append (self->text, " rectangle ");
      append_point (self, item->x + item->width + out, item->y + item->height + out);
      g_string_append (self->text, ";\n");
    }
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
      g_string_append (self->text, "\\path[");
      append_color (self, "fill", &item->fill_color);
      g_string_append (self->text, "] ");
      append_cairo_path (self, path);
    }
  cairo_path_destroy (path);
}

/* The paper's font may be a little narrower or wider than the one measured. A word of prose is fitted to its place, so that the gaps between words
 * stay; mathematics is not distorted and stands about the middle of it. */
static void
append_content (Writer *self, const HeddleItem *item, const char *tex)
{
  const gboolean prose = item->font >= HEDDLE_FONT_SANS;

  if (!prose || g_utf8_strlen (item->text, -1) < 2 || !(item->width > 0.))
    {
      g_string_append_printf (self->text, " {%s};\n", tex);
      return;
    }
  g_string_append (self->text, " {\\resizebox{");
  append_length (self, item->width);
  g_string_append_printf (self->text, "}{\\height}{%s}};\n", tex);
}

static void
write_text (Writer *self, const HeddleItem *item)
{
  g_autoptr (GString) tex = g_string_new (NULL);

  if (self->outlines || !heddle_tikz_append_text (tex, item->text, item->font))
    {
      write_outlines (self, item);
      return;
    }
  g_string_append_printf (self->text, "\\node[heddle %s=", fonts[item->font].name);
  append_number (self, item->size * self->scale * TEX_POINTS_PER_POINT);
  g_string_append_c (self->text, ',');
  append_color (self, "text", &item->fill_color);
  g_string_append (self->text, "] at ");
  append_point (self, item->x + item->width / 2., item->y);
  append_content (self, item, tex->str);
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

static void
write_styles (Writer *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (fonts); i++)
    g_string_append_printf (self->text, "  heddle %s/.style={font=%s\\fontsize{#1}{#1}\\selectfont},\n",
        fonts[i].name, fonts[i].tex);
}

/* Sizes are those of the other formats, whose points are TeX's bp. */
static void
write_head (Writer *self, const HeddlePage *page)
{
  g_string_append (self->text,
      "% A figure for \\input, in a document with \\usepackage{tikz}. Made by Heddle.\n"
      "\\begin{tikzpicture}[x=");
  append_length (self, 1.);
  g_string_append (self->text, ",y=-");
  append_length (self, 1.);
  g_string_append (self->text, ",\n");
  write_styles (self);
  g_string_append (self->text, "  every node/.style={anchor=base,inner sep=0pt,outer sep=0pt}]\n"
                               "\\useasboundingbox ");
  append_point (self, page->x, page->y);
  g_string_append (self->text, " rectangle ");
  append_point (self, page->x + page->width, page->y + page->height);
  g_string_append (self->text, ";\n");
}

static void
write_colors (Writer *self, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

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
  g_string_append (self->text, "\\path[");
  append_color (self, "fill", paper);
  g_string_append (self->text, "] ");
  append_point (self, page->x, page->y);
  g_string_append (self->text, " rectangle ");
  append_point (self, page->x + page->width, page->y + page->height);
  g_string_append (self->text, ";\n");
}

static void
write_picture (Writer *self, const HeddleScene *scene, const HeddlePage *page, const HeddleColor *paper)
{
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);

  self->outliner = cairo_create (recording);
  self->colors = g_hash_table_new (NULL, NULL);
  write_head (self, page);
  write_colors (self, scene);
  if (paper != NULL)
    write_paper (self, page, paper);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    write_item (self, heddle_scene_get_item (scene, i));
  g_string_append (self->text, "\\end{tikzpicture}%\n");
  g_hash_table_unref (self->colors);
  cairo_destroy (self->outliner);
  cairo_surface_destroy (recording);
}

/**
 * heddle_tikz_write:
 * @scene: what is drawn
 * @options: (nullable): how; a source is not embedded
 * @error: return location
 *
 * A picture as a tikzpicture for `\input`, in plain TikZ. Text is set in the paper's own fonts at the figure's sizes; a run with
 * a character that not every TeX has is drawn as outlines. Nothing of a label reaches TeX but through a list of characters. A shadow is five
 * frames on one another. The same scene gives the same bytes. Errors: %HEDDLE_FILES_ERROR_LIMIT for a picture that TeX cannot hold: a side of
 * 16000 px or more, or that many points.
 *
 * Returns: (transfer full) (nullable): the file
 */
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
    .outlines = options->outlines };
  write_picture (&self, scene, &page, options->paper);
  return g_string_free_to_bytes (self.text);
}
