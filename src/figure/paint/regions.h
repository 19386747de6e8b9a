/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* paint-regions.c */
void heddle_paint_regions (HeddlePainter *self);
void heddle_paint_region_heads (HeddlePainter *self);

G_END_DECLS
