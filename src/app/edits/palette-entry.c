/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/edits/edits.h"
#include "app/edits/pair.h"
#include "app/edits/palette-entry.h"
#include "app/edits/place.h"
#include "app/widgets/scene-paintable.h"
#include "figure/page/palette-glyph.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

G_DEFINE_BOXED_TYPE (
    HeddlePaletteEntry, heddle_palette_entry, heddle_palette_entry_copy, heddle_palette_entry_free)

/* Maps worth a place of their own. The first is what a drag of “a function” puts down, to be edited in place. */
static const struct
{
  const char *body, *sign, *title, *keywords;
} maps[] = {
  { "$0", "f", N_ ("Function"), N_ ("elementwise map identity any expression") },
  { "2 * $0", "{*}c", N_ ("Scale"), N_ ("multiply constant factor temperature") },
  { "$0 * {summed}^-0.5", "k^{-1/2}", N_ ("Scale by root of size"),
      N_ ("attention temperature divide square root of the summed axis") },
  { "relu($0)", "R", N_ ("ReLU"), N_ ("relu rectifier activation") },
  { "gelu($0)", "G", N_ ("GELU"), N_ ("gelu gaussian activation") },
  { "silu($0)", "S", N_ ("SiLU"), N_ ("silu swish activation") },
  { "sigmoid($0)", "\\sigma", N_ ("Sigmoid"), N_ ("sigmoid logistic gate activation") },
  { "tanh($0)", "tanh", N_ ("Tanh"), N_ ("tanh hyperbolic tangent activation") },
  { "exp($0)", "e^{x}", N_ ("Exponential"), N_ ("exp exponential") },
  { "log($0)", "log", N_ ("Logarithm"), N_ ("log logarithm") },
  { "sqrt($0)", "x^{1/2}", N_ ("Square root"), N_ ("sqrt root") },
  { "rsqrt($0)", "x^{-1/2}", N_ ("Reciprocal root"), N_ ("rsqrt inverse square root") },
  { "$0^2", "x^{2}", N_ ("Square"), N_ ("square power") },
  { "where({row} >= {column}, $0, -inf)", "\\geq", N_ ("Causal mask"),
      N_ ("mask triangular causal where predicate") },
};

/* Maps of two arrays, which meet entry by entry. */
static const struct
{
  const char *body, *sign, *title, *with, *keywords;
} joins[] = {
  { "$0 + $1", "+", N_ ("Add two arrays"), N_ ("Add {array}"),
      N_ ("add sum plus residual skip connection bias broadcast elementwise") },
  { "$0 * $1", "\\times", N_ ("Multiply two arrays"), N_ ("Multiply by {array}"),
      N_ ("multiply product times gate hadamard elementwise broadcast") },
};

static void
add_maps (GArray *entries, const HeddleOperationKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      HeddlePaletteEntry entry
          = { kind, maps[i].body, _ (maps[i].title), _ (kind->group), _ (maps[i].keywords), maps[i].sign };
      g_array_append_val (entries, entry);
    }
  for (guint i = 0; i < G_N_ELEMENTS (joins); i++)
    {
      HeddlePaletteEntry entry = { kind, joins[i].body, _ (joins[i].title), _ (kind->group),
        _ (joins[i].keywords), joins[i].sign, _ (joins[i].with) };
      g_array_append_val (entries, entry);
    }
}

/* Adds a contraction with weights that come with it. */
static void
add_linear (GArray *entries, const HeddleOperationKind *kind)
{
  HeddlePaletteEntry entry = { kind, NULL, _ ("Linear layer"), _ (kind->group),
    _ ("learned weights parameter projection dense fully connected matmul"), NULL, NULL, TRUE };

  g_array_append_val (entries, entry);
}

static gpointer
make_entries (gpointer unused)
{
  guint n_rows;
  const HeddleOperationKind *rows = heddle_operation_table (&n_rows);
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (HeddlePaletteEntry));

  {
    const HeddlePaletteEntry array
        = { NULL, NULL, _ ("Array"), _ ("Arrays"), _ ("new input tensor matrix parameter value"), "A" };

    g_array_append_val (entries, array);
  }
  for (guint i = 0; i < n_rows; i++)
    {
      HeddlePaletteEntry entry = { &rows[i], NULL, _ (rows[i].title), _ (rows[i].group), NULL, NULL };

      if (rows[i].keywords != NULL)
        entry.keywords = _ (rows[i].keywords);
      if (rows[i].form == HEDDLE_FORM_CALL)
        continue; /* of what, the palette cannot say */
      if (rows[i].form == HEDDLE_FORM_MAP)
        add_maps (entries, &rows[i]);
      else
        g_array_append_val (entries, entry);
      if (rows[i].form == HEDDLE_FORM_CONTRACT)
        add_linear (entries, &rows[i]);
    }
  return entries;
}

const HeddlePaletteEntry *
heddle_palette_entries (guint *n_entries)
{
  static GOnce once = G_ONCE_INIT;
  GArray *entries = g_once (&once, make_entries, NULL);

  *n_entries = entries->len;
  return (const HeddlePaletteEntry *) entries->data;
}

HeddlePaletteEntry *
heddle_palette_entry_copy (const HeddlePaletteEntry *self)
{
  return g_memdup2 (self, sizeof *self);
}

void
heddle_palette_entry_free (HeddlePaletteEntry *self)
{
  g_free (self);
}

