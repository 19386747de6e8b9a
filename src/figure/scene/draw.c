/* SPDX-License-Identifier: MIT */
#include "figure/scene/draw.h"

#include <math.h>

/* px: a shadow beyond this is left out rather than given megabytes of samples. */
#define LARGEST_SHADOW 4096.

typedef struct
{
  const char *families;
  gboolean italic, bold;
} FontRow;

#define SERIFS                                                                                               \
  "TeX Gyre Pagella, Palatino Linotype, Palatino, P052, TeX Gyre Pagella Math, STIX Two Text, serif"
#define SANS_SERIFS "LM Sans 10, Latin Modern Sans, CMU Sans Serif, Cantarell, Helvetica, sans-serif"

static const FontRow fonts[] = {
  [HEDDLE_FONT_MATH] = { SERIFS, TRUE, FALSE },
  [HEDDLE_FONT_ROMAN] = { SERIFS, FALSE, FALSE },
  [HEDDLE_FONT_BOLD] = { SERIFS, FALSE, TRUE },
  [HEDDLE_FONT_SANS] = { SANS_SERIFS, FALSE, FALSE },
  [HEDDLE_FONT_SANS_BOLD] = { SANS_SERIFS, FALSE, TRUE },
  [HEDDLE_FONT_MONO] = { "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace", FALSE, FALSE },
};

const char *
heddle_font_family (HeddleFont font)
{
  g_return_val_if_fail (font < G_N_ELEMENTS (fonts), "serif");

  return fonts[font].families;
}

gboolean
heddle_font_is_italic (HeddleFont font)
{
  g_return_val_if_fail (font < G_N_ELEMENTS (fonts), FALSE);

  return fonts[font].italic;
}

gboolean
heddle_font_is_bold (HeddleFont font)
{
  g_return_val_if_fail (font < G_N_ELEMENTS (fonts), FALSE);

  return fonts[font].bold;
}

