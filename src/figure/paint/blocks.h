/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* paint-blocks.c */
void heddle_paint_blocks (HeddlePainter *self);
void heddle_paint_parenthesis (
    HeddlePainter *self, const char *object, double x, double y1, double y2, int side);
void heddle_paint_block_heads (HeddlePainter *self);

G_END_DECLS