/* The text as it is compared: without case and accents. */
static char *
folded (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);

  return g_utf8_casefold (normal != NULL ? normal : text, -1);
}

static guint
match_text (const char *text, const char *query, guint start_score, guint inside_score)
{
  g_autofree char *heap = NULL;
  const char *found = NULL;

  if (text == NULL)
    return 0;
  heap = folded (text);
  found = strstr (heap, query);
  if (found == NULL)
    return 0;
  return found == heap ? start_score : inside_score;
}

static guint
match_folded (const HeddlePaletteEntry *self, const char *text)
{
  guint score = match_text (self->title, text, 10, 6);

  if (self->kind != NULL)
    score = MAX (score, match_text (self->kind->id, text, self->body == NULL && !self->linear ? 9 : 1, 1));
  score = MAX (score, match_text (self->keywords, text, 4, 3));
  return MAX (score, match_text (self->group, text, 2, 1));
}

/* Returns whether each word of the query begins one of the entry's words, in whatever order. */
static gboolean
has_words (const HeddlePaletteEntry *self, const char *query)
{
  g_autofree char *said = g_strjoin (" ", self->title, self->group, self->keywords, NULL);

  return g_str_match_string (query, said, FALSE);
}

guint
heddle_palette_entry_match (const HeddlePaletteEntry *self, const char *query)
{
  g_autofree char *text = folded (query);
  guint score;

  g_strstrip (text);
  if (*text == '\0')
    return 1;
  score = match_folded (self, text);
  return score == 0 && strchr (text, ' ') != NULL && has_words (self, query) ? 1 : score;
}

gboolean
heddle_palette_entry_can_add (const HeddlePaletteEntry *self, HeddleEditor *editor, GError **error)
{
  return self->linear ? heddle_edits_can_add_linear (editor, error)
                      : heddle_edits_can_add (editor, self->kind, self->body, error);
}

gboolean
heddle_palette_entry_add (const HeddlePaletteEntry *self, HeddleEditor *editor, GError **error)
{
  return self->linear ? heddle_edits_add_linear (editor, NULL, error)
                      : heddle_edits_add (editor, self->kind, self->body, error);
}

gboolean
heddle_palette_entry_needs_partner (const HeddlePaletteEntry *self, HeddleEditor *editor)
{
  g_autoptr (GArray) partners = NULL;

  if (self->linear || !heddle_edits_joins_two (self->kind, self->body))
    return FALSE;
  partners = heddle_edits_find_partners (editor, self->kind);
  return partners->len > 0;
}

gboolean
heddle_palette_entry_can_drop (const HeddlePaletteEntry *self, HeddleEditor *editor, const char *value,
    const char **axis, GError **error)
{
  if (self->linear)
    return *axis != NULL;
  return heddle_edits_joins_two (self->kind, self->body)
         || heddle_edits_can_insert (editor, self->kind, value, axis, error);
}

gboolean
heddle_palette_entry_drop (
    const HeddlePaletteEntry *self, HeddleEditor *editor, const char *value, const char *axis, GError **error)
{
  return heddle_edits_insert (editor, self->kind, self->body, value, axis, error);
}

static void
add_arrow (HeddleScene *scene, HeddleColor ink, double tip)
{
  const HeddleSegment segments[] = {
    { HEDDLE_SEGMENT_MOVE, tip - 6, -3.5 },
    { HEDDLE_SEGMENT_LINE, tip, 0 },
    { HEDDLE_SEGMENT_LINE, tip - 6, 3.5 },
    { HEDDLE_SEGMENT_LINE, tip - 4.5, 0 },
    { HEDDLE_SEGMENT_CLOSE },
  };
  HeddleItem *arrow = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_GLYPH, NULL);

  heddle_item_append (arrow, segments, G_N_ELEMENTS (segments));
  arrow->fill = TRUE;
  arrow->fill_color = ink;
}

/* A map has no box: its sign floats between two arrows on the wire; an array is its letter. */
static HeddleScene *
sign_scene (const char *sign, gboolean is_array, gboolean dark)
{
  const HeddleColor ink = dark ? (HeddleColor){ .95, .95, .95, 1 } : (HeddleColor){ .1, .1, .1, 1 };
  HeddleScene *scene = heddle_scene_new ();
  double x, y, width, height;

  heddle_math_layout (
      scene, HEDDLE_PART_GLYPH, NULL, sign, HEDDLE_FONT_MATH, is_array ? 24 : 16, ink, 0, 5, NULL, NULL);
  if (is_array)
    return scene;
  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  add_arrow (scene, ink, x - 2);
  add_arrow (scene, ink, x + width + 8);
  return scene;
}

GdkPaintable *
heddle_palette_entry_paintable (const HeddlePaletteEntry *self, gboolean dark)
{
  const HeddleTheme theme = dark ? HEDDLE_THEME_DARK : HEDDLE_THEME_LIGHT;
  g_autoptr (HeddleScene) scene = NULL;

  if (self->linear)
    scene = heddle_figure_render_linear_glyph (theme);
  else if (self->with != NULL)
    scene = heddle_figure_render_join_glyph (self->sign, theme);
  else if (self->sign != NULL)
    scene = sign_scene (self->sign, self->kind == NULL, dark);
  else
    scene = heddle_figure_render_glyph (self->kind, theme);
  return heddle_scene_paintable_new (scene, 1.25 * heddle_text_scale ());
}
