/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

typedef struct
{
  double width, ascent, descent;
} HeddleRunMeasure;

HeddleRunMeasure heddle_measure_run (HeddleFont font, double size, const char *text);

G_END_DECLS
