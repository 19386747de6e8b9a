/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* A description of prose: how it looks and where its lines end. It borrows the id and the colour. */

/* Prose has mathematics between dollar signs, in lines. */
typedef struct
{
  HeddlePart part;
  const char *object;
  double size; /* px of letters */
  double width; /* px where lines are broken; 0: at '\n' alone */
  double align; /* of lines: 0 left, 0.5 centred */
  const HeddleColor *color; /* NULL: ink */
  gboolean listing; /* lines of a program, as they are */
} HeddleProse;

/* Distance of baselines, by the size of letters. */
#define HEDDLE_PROSE_LEADING 1.35
