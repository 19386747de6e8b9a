/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "app/export/options.h"

/* The fields of an export dialog, for the files that it is made of; all objects are owned by it. */

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
