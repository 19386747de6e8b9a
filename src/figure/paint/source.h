/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* source.c */
void heddle_paint_source (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);

G_END_DECLS
