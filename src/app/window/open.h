/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"
#include "diagram/document/document.h"

/* How a window opens and saves documents. */

G_BEGIN_DECLS

/* Shows a dialog with @heading, the first of @problems (of HeddleProblem) and @error (nullable); both stay
 * the caller's. */
void heddle_window_show_problems (
    HeddleWindow *self, const char *heading, GPtrArray *problems, const GError *error);
/* Reads @file (.ncd, .eq, .svg) into a tab of this window; problems are shown and leave the window as it was. FALSE then. */
gboolean heddle_window_open_file (HeddleWindow *self, GFile *file);
/* The same, of an example: a start, not a file to be saved over. */
gboolean heddle_window_open_example (HeddleWindow *self, const char *path);
/* Shows @snapshot as a document that was never saved. */
void heddle_window_open_snapshot (HeddleWindow *self, HeddleSnapshot *snapshot, const char *name);
/* An empty diagram, the cursor in its equations. */
void heddle_window_open_new (HeddleWindow *self);
/* Fills the menu of recent files, now and whenever the desktop's list changes. */
void heddle_window_watch_recent (HeddleWindow *self);
/* Shows the file where it is open, in whatever window, else opens it here. */
void heddle_window_show_or_open (HeddleWindow *self, GFile *file);
/* Asks which file to open, by the desktop's dialog. */
void heddle_window_choose_open (HeddleWindow *self);
/* Asks where to save the document shown, and saves it there. */
void heddle_window_save_as (HeddleWindow *self);
/* Saves the document shown to its file; asks for a place where it has no file of its own or may not write
 * it. */
void heddle_window_save (HeddleWindow *self);

G_END_DECLS
