/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

double heddle_cup_radius (guint level);
GPtrArray *heddle_figure_node_cups (const HeddleLayout *self, const HeddleFigureNode *node);

G_END_DECLS
