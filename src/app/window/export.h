/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/export/choice.h"
#include "app/window/window.h"
#include "files/base/files.h"

/* Returns the names of what is being exported for so long that it is shown; NULL means that nothing is. */
char *heddle_window_dup_exports (HeddleWindow *self);
/* Cancels all exports of this window that are under way. */
void heddle_window_cancel_exports (HeddleWindow *self);
/* Exports the diagram shown to @path by a worker thread and remembers @choice and place for the next time; a
 * result or failure is told by the window. */
void heddle_window_export_to (HeddleWindow *self, const HeddleExportChoice *choice, const char *path);
/* Opens the export dialog as it was left. */
void heddle_window_choose_export (HeddleWindow *self);
/* The dialog as it was left, but for what the figure is of, or for the kind of file: a kernel's, the Python module. */
void heddle_window_export_picture (HeddleWindow *self, HeddleExportPicture picture);
/* Opens the export dialog with a kernel's kind of file: the last one chosen, or CUDA where that was a figure
 * or equations. */
void heddle_window_export_kernel (HeddleWindow *self);
/* Opens the export dialog with the Python module as the kind of file. */
void heddle_window_export_module (HeddleWindow *self);
/* Exports the same kind of file to the same place; asks where that is not known yet. */
void heddle_window_export_again (HeddleWindow *self);
