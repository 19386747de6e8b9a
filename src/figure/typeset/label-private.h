/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/page/figure.h"

G_BEGIN_DECLS

typedef struct
{
  double width, ascent, descent;
} HeddleRunMeasure;

HeddleRunMeasure heddle_measure_run (HeddleFont font, double size, const char *text);

/* What a command of the allow-list stands for. */
typedef struct
{
  const char *name; /* without the backslash */
  const char *text; /* UTF-8 */
  gboolean letter; /* slanted in mathematics, by its own shape */
} HeddleMathSymbol;

const HeddleMathSymbol *heddle_math_symbol (const char *name, gsize length);

G_END_DECLS
