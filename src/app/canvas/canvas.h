/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/**
 * HeddleCanvas: the diagram as it is drawn, to be looked at and changed. It shows the scene of the figure room for the editor's
 * document, with the schedule that is being tried, the selection, problems and refusals on top.
 *
 * The widget itself knows its editor and its zoom and pan, and nothing of what is done with them. That is up to its parts (the scene, the view,
 * dragging, editing a label …), each in a file of its own; heddle_canvas_add_parts () adds them all. A part watches these signals, and none of
 * them returns a value:
 *
 * - "editor-changed": there is another editor, or none;
 * - "let-go": whatever is held, edited or pointed at belongs to what was shown before;
 * - "document-changed": the diagram is another one, and everything was let go of;
 * - "scene-taken", "scene-dropped": there is a new scene; the present one is gone in a moment;
 * - "allocate": the widget has its size, and children get theirs;
 * - "draw" (GtkSnapshot): the frame is drawn, what is lowest first;
 * - "closing": the widget is disposed of.
 *
 * Others watch the properties "zoom" (double) and "crowded" (boolean, the drawing reaches where a hint would lie), both notifying, and the signals
 * "view-changed", when another part of the drawing, or another drawing, is in view, and "insert-requested", when the quick insert is wanted ("/",
 * or a wire was dropped on nothing).
 */
#define HEDDLE_TYPE_CANVAS (heddle_canvas_get_type ())
G_DECLARE_FINAL_TYPE (HeddleCanvas, heddle_canvas, HEDDLE, CANVAS, GtkWidget)

/* Shows the diagram of @editor, which the canvas holds a reference of. NULL empties the canvas and makes it
 * insensitive. */
void heddle_canvas_set_editor (HeddleCanvas *self, HeddleEditor *editor);
