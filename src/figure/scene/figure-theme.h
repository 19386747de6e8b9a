/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* A theme is the set of colours for one ground. */

typedef enum
{
  HEDDLE_THEME_PAPER, /* exports; plain black until a schedule is shown */
  HEDDLE_THEME_LIGHT, /* the canvas */
  HEDDLE_THEME_DARK,
  HEDDLE_THEME_CONTRAST, /* black on white: outlines in place of fills and shadows */
} HeddleTheme;
