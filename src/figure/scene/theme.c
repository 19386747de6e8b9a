/* SPDX-License-Identifier: MIT */
#include "figure/scene/theme.h"

#include <string.h>

typedef struct
{
  const char *name;
  guint32 light, dark;
  double width;
  guint n_dashes;
  double dash[4];
} LevelRow;

/* Two cues each, so that either alone tells the levels apart: in print without colour, and to people who see colours otherwise. */
static const LevelRow levels[] = {
  { "gmem", 0x1A1A1A, 0xF2F2F2, 1., 0, { 0 } },
  { "l2", 0x8293A3, 0x6B727F, 1.5, 2, { 0.1, 3.4 } },
  { "smem", 0x155DC3, 0x66ADFD, 2., 0, { 0 } },
  { "registers", 0xBE5B13, 0xFDC374, 2., 4, { 9., 2.5, 2., 2.5 } },
  { "tensor", 0x841C61, 0xED4BB0, 3., 2, { 14., 3. } },
};

typedef struct
{
  const char *name;
  guint32 light, dark;
} FillRow;

static const FillRow fills[] = {
  { "contraction", 0xC5BEDF, 0x443F63 },
  { "core", 0xC5BEDF, 0x443F63 },
  { "second", 0xD4BEDF, 0x53406A },
  { "transpose", 0xBFD4B4, 0x3C5334 },
  { "scale", 0xFDF9C0, 0x55502A },
  { "softmax", 0xCCE7CF, 0x33553A },
  { "head", 0xFFE2BB, 0x5A4526 },
  { "residual", 0xF1F4C1, 0x4A4D26 },
  { "linear", 0xDBDFEF, 0x39413E },
  { "norm", 0xFCE0E1, 0x5C3A3C },
  { "feed-forward", 0xC1E8F7, 0x2B4A57 },
  { "copy", 0xF5D423, 0x6B5A10 },
  { "loop", 0xF3F3F4, 0x2A2A2C },
  { "callout", 0xFFF591, 0x5A5420 },
  { "mask", 0xE4E4E8, 0x3C3C44 },
  { "legend", 0xE8EDEB, 0x3A403E },
  { "definition", 0xB9E986, 0x44602A },
  { "model", 0xE2CDFB, 0x503A6C },
  { "convolution", 0xE4F2FA, 0x2C4250 },
  { "window", 0xA8E1FF, 0x28506A },
  { "load", 0xFDF9C6, 0x55502A },
  { "data", 0xE18EF1, 0x6A3574 },
  { "operation", 0x9DC7FE, 0x2B4C78 },
  { "index", 0x1646FF, 0x5F83FF },
  { "broadcast", 0x8C14FC, 0xB06CFF },
};

HeddleColor
heddle_color_rgb (guint32 rgb, double alpha)
{
  return (HeddleColor){ (rgb >> 16 & 0xff) / 255., (rgb >> 8 & 0xff) / 255., (rgb & 0xff) / 255., alpha };
}

static gboolean
is_dark (HeddleTheme theme)
{
  return theme == HEDDLE_THEME_DARK;
}

/* Returns the colour of lines and text. */
HeddleColor
heddle_theme_ink (HeddleTheme theme)
{
  return heddle_color_rgb (is_dark (theme) ? 0xF2F2F2 : 0x000000, 1.);
}

/* Returns the colour of an empty place: the inside of hexagons and triangles. */
HeddleColor
heddle_theme_paper (HeddleTheme theme)
{
  return heddle_color_rgb (is_dark (theme) ? 0x1E1E1E : 0xFFFFFF, 1.);
}

/* Returns the colour of text of less weight. */
HeddleColor
heddle_theme_dim (HeddleTheme theme)
{
  return heddle_color_rgb (is_dark (theme)                  ? 0xA8A8A8
                           : theme == HEDDLE_THEME_CONTRAST ? 0x000000
                                                            : 0x666666,
      1.);
}

HeddleColor
heddle_theme_shadow (HeddleTheme theme)
{
  return heddle_color_rgb (0x000000, is_dark (theme) ? 0.75 : 0.5);
}

/* Returns the px of a box' outline; 0 means that it has a shadow instead. */
double
heddle_theme_outline (HeddleTheme theme)
{
  return theme == HEDDLE_THEME_CONTRAST ? 1.4 : 0.;
}

/* Returns the share of a level's colour in a region's tint. */
double
heddle_theme_tint (HeddleTheme theme)
{
  return is_dark (theme) ? 0.13 : 0.09;
}

