/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A little of Markdown as widgets: headings, paragraphs, lists, **bold**, `code` and [links](other.md). A link to another page is
 * told by "activate-link" of the labels, with its address as it stands. */

/* A box of labels. @on_link: gboolean (*) (GtkLabel *, const char *uri, gpointer data). */
GtkWidget *heddle_markdown_new (const char *text, GCallback on_link, gpointer data);
/* The text of the first heading, newly allocated; NULL: none. */
char *heddle_markdown_title (const char *text);
/* Pango markup of a line of text. Newly allocated. */
char *heddle_markdown_to_markup (const char *line);

G_END_DECLS
