/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* The height of a wire at the node: those that it touches go with it when it is moved. */
double heddle_figure_node_shift (const HeddleFigureNode *node, double y);
double heddle_figure_node_title_y (
    const HeddleLayout *self, const HeddleFigureNode *node); /* JOIN: the baseline */
gboolean heddle_figure_node_blocks (
    const HeddleLayout *self, const HeddleFigureNode *node, double *top, double *bottom);
/* shapes.c */
void heddle_layout_place_boxes (HeddleLayout *self);
void heddle_layout_place_shapes (HeddleLayout *self);

G_END_DECLS
