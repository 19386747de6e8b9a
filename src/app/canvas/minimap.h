/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/canvas/canvas.h"
#include "app/canvas/minimap-picture.h"

/* HeddleMinimap shows all of the diagram in small, with the part in view marked; a click or a drag goes
 * there. It shows while the diagram is larger than the view.
 *
 * Properties: "wanted" (boolean) says whether it shows at all. */
#define HEDDLE_TYPE_MINIMAP (heddle_minimap_get_type ())
G_DECLARE_FINAL_TYPE (HeddleMinimap, heddle_minimap, HEDDLE, MINIMAP, GtkWidget)

/* Maps @canvas from now on, which is held weakly; NULL shows nothing. */
void heddle_minimap_set_canvas (HeddleMinimap *self, HeddleCanvas *canvas);
/* Gives what a picture of the canvas's scene would be made from now, which holds no reference of it; FALSE
 * means that there is nothing to map. */
gboolean heddle_minimap_get_order (HeddleMinimap *self, HeddleMapOrder *order);
/* The one that is shown, which may be of the scene before; NULL: none yet. */
GdkTexture *heddle_minimap_get_picture (HeddleMinimap *self);
