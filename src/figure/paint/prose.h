/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/paint/paint.h"
#include "figure/typeset/prose-pieces.h"

/* Prose is set in lines with mathematics between dollar signs. */

/* Sets @text with its top left corner at (@x, @y) and gives the width and height that it takes, in px; @self without
 * a scene only measures. */
void heddle_prose_set (HeddlePainter *self, const HeddleProse *prose, const char *text, double x, double y,
    double *width, double *height);
