/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* inspector-figure.c: how things are drawn */
void heddle_inspector_show_ornament (GtkWidget *box, HeddleEditor *editor, const char *id);
void heddle_inspector_add_look (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation);
void heddle_inspector_add_skip (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
void heddle_inspector_add_drawing (GtkWidget *box, HeddleEditor *editor);

G_END_DECLS
