/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of contractions, with the scale or bias that is attached to them. */

/* Returns the x in px at which the scale or the bias that is drawn with a node stands. */
double heddle_figure_node_attached_x (const HeddleFigureNode *node);
/* Paints the cups and lines of a contraction, and what is attached to it. */
void heddle_paint_contraction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
