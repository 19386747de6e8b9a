/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

double heddle_combine_reach (const HeddleFigureNode *node);
/* Where its glyph stands, and how far from there its wires end. */
double heddle_combine_x (const HeddleFigureNode *node);
void heddle_combine_measure (const HeddleLayout *self, HeddleFigureNode *node, double title_width);
/* combine.c: concatenations, scans, selections, gathers */
void heddle_layout_weave_combine (HeddleLayout *self, HeddleFigureNode *node);
char *heddle_combine_title (const HeddleLayout *self, const HeddleOperation *operation);

/* Whether the node reads an array at indices that other arrays hold, as an embedding does. */
gboolean heddle_figure_node_is_gather (const HeddleFigureNode *node);

G_END_DECLS
