/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "app/canvas/private.h"

/* The scene is kept as pixels at one zoom, so that a pan only shows them elsewhere. */

/* Throws away the pixels kept of the scene, which is drawn anew at the next frame. */
void heddle_canvas_drop_sheets (HeddleCanvas *self);
/* Draws what of the scene is in view and not there yet, and shows it; @snapshot is already translated by the pan. */
void heddle_canvas_append_sheet (HeddleCanvas *self, GtkSnapshot *snapshot, HeddleSheetKind kind);
/* Lets the pixels go with the scene, and what they were drawn with at the end. */
void heddle_canvas_sheet_init (HeddleCanvas *self);
