/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of batch norms, which stand on the wire of a channel. */

/* Paints a batch norm with the wire that goes into its circle and comes out. FALSE means that nothing was painted:
 * @node is a norm like others. */
gboolean heddle_paint_batch_norm (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
