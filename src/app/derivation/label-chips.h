/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

/* Returns the groups and streams (const HeddleLabel *) of the shown schedule at a level or a link, each
 * once though several kernels may have it. */
GPtrArray *heddle_label_chips_find (HeddleEditor *editor, const char *level);
/* Has a chip in @box for each of @labels from @from on and before @to. Chips of labels that are still there stay: one of them may be what changes them. */
void heddle_label_chips_update (HeddleEditor *editor, GtkBox *box, GPtrArray *labels, guint from, guint to);
