/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/canvas/canvas.h"

/* Appends to the context menu where the selected array can be kept. */
void heddle_canvas_append_placing (HeddleCanvas *self, GMenu *menu);
