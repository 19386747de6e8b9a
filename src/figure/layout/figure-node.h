/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

void heddle_figure_node_free (HeddleFigureNode *node);
/* figure-node.c: what an operation is drawn as */
void heddle_layout_make_nodes (HeddleLayout *self);

G_END_DECLS
