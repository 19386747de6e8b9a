/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The card beside the place where a label cannot be says why; the canvas owns it. */

/* Lets the canvas show the refusals of its editor. */
void heddle_canvas_refusal_init (HeddleCanvas *self);
