/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/**
 * HeddleMinimap: all of the diagram in small, with the part in view marked; a click or a drag goes there. It shows while the diagram is
 * larger than the view.
 *
 * Properties: "wanted" (boolean): whether it shows at all.
 */
#define HEDDLE_TYPE_MINIMAP (heddle_minimap_get_type ())
G_DECLARE_FINAL_TYPE (HeddleMinimap, heddle_minimap, HEDDLE, MINIMAP, GtkWidget)

void heddle_minimap_set_canvas (HeddleMinimap *self, HeddleCanvas *canvas);

G_END_DECLS
