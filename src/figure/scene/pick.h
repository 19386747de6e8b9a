/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/private.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

void heddle_grid_free (HeddleGrid *self);
/* The topmost thing at (x, y) within @tolerance px; %NULL: nothing. Glyphs and labels win over boxes, boxes over wires. */
const HeddleItem *heddle_scene_pick (const HeddleScene *self, double x, double y, double tolerance);

G_END_DECLS
