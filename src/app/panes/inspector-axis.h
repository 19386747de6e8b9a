/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* inspector-axis.c and its like */
void heddle_inspector_show_axis (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis);

G_END_DECLS
