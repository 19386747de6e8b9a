/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Painting of regions is split in two: tints lie below the wires, texts and tags on top. */

/* Paints the tint of every region, with a bar on top and thin sides, below the wires. */
void heddle_paint_regions (HeddlePainter *self);
/* Paints what lies on top of regions: texts, tags, the outline of fused operations. */
void heddle_paint_region_heads (HeddlePainter *self);
