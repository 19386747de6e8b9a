/* SPDX-License-Identifier: MIT */
#include "figure/layout/title-size.h"
#include "figure/typeset/label.h"

guint
heddle_title_n_lines (const char *title)
{
  guint n = 1;

  for (const char *at = title; at != NULL && *at != '\0'; at++)
    n += *at == '\n';
  return n;
}

double
heddle_title_width (const char *title, HeddleFont font, double size)
{
  const HeddleColor ink = { 0., 0., 0., 1. };
  g_auto (GStrv) lines = g_strsplit (title != NULL ? title : "", "\n", -1);
  double width = 0.;

  for (guint i = 0; lines[i] != NULL; i++)
    width = MAX (width, heddle_math_layout (NULL, 0, NULL, lines[i], font, size, ink, 0., 0., NULL, NULL));
  return width;
}
