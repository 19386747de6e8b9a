/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

G_BEGIN_DECLS

typedef enum
{
  HEDDLE_VISION_PROTANOPIA,
  HEDDLE_VISION_DEUTERANOPIA,
  HEDDLE_VISION_TRITANOPIA,
  HEDDLE_N_VISIONS,
} HeddleVision;

/* A channel of sRGB as light, 0 … 1. */
double heddle_color_linear (double channel);
/* What a colour looks like to who lacks one kind of cones. */
HeddleColor heddle_color_simulate (HeddleColor color, HeddleVision vision);
/* CIE 1976 ΔE*ab of two opaque colours; about 2.3 is just noticed. */
double heddle_color_difference (const HeddleColor *a, const HeddleColor *b);

G_END_DECLS
