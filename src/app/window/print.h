/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/window/window.h"
#include "files/base/files.h"

/* Returns an operation, to be run, that prints the diagram shown on one page; NULL means that it cannot be
 * drawn. */
GtkPrintOperation *heddle_window_new_print_operation (
    HeddleWindow *self, HeddleExportPicture picture, GError **error);
/* Asks for a printer and prints the diagram shown on one page; a failure is told by the window. */
void heddle_window_print (HeddleWindow *self);
