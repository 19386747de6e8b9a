/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* Measures of text in px, the same on every surface since nothing is hinted. Each thread keeps those that it asked
 * for. */

typedef struct
{
  double width, ascent, descent;
} HeddleRunMeasure;

/* Returns the advance of one run of text at @size px, and how far its ink reaches above and below the baseline, all
 * in px. Measures are remembered. */
HeddleRunMeasure heddle_measure_run (HeddleFont font, double size, const char *text);
