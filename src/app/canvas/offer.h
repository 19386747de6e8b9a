/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "app/canvas/canvas.h"

/* Takes the first of @senses, of HeddleSense and at least one: the most likely of what was dropped. It is said in the window, with
 * buttons for the others and to undo it. Returns FALSE where it cannot be, which the editor tells. */
gboolean heddle_canvas_take_first (HeddleCanvas *self, const GPtrArray *senses);
