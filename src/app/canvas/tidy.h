/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Puts what was moved by hand, of what is selected or of all, back to where the layout has it, as one step. */
void heddle_canvas_tidy (HeddleCanvas *self);
/* Ends the animation of a tidying with what it is about. */
void heddle_canvas_tidy_init (HeddleCanvas *self);
