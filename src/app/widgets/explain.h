/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A card explains what is under the pointer: a plain sentence, the formula with the values at hand, and that F1 opens the page of the
 * help on it. Its words are made when they are wanted: values change with each frame in which something is carried. */

/* The pages of the help on all that is derived, on what is drawn, and on what is written. */
#define HEDDLE_PAGE_DERIVING "40-deriving.md"
#define HEDDLE_PAGE_SIGNS "25-signs.md"
#define HEDDLE_PAGE_EQUATIONS "30-equations.md"

/* Returns what the card of @widget says at (@x, @y), newly allocated; NULL: nothing. */
typedef char *(*HeddleExplain) (GtkWidget *widget, double x, double y, gpointer data);

/* Has @explain say what @widget is, and @page, a file of data/help, be its page; a widget that draws cards by itself needs no more.
 * @page must be static; @data must live as long as the widget. */
void heddle_explain_register (GtkWidget *widget, HeddleExplain explain, gpointer data, const char *page);
/* Does the same, and shows the card as the widget's tooltip. */
void heddle_explain_set (GtkWidget *widget, HeddleExplain explain, gpointer data, const char *page);
/* Returns what the card of @widget says at (@x, @y), with the line on F1 at its end, newly allocated; NULL where there is none. */
char *heddle_explain_get (GtkWidget *widget, double x, double y);
/* Returns the page of the innermost widget with a card that is under the pointer, in the window @root; NULL where none is. */
const char *heddle_explain_find_page (GtkWidget *root);
