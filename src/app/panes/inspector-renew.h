/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Puts the words of the page @new into @old where both are made alike. Returns FALSE where they are not;
 * @old is to be replaced then. */
gboolean heddle_inspector_take_words (GtkWidget *old, GtkWidget *new);
/* The way down a page to what has the focus, as numbers of children (guint); NULL: nothing has it. And down another page. */
GArray *heddle_inspector_find_focus (GtkWidget *page);
/* Gives the focus to what stands at the end of @way below @page, or to the nearest line around it that takes
 * the focus. */
void heddle_inspector_give_focus (GtkWidget *page, const GArray *way);
