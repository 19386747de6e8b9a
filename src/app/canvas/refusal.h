/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The card beside the place where a label cannot be; it says why, and the canvas owns it. */

G_BEGIN_DECLS

/* Makes the card that explains the refusals of the present editor, in the place of the one before; without
 * an editor there is none. */
void heddle_canvas_refusal_set_editor (HeddleCanvas *self);
/* Shows the editor's refusal beside the place it is about, or takes the card away where there is none. */
void heddle_canvas_refusal_update (HeddleCanvas *self);

G_END_DECLS
