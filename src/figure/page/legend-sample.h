/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/paint/paint.h"
#include "figure/scene/meaning.h"

/* A sample is one sign of the notation by itself, as a legend shows it. */

/* The box about the origin, px, in which each sample lies. */
#define HEDDLE_SAMPLE_WIDTH 48.
#define HEDDLE_SAMPLE_HEIGHT 34.

/* Paints a sign that means @meaning into the painter's scene, about the origin. */
void heddle_paint_sample (HeddlePainter *self, HeddleMeaning meaning);
