/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/panes/inspector.h"

G_BEGIN_DECLS

/* What the pages of the inspector are made of; each appends to @box. */

/* The large symbol, the title and a line below it. */
void heddle_inspector_add_heading (
    GtkWidget *box, const char *symbol, const char *title, const char *subtitle);
GtkWidget *heddle_inspector_add_group (GtkWidget *box, const char *title);
/* A line with a text at its end. */
GtkWidget *heddle_inspector_add_fact (GtkWidget *group, const char *title, const char *fact);
/* A line that is edited in place and applied by Enter. */
typedef gboolean (*HeddleInspectorApply) (
    HeddleEditor *editor, const char *id, const char *text, GError **error);
void heddle_inspector_add_entry (GtkWidget *group, HeddleEditor *editor, const char *title, const char *text,
    const char *id, HeddleInspectorApply apply);
/* A line that leads to another object. */
void heddle_inspector_add_link (
    GtkWidget *group, HeddleEditor *editor, const char *id, const char *symbol, const char *text);
/* A link for each value (of HeddleValue), with where it comes from. */
void heddle_inspector_add_values (GtkWidget *group, HeddleEditor *editor, GPtrArray *values);
/* A name of the diagram as it is typeset. */
GtkWidget *heddle_inspector_new_symbol (const char *symbol, double size);
/* The problems of @id (NULL: all), each a line; nothing where there are none. */
void heddle_inspector_add_problems (GtkWidget *box, HeddleEditor *editor, const char *id);

/* inspector-renew.c: puts the words of a page into one that is made alike; FALSE: it is not. */
gboolean heddle_inspector_take_words (GtkWidget *old, GtkWidget *new);
/* The way down a page to what has the focus, as numbers of children (guint); NULL: nothing has it. And down another page. */
GArray *heddle_inspector_find_focus (GtkWidget *page);
void heddle_inspector_give_focus (GtkWidget *page, const GArray *way);

/* inspector-axis.c and its like */
void heddle_inspector_show_axis (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis);
void heddle_inspector_show_value (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
void heddle_inspector_show_operation (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation);
/* What is called, how often and with which parameters. */
void heddle_inspector_add_call (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *call);
/* @whole: with all of its lines, where else those of a long page follow from frame to frame */
void heddle_inspector_show_diagram (
    GtkWidget *box, HeddleEditor *editor, const HeddleDiagram *diagram, gboolean whole);
/* All that the page says comes of: two that are equal say the same. NULL: there is no diagram. */
char *heddle_inspector_dup_diagram_key (HeddleEditor *editor);
/* inspector-place.c: where it is kept, and for whom it is worked out again */
void heddle_inspector_add_places (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
/* inspector-figure.c: how things are drawn */
void heddle_inspector_show_ornament (GtkWidget *box, HeddleEditor *editor, const char *id);
void heddle_inspector_add_look (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation);
void heddle_inspector_add_skip (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value);
void heddle_inspector_add_drawing (GtkWidget *box, HeddleEditor *editor);

G_END_DECLS
