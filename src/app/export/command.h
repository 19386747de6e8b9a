/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/export/dialog.h"

G_BEGIN_DECLS

void heddle_export_dialog_show_command (HeddleExportDialog *self);
/* export-command.c */
GtkWidget *heddle_export_dialog_new_command (HeddleExportDialog *self);

G_END_DECLS
