/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* Adds the rows that say where @value is kept, and for which readers it is worked out again. */
void heddle_inspector_add_places (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
