/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Accessible names, which screen readers speak. GTK 4.8 reads a widget without one by the name of its class, and the
 * keyboard focus is often in a part of a widget that does not know the whole. */

/* Names @widget, and the part of it that takes the keyboard focus: the toggle in a menu button, the text of an entry,
 * the scrolled area of a status page. @name is copied. */
void heddle_accessible_name_set (GtkWidget *widget, const char *name);
/* Names the tabs of @bar by the titles of their pages, and the buttons that close them; it follows pages that come
 * later. */
void heddle_accessible_name_follow_tabs (AdwTabBar *bar);

G_END_DECLS
