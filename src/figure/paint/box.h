/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* box.c */
void heddle_paint_node_box (HeddlePainter *self, const HeddleFigureNode *node);
void heddle_paint_node_name (HeddlePainter *self, const HeddleFigureNode *node);

G_END_DECLS
