/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* paint-nodes.c */
void heddle_paint_boxes (HeddlePainter *self);
void heddle_paint_nodes (HeddlePainter *self);

G_END_DECLS
