/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"
#include "diagram/document/document.h"

/* A window opens documents in these ways. */

/* Shows a dialog with @heading, the first of @problems (of HeddleProblem) and @error (nullable); both stay
 * the caller's. */
void heddle_window_show_problems (
    HeddleWindow *self, const char *heading, GPtrArray *problems, const GError *error);
/* Reads @file (.ncd, .eq, .svg) into a tab of this window; problems are shown and leave the window as it was. Returns
 * FALSE then. */
gboolean heddle_window_open_file (HeddleWindow *self, GFile *file);
/* Reads the example at @path likewise: a start, and no file to be saved over. */
gboolean heddle_window_open_example (HeddleWindow *self, const char *path);
/* Shows @snapshot as a document that was never saved. */
void heddle_window_open_snapshot (HeddleWindow *self, HeddleSnapshot *snapshot, const char *name);
/* Opens an empty diagram, with the cursor in its equations. */
void heddle_window_open_new (HeddleWindow *self);
/* Shows the file where it is open, in whatever window, else opens it here. */
void heddle_window_show_or_open (HeddleWindow *self, GFile *file);
/* Asks which file to open, by the desktop's dialog. */
void heddle_window_choose_open (HeddleWindow *self);
/* Reads the ONNX model at @path in a worker thread and opens it as a document that was never saved; what of
 * it is not understood is told. */
void heddle_window_open_model (HeddleWindow *self, const char *path);
/* Fills the menu of recent files, now and whenever the desktop's list changes, and lets files be dropped on the window,
 * which opens them; drops of anything else are refused. */
void heddle_window_open_init (HeddleWindow *self);
