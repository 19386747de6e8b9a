/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/window/window.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/* The diagram shown on one page, to be run; NULL: it cannot be drawn. */
GtkPrintOperation *heddle_window_new_print_operation (
    HeddleWindow *self, HeddleExportPicture picture, GError **error);
/* Asks for a printer and prints the diagram shown on one page; a failure is told by the window. */
void heddle_window_print (HeddleWindow *self);

G_END_DECLS
