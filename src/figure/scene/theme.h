/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* What a word of a listing is. */
typedef enum
{
  HEDDLE_CODE_PLAIN,
  HEDDLE_CODE_KEYWORD, /* and operators */
  HEDDLE_CODE_COMMENT,
  HEDDLE_CODE_NUMBER,
  HEDDLE_CODE_FUNCTION,
  HEDDLE_CODE_STRING,
} HeddleCodeWord;

HeddleColor heddle_color_rgb (guint32 rgb, double alpha);
HeddleColor heddle_theme_ink (HeddleTheme theme);
HeddleColor heddle_theme_paper (HeddleTheme theme);
HeddleColor heddle_theme_dim (HeddleTheme theme);
HeddleColor heddle_theme_shadow (HeddleTheme theme);
double heddle_theme_outline (HeddleTheme theme);
double heddle_theme_tint (HeddleTheme theme);
/* Text that can be read on the fill. */
HeddleColor heddle_theme_on_fill (HeddleTheme theme, const char *name);
HeddleColor heddle_theme_code (HeddleTheme theme, HeddleCodeWord word);
HeddleColor heddle_theme_fill (HeddleTheme theme, const char *name);
/* Of a band behind a line, which has no outline. */
HeddleColor heddle_theme_glow (HeddleTheme theme, const char *name);

/* Colours and line styles of a memory level, by name ("smem"); %FALSE: not a level that is drawn. */
gboolean heddle_level_style (
    const char *level, HeddleTheme theme, HeddleColor *color, double *width, double dash[8], guint *n_dashes);

G_END_DECLS
