/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* A label of the canvas is edited in place, in an entry that the canvas owns; at most one at a time. */

/* Keeps what was typed, where it is valid, if the focus has left it. */
void heddle_canvas_edit_finish (HeddleCanvas *self);
/* Opens an entry in place of the label of the object @id; @value names the wire whose label is meant, or is
 * NULL. Returns FALSE where the object has no label. */
gboolean heddle_canvas_edit_label (HeddleCanvas *self, const char *id, const char *value);
/* Edits the label of what is selected in place; FALSE: it has none. */
gboolean heddle_canvas_edit_selected_label (HeddleCanvas *self);
/* Lets labels be edited in place. */
void heddle_canvas_edit_init (HeddleCanvas *self);
