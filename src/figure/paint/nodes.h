/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Painting of nodes is split in two: boxes lie below the wires, glyphs on top. */

/* Paints the crossings of wires before nodes and the boxes of nodes, which lie below the wires. */
void heddle_paint_boxes (HeddlePainter *self);
/* Paints the glyphs and titles of all nodes, which lie above their boxes. */
void heddle_paint_nodes (HeddlePainter *self);
