/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/private.h"
#include "figure/scene/scene.h"

/* Picking finds the item at a point by a grid, which the scene makes when it is first asked and owns. */

G_BEGIN_DECLS

/* Frees the grid of a scene, but none of the items that it names. */
void heddle_grid_free (HeddleGrid *self);
/* Returns the topmost item at (@x, @y) within @tolerance px that stands for something; the scene owns it, and %NULL
 * means that nothing is there. Glyphs, tags and labels win over boxes, boxes over wires, wires over what lies behind.
 * Any thread may call it once the scene is complete. */
const HeddleItem *heddle_scene_pick (const HeddleScene *self, double x, double y, double tolerance);

G_END_DECLS
