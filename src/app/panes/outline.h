/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/* HeddleOutline shows the whole diagram as a list, for the keyboard and the screen reader: its problems,
 * its inputs, and every operation with what it does in words. Selecting a row selects the thing. It emits
 * "reveal" (const char *id) when a row is activated. */
#define HEDDLE_TYPE_OUTLINE (heddle_outline_get_type ())
G_DECLARE_FINAL_TYPE (HeddleOutline, heddle_outline, HEDDLE, OUTLINE, GtkBox)

/* Lists the diagram of @editor, which the outline holds; NULL empties the list. */
void heddle_outline_set_editor (HeddleOutline *self, HeddleEditor *editor);
