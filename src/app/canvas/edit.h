/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

void heddle_canvas_edit_cancel (HeddleCanvas *self);
/* Keeps what was typed, where it is valid, if the focus has left it. */
void heddle_canvas_edit_finish (HeddleCanvas *self);
/* canvas-edit.c */
gboolean heddle_canvas_edit_label (HeddleCanvas *self, const char *id, const char *value);
/* Edits the label of what is selected in place; FALSE: it has none. */
gboolean heddle_canvas_edit_selected_label (HeddleCanvas *self);
void heddle_canvas_edit_allocate (HeddleCanvas *self);

G_END_DECLS
