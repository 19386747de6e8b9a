/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* Returns whether the item is drawn above the bands of the selection: wires, glyphs, labels and tags are. */
gboolean heddle_item_is_ink (const HeddleItem *item);
/* Draws the grid, the scene and what lies over it into @snapshot, at the present zoom and pan. */
void heddle_canvas_snapshot_scene (HeddleCanvas *self, GtkSnapshot *snapshot);

G_END_DECLS
