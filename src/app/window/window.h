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

GtkWidget *heddle_window_new (GtkApplication *application);
/* Reads @file (.ncd, .eq, .svg) into a tab of this window; problems are shown and leave the window as it was. FALSE then. */
gboolean heddle_window_open_file (HeddleWindow *self, GFile *file);
/* The same, of an example: a start, not a file to be saved over. */
gboolean heddle_window_open_example (HeddleWindow *self, const char *path);
/* Shows the file where it is open, in whatever window, else opens it here. */
void heddle_window_show_or_open (HeddleWindow *self, GFile *file);
/* Shows the tab of a file that is open in this window. FALSE: it is not. */
gboolean heddle_window_show_file (HeddleWindow *self, GFile *file);
/* Offers what a crash left: of HeddleDraftRecord, taken. */
void heddle_window_offer_drafts (HeddleWindow *self, GPtrArray *records);
/* Shows @snapshot as a document that was never saved. */
void heddle_window_open_snapshot (HeddleWindow *self, HeddleSnapshot *snapshot, const char *name);
/* An empty diagram, the cursor in its equations. */
void heddle_window_open_new (HeddleWindow *self);
/* Whether nothing is open in it: a file may come here. */
gboolean heddle_window_is_empty (HeddleWindow *self);

/* Machine files were written: they are among what can be chosen in every tab. */
void heddle_window_reload_machines (HeddleWindow *self);

HeddleEditor *heddle_window_get_editor (HeddleWindow *self); /* NULL on the start page */
HeddleCanvas *heddle_window_get_canvas (HeddleWindow *self);
HeddleEquationBar *heddle_window_get_equation_bar (HeddleWindow *self);
void heddle_window_show_toast (HeddleWindow *self, const char *text);

G_END_DECLS
