/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A tooltip says what a button does and which keys do the same, as the application has them for the button's action. */

/* Sets the tooltip of @button to @text and the keys of its action, and names the button by @text for who
 * cannot see it. */
void heddle_tooltip_set (GtkWidget *button, const char *text);
/* The same for all buttons below @root that have an action and a tooltip, once; and buttons that show a picture are named by their tooltips. */
void heddle_tooltip_complete (GtkWidget *root);
/* A button that shows a picture; @tip is its tooltip, and its name for who cannot see it. */
GtkWidget *heddle_icon_button_new (const char *icon, const char *tip);

/* A button at the bottom of the window that shows a text with the mark of its key, and opens something above it. */
GtkWidget *heddle_menu_button_new (const char *label, const char *tip);

G_END_DECLS
