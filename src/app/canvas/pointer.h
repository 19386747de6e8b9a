/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Adds the controllers that follow the pointer and select by clicks. */
void heddle_canvas_pointer_init (HeddleCanvas *self);
