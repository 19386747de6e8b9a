/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/export/dialog.h"

G_BEGIN_DECLS

/* Shows the command line that exports what is chosen now. */
void heddle_export_dialog_show_command (HeddleExportDialog *self);
/* Returns a new row (floating) for the command line, with a button that copies it. */
GtkWidget *heddle_export_dialog_new_command (HeddleExportDialog *self);

G_END_DECLS
