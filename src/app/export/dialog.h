/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "app/export/choice.h"
#include "files/base/files.h"

/* HeddleExportDialog shows the figure to export at true size beside what can be chosen, what stands against
 * printing it, and the command line that does the same. It emits "chosen" when the person goes on to say
 * where to; what they chose is then in the settings. */
#define HEDDLE_TYPE_EXPORT_DIALOG (heddle_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HeddleExportDialog, heddle_export_dialog, HEDDLE, EXPORT_DIALOG, AdwWindow)

/* Takes @choice: what is chosen at first. */
GtkWidget *heddle_export_dialog_new (HeddleEditor *editor, GtkWindow *parent, HeddleExportChoice *choice);
/* Returns what is chosen now, owned by the dialog. */
const HeddleExportChoice *heddle_export_dialog_get_choice (HeddleExportDialog *self);
