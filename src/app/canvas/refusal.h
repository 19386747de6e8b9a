/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-refusal.c: the card that says why a label cannot be */
void heddle_canvas_refusal_set_editor (HeddleCanvas *self);
void heddle_canvas_refusal_update (HeddleCanvas *self);

G_END_DECLS
