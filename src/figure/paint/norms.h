/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* norms.c: FALSE: it is a norm like others */
gboolean heddle_paint_batch_norm (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);

G_END_DECLS