/* Returns a fill in high contrast: what is white on a dark ground stays so; all else is on white. */
static HeddleColor
contrast_fill (const char *name)
{
  const HeddleColor own = heddle_theme_fill (HEDDLE_THEME_PAPER, name);

  return heddle_color_rgb (0.299 * own.r + 0.587 * own.g + 0.114 * own.b < 0.5 ? 0x000000 : 0xFFFFFF, 1.);
}

/* Returns a light ground, for light ink: of the same hue. */
static HeddleColor
darkened (HeddleColor color)
{
  const double least = MIN (color.r, MIN (color.g, color.b));

  if (0.299 * color.r + 0.587 * color.g + 0.114 * color.b < 0.5)
    return color;
  return (HeddleColor){ 0.9 * (color.r - 0.8 * least), 0.9 * (color.g - 0.8 * least),
    0.9 * (color.b - 0.8 * least), color.a };
}

/* Returns whether @name is "#RRGGBB", and what that is. */
static gboolean
is_rgb (const char *name, guint32 *rgb)
{
  if (name == NULL || name[0] != '#' || strlen (name) != 7
      || strspn (name + 1, "0123456789abcdefABCDEF") != 6)
    return FALSE;
  *rgb = (guint32) g_ascii_strtoull (name + 1, NULL, 16);
  return TRUE;
}

static const FillRow *
find_fill (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fills); i++)
    if (g_strcmp0 (fills[i].name, name) == 0)
      return &fills[i];
  return NULL;
}

gboolean
heddle_theme_has_fill (const char *name)
{
  guint32 rgb;

  return is_rgb (name, &rgb) || find_fill (name) != NULL;
}

/* A class of the palette or "#RRGGBB"; a name that is neither has the fill of a scale. */
HeddleColor
heddle_theme_fill (HeddleTheme theme, const char *name)
{
  const FillRow *row = find_fill (name);
  guint32 rgb;

  if (theme == HEDDLE_THEME_CONTRAST)
    return contrast_fill (name);
  if (is_rgb (name, &rgb))
    return is_dark (theme) ? darkened (heddle_color_rgb (rgb, 1.)) : heddle_color_rgb (rgb, 1.);
  row = row != NULL ? row : find_fill ("scale");
  return heddle_color_rgb (is_dark (theme) ? row->dark : row->light, 1.);
}

/* Returns the colour of a word; each is at least 4.5 to 1 on its ground. */
HeddleColor
heddle_theme_code (HeddleTheme theme, HeddleCodeWord word)
{
  static const guint32 inks[][2] = {
    [HEDDLE_CODE_KEYWORD] = { 0xB3192A, 0xFF7B72 },
    [HEDDLE_CODE_COMMENT] = { 0x57606A, 0x9DA5AE },
    [HEDDLE_CODE_NUMBER] = { 0x0550AE, 0x79C0FF },
    [HEDDLE_CODE_FUNCTION] = { 0x6E35C9, 0xD2A8FF },
    [HEDDLE_CODE_STRING] = { 0x0A3069, 0xA5D6FF },
  };

  if (word == HEDDLE_CODE_PLAIN || theme == HEDDLE_THEME_CONTRAST)
    return heddle_theme_ink (theme);
  return heddle_color_rgb (inks[word][is_dark (theme)], 1.);
}

HeddleColor
heddle_theme_glow (HeddleTheme theme, const char *name)
{
  return theme == HEDDLE_THEME_CONTRAST ? heddle_color_rgb (0xBBBBBB, 1.) : heddle_theme_fill (theme, name);
}

HeddleColor
heddle_theme_on_fill (HeddleTheme theme, const char *name)
{
  const HeddleColor fill = heddle_theme_fill (theme, name);
  const double grey = 0.299 * fill.r + 0.587 * fill.g + 0.114 * fill.b;
  const gboolean dark_ink = !is_dark (theme);

  return (grey < 0.5) == dark_ink ? heddle_theme_paper (theme) : heddle_theme_ink (theme);
}

gboolean
heddle_level_style (
    const char *level, HeddleTheme theme, HeddleColor *color, double *width, double dash[8], guint *n_dashes)
{
  g_return_val_if_fail (
      level != NULL && color != NULL && width != NULL && dash != NULL && n_dashes != NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (levels); i++)
    if (g_str_equal (levels[i].name, level))
      {
        *color = heddle_color_rgb (is_dark (theme) ? levels[i].dark : levels[i].light, 1.);
        *width = levels[i].width;
        *n_dashes = levels[i].n_dashes;
        memset (dash, 0, 8 * sizeof *dash);
        memcpy (dash, levels[i].dash, sizeof levels[i].dash);
        return TRUE;
      }
  return FALSE;
}
