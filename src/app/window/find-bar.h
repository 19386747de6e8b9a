/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/canvas/canvas.h"
#include "app/editor/editor.h"

/* HeddleFindBar finds axes, arrays, operations and notes of the diagram shown by their names, one after the
 * other. */
#define HEDDLE_TYPE_FIND_BAR (heddle_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (HeddleFindBar, heddle_find_bar, HEDDLE, FIND_BAR, GtkBox)

/* Sets where what is found is selected and shown: on @canvas. With @editor NULL the bar is closed. */
void heddle_find_bar_set_editor (HeddleFindBar *self, HeddleEditor *editor, HeddleCanvas *canvas);
/* Shows the bar with the focus in its entry and the text selected; nothing happens without an editor. */
void heddle_find_bar_open (HeddleFindBar *self);
/* To the next (1) or the previous (-1) of what was found. */
void heddle_find_bar_step (HeddleFindBar *self, int direction);
