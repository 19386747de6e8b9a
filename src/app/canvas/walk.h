/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Selects what comes @step after what is selected, an axis where @axes is set, else a thing. Returns FALSE
 * where there is none. */
gboolean heddle_canvas_walk (HeddleCanvas *self, gboolean axes, int step);
