/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/session.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "robot.h"

/* Documents as they lie on a desk: in windows and in files, and what is done with them everywhere. */

HeddleSession *desk_session_of (HeddleWindow *window);
HeddleDocument *desk_document_of (HeddleWindow *window);
GtkWidget *desk_canvas_of (HeddleWindow *window);
HeddleEditor *desk_editor_of (HeddleWindow *window);
HeddleDiagram *desk_diagram_of (HeddleWindow *window);
/* What the diagram shown says as equations, newly allocated, without the last line's end. */
char *desk_equations_of (HeddleWindow *window);
/* What would be undone; NULL: nothing. */
const char *desk_undo_name (HeddleWindow *window);

/* Ids by names: of an axis, of an array, and of the operation that makes an array. */
const char *desk_axis_id (HeddleWindow *window, const char *name);
const char *desk_value_id (HeddleWindow *window, const char *name);
const char *desk_producer_id (HeddleWindow *window, const char *value);
/* The array that the operation selected makes. */
const char *desk_result_of_selected (HeddleWindow *window);
/* How far an object was moved by hand, px of the scene. */
void desk_get_nudge (HeddleWindow *window, const char *id, double *dx, double *dy);
/* Whether the diagram shown has an operation of that kind ("softmax"). */
gboolean desk_has_operation (HeddleWindow *window, const char *kind);

/* A path of that name in a folder of its own, newly allocated. */
char *desk_temporary (const char *name);
/* Writes an example ("attention.ncd") over whatever is at @path. */
void desk_copy_example (const char *name, const char *path);
HeddleSnapshot *desk_load (const char *path);
/* The folder must have nothing else. */
void desk_remove_with_folder (const char *path);
/* A window on a copy of scaled dot-product attention; @path is newly allocated. */
HeddleWindow *desk_open_copy (char **path);
/* A change as a person makes one: an operation is clicked and deleted. */
void desk_delete_softmax (HeddleWindow *window);

/* "/", some words, Enter: something is made. The second types into what asks already. */
void desk_ask_for (HeddleWindow *window, const char *words);
void desk_answer (HeddleWindow *window, const char *words);
/* Names what the selected operation makes, by the keyboard. */
void desk_name_result (HeddleWindow *window, const char *name);
/* A tile of the palette; where it is beyond the edge it is scrolled to. */
GtkWidget *desk_show_tile (HeddleWindow *window, const char *title);

/* A button of that label below @root that is seen; NULL: none. */
GtkWidget *desk_find_button (GtkWidget *root, const char *label);
/* A button of that label in a window or a dialog; NULL: none is seen. */
GtkWidget *desk_find_anywhere (const char *label);
/* Waits for it and clicks it. */
void desk_click_button (const char *label);
/* The same, and waits until it is gone with what it answers. */
void desk_press_button (const char *label);
