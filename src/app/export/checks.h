/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/export/dialog.h"

/* Says on the button of the options how many checks failed; 0: none did. */
void heddle_export_dialog_mark_options (HeddleExportDialog *self, guint n_wrong);
/* Shows @problems; NULL means that nothing was checked. */
void heddle_export_dialog_show_checks (HeddleExportDialog *self, GPtrArray *problems);
