/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

HeddleStrand *heddle_figure_node_add_result (
    HeddleFigureNode *node, const char *axis, int line, gboolean fresh);
gboolean heddle_figure_node_is_core (const HeddleFigureNode *node, const char *axis);
HeddleStrand *heddle_figure_node_result (const HeddleFigureNode *node, const char *axis); /* or NULL */
void heddle_layout_weave_node (HeddleLayout *self, HeddleFigureNode *node);

G_END_DECLS
