/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Adds the controllers that read the keys while the canvas has the focus. */
void heddle_canvas_keys_init (HeddleCanvas *self);
