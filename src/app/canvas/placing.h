/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-placing.c: what the menu says of the array that is selected */
void heddle_canvas_append_placing (HeddleCanvas *self, GMenu *menu);

G_END_DECLS
