/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* Ends the animation of a tidying at once; the scene is laid out as the document has it. */
void heddle_canvas_glide_end (HeddleCanvas *self);
/* What was moved by hand, of what is selected or of all, goes back to where the layout has it, as one step. */
void heddle_canvas_tidy (HeddleCanvas *self);

G_END_DECLS
