/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The canvas is one widget; invisible children, owned by it, stand for the things of the diagram in
 * assistive technology. */

/* Lets assistive technology read the diagram, what is selected of it, and where things are. */
void heddle_canvas_access_init (HeddleCanvas *self);
