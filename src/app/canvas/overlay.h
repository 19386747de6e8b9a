/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

/* What the canvas draws below and above the scene and is not part of the figure: bands, outlines, badges. */

G_BEGIN_DECLS

gboolean heddle_item_is_wire_of (
    const HeddleItem *item, const char *value, const char *axis); /* either may be NULL */
void heddle_canvas_draw_under (HeddleCanvas *self, GtkSnapshot *snapshot); /* below the wires: bands */
void heddle_canvas_draw_over (
    HeddleCanvas *self, GtkSnapshot *snapshot); /* outlines, badges, the rubber band */

G_END_DECLS
