/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include <adwaita.h>

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

/* Returns whether @widget is a button or a drop-down whose menu or popover is open now. */
gboolean heddle_menu_is_open (GtkWidget *widget);
/* From now on @button shows no tooltip of the toolkit while its menu is open: the tooltip would lie over the menu. */
void heddle_tooltip_yield_to_menu (GtkWidget *button);

/* Screen readers speak accessible names. GTK 4.8 reads a widget without one by the name of its class, and
 * the keyboard focus is often in a part of a widget that does not know the whole. */

/* Names @widget, and the part of it that takes the keyboard focus: the toggle in a menu button, the text of an entry,
 * the scrolled area of a status page. @name is copied. */
void heddle_accessible_name_set (GtkWidget *widget, const char *name);
/* Names the tabs of @bar by the titles of their pages, and the buttons that close them; it follows pages that come
 * later. */
void heddle_accessible_name_follow_tabs (AdwTabBar *bar);
