/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The canvas is one widget; invisible children, owned by it, stand for the things of the diagram in
 * assistive technology. */

G_BEGIN_DECLS

/* Makes one invisible child for each thing of the diagram that a screen reader can name; does nothing while
 * the diagram's meaning is the same. */
void heddle_canvas_access_update (HeddleCanvas *self);
/* Tells assistive technology which of the canvas's invisible children are selected, and which one is active. */
void heddle_canvas_access_select (HeddleCanvas *self);
/* Gives each invisible child the place and size that its object has on the canvas at the present zoom, at
 * least 1 px each way. */
void heddle_canvas_access_allocate (HeddleCanvas *self);

G_END_DECLS
