/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/window/window.h"

/* The tabs of a window: each is a page on a session, and the panes show one of them. */

G_BEGIN_DECLS

HeddlePage *heddle_window_get_page (HeddleWindow *self); /* the one shown; NULL on the start page */
/* What is being typed goes to the document, or is kept by the page. */
void heddle_window_flush (HeddleWindow *self);
/* Opens a tab on @session, with the text that is being typed for it, and shows it. */
void heddle_window_add_session (HeddleWindow *self, HeddleSession *session);
/* Another page on what the selected call calls. */
void heddle_window_open_definition_in_tab (HeddleWindow *self);
/* Shows the next tab, where there is one. */
void heddle_window_next_tab (HeddleWindow *self);
/* Shows the previous tab, where there is one. */
void heddle_window_previous_tab (HeddleWindow *self);
/* Shows the tab of a file that is open in this window. FALSE: it is not. */
gboolean heddle_window_show_file (HeddleWindow *self, GFile *file);
/* Machine files were written: they are among what can be chosen in every tab. */
void heddle_window_reload_machines (HeddleWindow *self);
/* Lets go of all pages when the window goes; it may be called more than once. */
void heddle_window_pages_dispose (HeddleWindow *self);
/* Has the window follow its tab view: which page is shown, closed or moved to another window. */
void heddle_window_pages_init (HeddleWindow *self);

G_END_DECLS
