/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* How tabs and windows close without losing unsaved work. */

G_BEGIN_DECLS

/* What is answered in @dialog is about the page that is shown now. Another one may come to the front before the answer: a file that is
 * opened from elsewhere, a model that has been read. */
void heddle_window_ask_about_page (HeddleWindow *self, gpointer dialog);
/* Shows that page again. Returns: whether it is still here */
gboolean heddle_window_return_to_page (HeddleWindow *self, gpointer dialog);
/* Closes the tab shown, which asks about unsaved work; nothing happens where none is. */
void heddle_window_go_on_closing (HeddleWindow *self);
/* The page's document is as it is to be left. */
void heddle_window_close_soon (HeddleWindow *self); /* when what goes on has ended */
void heddle_window_close_page (HeddleWindow *self); /* the one shown, or the window where there is none */
/* TRUE: there is unsaved work and the person is being asked. */
gboolean heddle_window_ask_before_closing (HeddleWindow *self);
/* Has the window ask about unsaved work when a tab is to be closed. */
void heddle_window_close_init (HeddleWindow *self);

G_END_DECLS
