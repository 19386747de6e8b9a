/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* Prose with mathematics between dollar signs, in lines. */
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

/* Sets @text with its top left corner at (@x, @y); @self without a scene only measures. */
void heddle_prose_set (HeddlePainter *self, const HeddleProse *prose, const char *text, double x, double y,
    double *width, double *height);

/* The words of @text without what says how they are set; mathematics as it is spelt. Newly allocated. */
char *heddle_prose_plain (const char *text);

G_END_DECLS
