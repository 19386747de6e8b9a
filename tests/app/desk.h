/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/session.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "robot.h"

G_BEGIN_DECLS

/* Documents as they lie on a desk: in windows and in files, and what is done with them everywhere. */

HeddleSession *desk_session_of (HeddleWindow *window);
HeddleDocument *desk_document_of (HeddleWindow *window);
GtkWidget *desk_canvas_of (HeddleWindow *window);
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

/* A button of that label in a window or a dialog; NULL: none is seen. */
GtkWidget *desk_find_anywhere (const char *label);
/* Waits for it and clicks it. */
void desk_click_button (const char *label);
/* The same, and waits until it is gone with what it answers. */
void desk_press_button (const char *label);

G_END_DECLS