static PangoFontDescription *
describe_font (HeddleFont font)
{
  PangoFontDescription *description = pango_font_description_new ();

  pango_font_description_set_family_static (description, fonts[font].families);
  pango_font_description_set_style (
      description, fonts[font].italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  pango_font_description_set_weight (description, fonts[font].bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  return description;
}

void
heddle_layout_set_run (PangoLayout *layout, HeddleFont font, double size, const char *text)
{
  g_autoptr (PangoFontDescription) description = describe_font (font);

  pango_font_description_set_absolute_size (description, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, description);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
}

/* Text keeps its shape at every zoom and on every surface: no hinting. */
void
heddle_layout_unhint (PangoLayout *layout)
{
  PangoContext *context = pango_layout_get_context (layout);
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_cairo_context_set_resolution (context, 96.);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  pango_layout_context_changed (layout);
}

static void
set_color (cairo_t *cr, const HeddleColor *color)
{
  cairo_set_source_rgba (cr, color->r, color->g, color->b, color->a);
}

static void
trace_path (const HeddleItem *item, cairo_t *cr)
{
  cairo_new_path (cr);
  for (guint i = 0; i < item->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      switch (segment->kind)
        {
        case HEDDLE_SEGMENT_MOVE:
          cairo_move_to (cr, segment->x1, segment->y1);
          break;
        case HEDDLE_SEGMENT_LINE:
          cairo_line_to (cr, segment->x1, segment->y1);
          break;
        case HEDDLE_SEGMENT_CURVE:
          cairo_curve_to (cr, segment->x1, segment->y1, segment->x2, segment->y2, segment->x3, segment->y3);
          break;
        case HEDDLE_SEGMENT_CLOSE:
          cairo_close_path (cr);
          break;
        }
    }
}

/* Cairo draws nothing more on a surface that was once given a dash it cannot draw. */
static gboolean
dashes_are_sane (const HeddleItem *item)
{
  double total = 0.;

  for (guint i = 0; i < item->n_dashes; i++)
    {
      if (!(item->dash[i] >= 0.))
        return FALSE;
      total += item->dash[i];
    }
  return total > 0.;
}

static void
draw_path (const HeddleItem *item, cairo_t *cr)
{
  trace_path (item, cr);
  if (item->fill)
    {
      set_color (cr, &item->fill_color);
      cairo_fill_preserve (cr);
    }
  if (item->stroke)
    {
      set_color (cr, &item->stroke_color);
      cairo_set_line_width (cr, item->line_width);
      cairo_set_dash (cr, item->dash, dashes_are_sane (item) ? item->n_dashes : 0, item->dash_offset);
      cairo_set_line_cap (cr, item->round_caps ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
      cairo_set_line_join (cr, item->round_caps ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
      cairo_stroke_preserve (cr);
    }
  cairo_new_path (cr);
}

/* Returns how much of a Gaussian of @sigma, centred at @x, lies between @from and @to. */
static double
gaussian_between (double x, double from, double to, double sigma)
{
  const double scale = 1. / (sigma * G_SQRT2);

  return 0.5 * (erf ((to - x) * scale) - erf ((from - x) * scale));
}

static double *
shadow_profile (double length, double spread, double sigma, int n)
{
  double *profile = g_new (double, n);

  for (int i = 0; i < n; i++)
    profile[i] = gaussian_between (i + 0.5 - spread, 0., length, sigma);
  return profile;
}

/* A rectangle under a Gaussian blur is the product of two one-dimensional blurs, so it is computed exactly, a sample a px; smooth as it
 * is, it may be scaled. Vector surfaces embed the same samples as a soft mask. */
static cairo_surface_t *
shadow_mask (const HeddleItem *item, double spread)
{
  const int width = ceil (item->width + 2. * spread), height = ceil (item->height + 2. * spread);
  cairo_surface_t *mask = cairo_image_surface_create (CAIRO_FORMAT_A8, width, height);

  if (cairo_surface_status (mask) != CAIRO_STATUS_SUCCESS)
    return mask;
  g_autofree double *across = shadow_profile (item->width, spread, item->sigma, width);
  g_autofree double *down = shadow_profile (item->height, spread, item->sigma, height);
  cairo_surface_flush (mask);
  guchar *pixels = cairo_image_surface_get_data (mask);
  const int stride = cairo_image_surface_get_stride (mask);
  for (int row = 0; row < height; row++)
    for (int column = 0; column < width; column++)
      pixels[row * stride + column] = (guchar) lround (255. * across[column] * down[row]);
  cairo_surface_mark_dirty (mask);
  return mask;
}

static void
draw_shadow (const HeddleItem *item, cairo_t *cr)
{
  const double spread = ceil (3. * item->sigma);

  if (!(item->sigma > 0.) || !(item->width < LARGEST_SHADOW) || !(item->height < LARGEST_SHADOW))
    return;
  cairo_surface_t *mask = shadow_mask (item, spread);
  set_color (cr, &item->fill_color);
  cairo_mask_surface (cr, mask, item->x - spread, item->y - spread);
  cairo_surface_destroy (mask);
}

/* Shows a text; @layout is that of the item's run. */
static void
show_text (const HeddleItem *item, cairo_t *cr, PangoLayout *layout)
{
  set_color (cr, &item->fill_color);
  cairo_move_to (cr, item->x, item->y - (double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

static PangoLayout *
layout_for (cairo_t *cr)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);

  heddle_layout_unhint (layout);
  return layout;
}

static void
draw_item (const HeddleItem *item, cairo_t *cr, PangoLayout **layout)
{
  switch (item->kind)
    {
    case HEDDLE_ITEM_PATH:
      draw_path (item, cr);
      return;
    case HEDDLE_ITEM_TEXT:
      if (*layout == NULL)
        *layout = layout_for (cr);
      heddle_layout_set_run (*layout, item->font, item->size, item->text);
      show_text (item, cr, *layout);
      return;
    case HEDDLE_ITEM_SHADOW:
      draw_shadow (item, cr);
      return;
    }
}

void
heddle_item_draw (const HeddleItem *item, cairo_t *cr)
{
  g_return_if_fail (item != NULL && cr != NULL);

  g_autoptr (PangoLayout) layout = NULL;
  cairo_save (cr);
  draw_item (item, cr, &layout);
  cairo_restore (cr);
}

void
heddle_scene_draw (const HeddleScene *self, cairo_t *cr)
{
  g_return_if_fail (self != NULL && cr != NULL);

  g_autoptr (PangoLayout) layout = NULL;
  cairo_save (cr);
  for (guint i = 0; i < heddle_scene_get_n_items (self); i++)
    draw_item (heddle_scene_get_item (self, i), cr, &layout);
  cairo_restore (cr);
}

void
heddle_scene_draw_items (
    const HeddleScene *self, cairo_t *cr, const guint *items, guint n_items, HeddleLettering *lettering)
{
  g_return_if_fail (self != NULL && cr != NULL && (items != NULL || n_items == 0) && lettering != NULL);

  cairo_save (cr);
  for (guint i = 0; i < n_items; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self, items[i]);

      if (item->kind == HEDDLE_ITEM_TEXT)
        show_text (item, cr, heddle_lettering_get (lettering, item));
      else
        draw_item (item, cr, NULL);
    }
  cairo_restore (cr);
}

void
heddle_item_text_path (const HeddleItem *item, cairo_t *cr)
{
  g_return_if_fail (item != NULL && item->kind == HEDDLE_ITEM_TEXT && cr != NULL);

  g_autoptr (PangoLayout) layout = layout_for (cr);
  heddle_layout_set_run (layout, item->font, item->size, item->text);
  cairo_new_path (cr);
  cairo_move_to (cr, item->x, item->y - (double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  pango_cairo_layout_path (cr, layout);
}

/* Runs kept: a layout is a few kilobytes. */
#define MOST_RUNS 1024

typedef struct
{
  HeddleFont font;
  double size;
  char *text;
} Run;

struct HeddleLettering
{
  PangoContext *context; /* of no scale: what is drawn is scaled as it is drawn */
  GHashTable *runs; /* Run -> PangoLayout */
};

static guint
run_hash (gconstpointer data)
{
  const Run *self = data;

  return g_str_hash (self->text) * 31 + self->font + g_double_hash (&self->size);
}

static gboolean
run_equal (gconstpointer a, gconstpointer b)
{
  const Run *one = a, *other = b;

  return one->font == other->font && one->size == other->size && g_str_equal (one->text, other->text);
}

static void
run_free (gpointer data)
{
  Run *self = data;

  g_free (self->text);
  g_free (self);
}

HeddleLettering *
heddle_lettering_new (void)
{
  HeddleLettering *self = g_new (HeddleLettering, 1);
  g_autoptr (PangoLayout) first = NULL;

  self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  first = pango_layout_new (self->context);
  heddle_layout_unhint (first); /* the context, and so all that follow */
  self->runs = g_hash_table_new_full (run_hash, run_equal, run_free, g_object_unref);
  return self;
}

void
heddle_lettering_free (HeddleLettering *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->runs);
  g_object_unref (self->context);
  g_free (self);
}

static PangoLayout *
new_layout (HeddleLettering *self, const HeddleItem *item)
{
  PangoLayout *layout = pango_layout_new (self->context);

  heddle_layout_set_run (layout, item->font, item->size, item->text);
  return layout;
}

PangoLayout *
heddle_lettering_get (HeddleLettering *self, const HeddleItem *item)
{
  Run *run = NULL;
  PangoLayout *layout = NULL;

  g_return_val_if_fail (self != NULL && item != NULL && item->kind == HEDDLE_ITEM_TEXT, NULL);

  layout = g_hash_table_lookup (self->runs, &(Run){ item->font, item->size, item->text });
  if (layout != NULL)
    return layout;
  if (g_hash_table_size (self->runs) >= MOST_RUNS)
    g_hash_table_remove_all (self->runs);
  run = g_new (Run, 1);
  *run = (Run){ item->font, item->size, g_strdup (item->text) };
  layout = new_layout (self, item);
  g_hash_table_insert (self->runs, run, layout);
  return layout;
}

guint
heddle_lettering_get_n_runs (const HeddleLettering *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return g_hash_table_size (self->runs);
}
