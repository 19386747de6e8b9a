/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Returns a new notice: a strip over the diagram that says what happened and offers what can be done, each
 * as an action of the window. */
GtkWidget *heddle_notice_new (const char *text);
/* Adds a button; @label has a mnemonic. The first one added is the one suggested. */
void heddle_notice_add (GtkWidget *notice, const char *label, const char *action);
