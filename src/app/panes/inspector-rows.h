/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "app/panes/inspector-private.h"

/* A name of the diagram as it is typeset. */
GtkWidget *heddle_inspector_new_symbol (const char *symbol, double size);
/* Adds the large symbol, the title and a line below it. */
void heddle_inspector_add_heading (
    GtkWidget *box, const char *symbol, const char *title, const char *subtitle);
/* Adds a titled list to @box and returns the list, owned by @box. */
GtkWidget *heddle_inspector_add_group (GtkWidget *box, const char *title);
/* Adds a line with a text at its end. */
GtkWidget *heddle_inspector_add_fact (GtkWidget *group, const char *title, const char *fact);
/* Adds a line that is edited in place: on Enter or its button, @apply is called with @editor, @id and the
 * text. NULL for @text leaves it empty. */
void heddle_inspector_add_entry (GtkWidget *group, HeddleEditor *editor, const char *title, const char *text,
    const char *id, HeddleInspectorApply apply);
/* Adds a line that leads to another object. */
void heddle_inspector_add_link (
    GtkWidget *group, HeddleEditor *editor, const char *id, const char *symbol, const char *text);
/* Adds the problems of @id (NULL: all), each a line; it adds nothing where there are none. */
void heddle_inspector_add_problems (GtkWidget *box, HeddleEditor *editor, const char *id);
