/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/page/figure.h"

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

G_END_DECLS
