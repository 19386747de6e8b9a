/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of rotary embeddings, which turn pairs of values. */

/* Paints the turn of pairs by a rotary embedding, with its wires. */
void heddle_paint_turn (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
