/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-access.c */
void heddle_canvas_access_update (HeddleCanvas *self);
void heddle_canvas_access_select (HeddleCanvas *self);
void heddle_canvas_access_allocate (HeddleCanvas *self);

G_END_DECLS
