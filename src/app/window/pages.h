/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/window/window.h"

/* The tabs of a window are pages, each on a session, and the panes show one of them. */

/* Returns the page that is shown, owned by the window; NULL on the start page. */
HeddlePage *heddle_window_get_page (HeddleWindow *self);
/* Reads what is being typed into the document, or has the page keep it. */
void heddle_window_flush (HeddleWindow *self);
/* Opens a tab on @session, with the text that is being typed for it, and shows it. */
void heddle_window_add_session (HeddleWindow *self, HeddleSession *session);
/* Opens another page on what the selected call calls. */
void heddle_window_open_definition_in_tab (HeddleWindow *self);
/* Shows the next tab, where there is one. */
void heddle_window_next_tab (HeddleWindow *self);
/* Shows the previous tab, where there is one. */
void heddle_window_previous_tab (HeddleWindow *self);
/* Shows the tab of a file that is open in this window. Returns FALSE where it is not. */
gboolean heddle_window_show_file (HeddleWindow *self, GFile *file);
/* Reads the machine files again, which were written: they are among what can be chosen in every tab. */
void heddle_window_reload_machines (HeddleWindow *self);
/* Remembers that what is answered in @dialog, an object, is about the page that is shown now. Another one may come to the
 * front before the answer: a file that is opened from elsewhere, a model that has been read. */
void heddle_window_ask_about_page (HeddleWindow *self, gpointer dialog);
/* Shows the page that @dialog is about again. Returns whether it is still here. */
gboolean heddle_window_return_to_page (HeddleWindow *self, gpointer dialog);
/* Closes the tab shown, which asks about unsaved work; nothing happens where none is. */
void heddle_window_go_on_closing (HeddleWindow *self);
/* Has the window follow its tab view: which page is shown, closed or moved to another window. */
void heddle_window_pages_init (HeddleWindow *self);
