/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "app/canvas/private.h"

/* Finds which thing of the scene is at a place of the widget, and where an object of the diagram is. */

/* Returns whether @a and @b stand for the same thing; their ids are interned and compared as pointers. */
gboolean heddle_hit_equal (const HeddleHit *a, const HeddleHit *b);
/* Returns what is under a place of the widget, composing the scene first where needed; the kind is
 * HEDDLE_HIT_NOTHING where nothing of the diagram shown is there. */
HeddleHit heddle_canvas_pick (HeddleCanvas *self, double widget_x, double widget_y);
/* Gives the part of the objects that is seen, in the widget's coordinates, for popovers that point at them,
 * which GTK 4.8 cannot place where no screen is. FALSE means that nothing is seen, and @rectangle is left
 * alone. */
gboolean heddle_canvas_get_object_rectangle (HeddleCanvas *self, const GArray *ids, GdkRectangle *rectangle);
/* Gets what is seen of the selection, in the widget's coordinates. Returns FALSE where nothing of it is, and
 * leaves @rectangle alone. */
gboolean heddle_canvas_get_selection_rectangle (HeddleCanvas *self, GdkRectangle *rectangle);
/* Adds to @ids the operations that the rectangle (widget) touches. */
void heddle_canvas_pick_rectangle (HeddleCanvas *self, const graphene_rect_t *rectangle, GArray *ids);
/* Selects what is there, as a click does; what is selected stays so where it is there. */
void heddle_canvas_select_at (HeddleCanvas *self, double widget_x, double widget_y);
/* Selects what @hit stands for; @extend adds it to the selection or takes it out. What is selected stays so without
 * @extend, since several things may be about to be moved. */
void heddle_canvas_select_hit (HeddleCanvas *self, const HeddleHit *hit, gboolean extend);
