/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* Colours of the themes. A fill has a name, a class of the palette, or is "#RRGGBB". */

/* A code word is what a word of a listing is. */
typedef enum
{
  HEDDLE_CODE_PLAIN,
  HEDDLE_CODE_KEYWORD, /* and operators */
  HEDDLE_CODE_COMMENT,
  HEDDLE_CODE_NUMBER,
  HEDDLE_CODE_FUNCTION,
  HEDDLE_CODE_STRING,
} HeddleCodeWord;

/* Returns the colour 0xRRGGBB with the opacity @alpha, 0 … 1. */
HeddleColor heddle_color_rgb (guint32 rgb, double alpha);
/* Returns the colour of lines and text. */
HeddleColor heddle_theme_ink (HeddleTheme theme);
/* Returns the colour of an empty place, such as the inside of hexagons and triangles. */
HeddleColor heddle_theme_paper (HeddleTheme theme);
/* Returns the colour of text of less weight; with high contrast it is ink. */
HeddleColor heddle_theme_dim (HeddleTheme theme);
/* Returns the colour of soft shadows, black with the opacity that suits the theme. */
HeddleColor heddle_theme_shadow (HeddleTheme theme);
/* Returns the width in px of a box' outline; 0 means that the box has a shadow instead. */
double heddle_theme_outline (HeddleTheme theme);
/* Returns the share, 0 … 1, of a level's colour in a region's tint. */
double heddle_theme_tint (HeddleTheme theme);
/* Returns the colour of text that can be read on the fill of that name. */
HeddleColor heddle_theme_on_fill (HeddleTheme theme, const char *name);
/* Returns the colour of a word of a listing; each has a contrast of at least 4.5 to 1 to its ground. */
HeddleColor heddle_theme_code (HeddleTheme theme, HeddleCodeWord word);
/* Returns whether @name is a class of the palette or "#RRGGBB". */
gboolean heddle_theme_has_fill (const char *name);
/* Returns the colour of a class of the palette or of "#RRGGBB", darkened in the dark theme; a @name that is neither
 * has the fill of a scale. */
HeddleColor heddle_theme_fill (HeddleTheme theme, const char *name);
/* Returns the colour of a band behind a line, which has no outline. */
HeddleColor heddle_theme_glow (HeddleTheme theme, const char *name);

/* Gives the colour, the width in px and the dashes of a memory level's lines, by its name ("smem");
 * @n_dashes of 0 means a solid line. %FALSE means that the level is not drawn. */
gboolean heddle_level_style (
    const char *level, HeddleTheme theme, HeddleColor *color, double *width, double dash[8], guint *n_dashes);
