/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/* HeddleInspector shows all that is known of what is selected, and changes most of it; it shows the diagram
 * when nothing is. */
#define HEDDLE_TYPE_INSPECTOR (heddle_inspector_get_type ())
G_DECLARE_FINAL_TYPE (HeddleInspector, heddle_inspector, HEDDLE, INSPECTOR, GtkBox)

/* Shows what is selected in @editor, which the inspector holds; NULL: it follows none. */
void heddle_inspector_set_editor (HeddleInspector *self, HeddleEditor *editor);
