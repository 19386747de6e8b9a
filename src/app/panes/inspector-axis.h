/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* Fills @box with the page of an axis: its name, its size, and what has it. */
void heddle_inspector_show_axis (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis);
