/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* A link for each value (of HeddleValue), with where it comes from. */
void heddle_inspector_add_values (GtkWidget *group, HeddleEditor *editor, GPtrArray *values);
/* Fills @box with the page of an array: type, axes, what makes and reads it, and where it is kept. */
void heddle_inspector_show_value (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
/* Fills @box with the page of an operation: what it does, its function or call, axes and operands. */
void heddle_inspector_show_operation (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation);
/* All that the page says comes of: two that are equal say the same. NULL: there is no diagram. */
char *heddle_inspector_dup_diagram_key (HeddleEditor *editor);
/* Shows the page of the diagram; @whole means with all of its lines, where else those of a long page follow
 * from frame to frame. */
void heddle_inspector_show_diagram (
    GtkWidget *box, HeddleEditor *editor, const HeddleDiagram *diagram, gboolean whole);
