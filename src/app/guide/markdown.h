/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A little of Markdown becomes widgets: headings, paragraphs, lists, **bold**, `code` and
 * [links](other.md). "activate-link" of the labels reports a link to another page, with its address as it
 * stands. */

/* Returns a box of labels. @on_link is gboolean (*) (GtkLabel *, const char *uri, gpointer data). */
GtkWidget *heddle_markdown_new (const char *text, GCallback on_link, gpointer data);
/* Returns the text of the first heading, newly allocated, or NULL. */
char *heddle_markdown_title (const char *text);
/* Returns the Pango markup of a line of text, newly allocated. */
char *heddle_markdown_to_markup (const char *line);
