/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/canvas/canvas.h"
#include "app/editor/editor.h"
#include "app/equations/equation-bar.h"

/**
 * HeddleWindow: a tab for each diagram that is open, and the panes that show one of them; the start page while there is none.
 *
 * The window itself knows its widgets and the editor that they show. What is done with them (tabs, files, closing, actions, toasts …) is up to its
 * parts, each in a file of its own, which heddle_window_new () adds. They watch these signals, none of which returns a value:
 *
 * - "state-changed": what can be done is another, since the history, the selection or the diagram changed;
 * - "notices-changed": what the notices above the diagram tell of has changed;
 * - "message" (string): something is to be said in passing;
 * - "closing": the window is disposed of, and its pages go.
 */
#define HEDDLE_TYPE_WINDOW (heddle_window_get_type ())
G_DECLARE_FINAL_TYPE (HeddleWindow, heddle_window, HEDDLE, WINDOW, AdwApplicationWindow)

/* Makes a window of an application. */
typedef GtkWidget *(*HeddleWindowMaker) (GtkApplication *application);

/* Returns whether nothing is open in the window: a file may come here. */
gboolean heddle_window_is_empty (HeddleWindow *self);
/* Returns the editor of the page that is shown; NULL on the start page. */
HeddleEditor *heddle_window_get_editor (HeddleWindow *self);
/* Returns the canvas of the page that is shown, owned by the window. */
HeddleCanvas *heddle_window_get_canvas (HeddleWindow *self);
/* Returns the equation bar, owned by the window. */
HeddleEquationBar *heddle_window_get_equation_bar (HeddleWindow *self);

/* Shows the title, folder and unsaved dot of the page shown. */
void heddle_window_update_title (HeddleWindow *self);
/* Shows the hint over the canvas unless the drawing reaches it or the diagram is empty. */
void heddle_window_update_hint (HeddleWindow *self);
/* Lets all panes show @editor; NULL shows the start page. */
void heddle_window_set_editor (HeddleWindow *self, HeddleEditor *editor);
/* Shows what the settings and the start page say, once all parts are there. */
void heddle_window_begin (HeddleWindow *self);
/* Has further windows be made by @make. */
void heddle_window_set_maker (HeddleWindow *self, HeddleWindowMaker make);
/* Makes another window of the same application, not shown yet. */
GtkWidget *heddle_window_make_another (HeddleWindow *self);
/* Closes the window when what goes on has ended. */
void heddle_window_close_soon (HeddleWindow *self);
