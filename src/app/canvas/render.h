/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

gboolean heddle_item_is_ink (const HeddleItem *item);
/* canvas-render.c, canvas-overlay.c */
void heddle_canvas_snapshot_scene (HeddleCanvas *self, GtkSnapshot *snapshot);

G_END_DECLS
