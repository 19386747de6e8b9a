/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

/* Colours as people with a deficiency of colour vision see them, for the check of figures before printing. Channels
 * are sRGB, 0 … 1. */

typedef enum
{
  HEDDLE_VISION_PROTANOPIA,
  HEDDLE_VISION_DEUTERANOPIA,
  HEDDLE_VISION_TRITANOPIA,
  HEDDLE_N_VISIONS,
} HeddleVision;

/* Returns the light of a channel of sRGB; both are 0 … 1. */
double heddle_color_linear (double channel);
/* Returns what a colour looks like to somebody who lacks one kind of cones. */
HeddleColor heddle_color_simulate (HeddleColor color, HeddleVision vision);
/* Returns the CIE 1976 ΔE*ab of two opaque colours; about 2.3 is just noticed. */
double heddle_color_difference (const HeddleColor *a, const HeddleColor *b);
