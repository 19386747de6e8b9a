/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/export/dialog.h"
#include "app/export/options.h"

G_BEGIN_DECLS

struct _HeddleExportDialog
{
  AdwWindow parent_instance;
  HeddleEditor *editor;
  HeddleExportForm *form;
  GtkWidget *flap, *options, *stack, *preview, *listing, *failure, *size, *command, *checks;
  GtkWidget *checks_box; /* what the checks are in */
  GCancellable *proving;
  guint pause;
};

HeddleExportOptions heddle_export_dialog_get_options (HeddleExportDialog *self);

/* export-checks.c */
void heddle_export_dialog_mark_options (HeddleExportDialog *self, guint n_wrong);
/* @problems NULL: nothing was checked. */
void heddle_export_dialog_show_checks (HeddleExportDialog *self, GPtrArray *problems);

/* export-command.c */
GtkWidget *heddle_export_dialog_new_command (HeddleExportDialog *self);
void heddle_export_dialog_show_command (HeddleExportDialog *self);

G_END_DECLS
