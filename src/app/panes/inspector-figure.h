/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* Fills @box with the page of the note, block or bundle @id: its text and the fields of its kind. */
void heddle_inspector_show_ornament (GtkWidget *box, HeddleEditor *editor, const char *id);
/* Adds the rows that say how @operation is drawn, with which label and colour. */
void heddle_inspector_add_look (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation);
/* Adds the switch that names @value in the place of its wire. */
void heddle_inspector_add_skip (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
/* Adds the rows of the whole figure: title, width that lines are wrapped at, definitions and columns. */
void heddle_inspector_add_drawing (GtkWidget *box, HeddleEditor *editor);
