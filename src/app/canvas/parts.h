/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The parts of a canvas are put together here. */

/* Makes a canvas show its scene and do what a person does with it. Whoever makes a canvas calls this once, before it has
 * an editor. */
void heddle_canvas_add_parts (HeddleCanvas *self);
