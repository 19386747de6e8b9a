/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* Where what is drawn with a node stands. */
double heddle_figure_node_attached_x (const HeddleFigureNode *node);
/* paint-cups.c */
void heddle_paint_contraction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);

G_END_DECLS
