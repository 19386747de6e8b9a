/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/* HeddleQuickInsert takes a few letters and Enter, and the operation is on the wire. What fits the
 * selection comes first; the rest is shown dimmed with its reason. Text with a $0 in it is a function of
 * its own. */
#define HEDDLE_TYPE_QUICK_INSERT (heddle_quick_insert_get_type ())
G_DECLARE_FINAL_TYPE (HeddleQuickInsert, heddle_quick_insert, HEDDLE, QUICK_INSERT, GtkPopover)

/* Returns a new popover (floating) that is shown by heddle_quick_insert_open (). */
GtkWidget *heddle_quick_insert_new (void);
/* Opens it; @text is what is searched for at first, "" for everything. */
void heddle_quick_insert_open (HeddleQuickInsert *self, HeddleEditor *editor, const char *text);
