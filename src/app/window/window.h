/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/canvas/canvas.h"
#include "app/editor/editor.h"
#include "app/equations/equation-bar.h"

G_BEGIN_DECLS

/**
 * HeddleWindow: a tab for each diagram that is open, and the panes that show one of them; the start page while there is none.
 */
#define HEDDLE_TYPE_WINDOW (heddle_window_get_type ())
G_DECLARE_FINAL_TYPE (HeddleWindow, heddle_window, HEDDLE, WINDOW, AdwApplicationWindow)

/* Returns a new window of @application, not shown yet, with the start page in it. */
GtkWidget *heddle_window_new (GtkApplication *application);
/* Whether nothing is open in it: a file may come here. */
gboolean heddle_window_is_empty (HeddleWindow *self);

HeddleEditor *heddle_window_get_editor (HeddleWindow *self); /* NULL on the start page */
/* Returns the canvas of the page that is shown, owned by the window. */
HeddleCanvas *heddle_window_get_canvas (HeddleWindow *self);
/* Returns the equation bar, owned by the window. */
HeddleEquationBar *heddle_window_get_equation_bar (HeddleWindow *self);

/* Shows the title, folder and unsaved dot of the page shown. */
void heddle_window_update_title (HeddleWindow *self);
/* window.c */
/* All panes show @editor; NULL: the start page is shown. */
void heddle_window_set_editor (HeddleWindow *self, HeddleEditor *editor);

G_END_DECLS
