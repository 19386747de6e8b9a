/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Names for who cannot see what a widget is. GTK 4.8 reads one without a name by the name of its class, and the keyboard is often at a part of a
 * widget that knows nothing of the whole. */

/* Names @widget, and the part of it that has the keyboard: what is pressed in a button of a menu, the text of an entry, what a status page scrolls. */
void heddle_spoken_name_set (GtkWidget *widget, const char *name);
/* The tabs of @bar by the titles of the pages of its view, now and from now on, and what closes them. */
void heddle_spoken_name_follow_tabs (AdwTabBar *bar);

G_END_DECLS
