/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

/* Makes the menu of the view: zoom, panes, and how the figure is drawn. */
GMenuModel *heddle_window_new_view_menu (void);
/* Returns the main menu, owned by the caller; the lists of examples, recent files and history in it are
 * filled by the window. */
GMenuModel *heddle_window_new_menu (HeddleWindow *self);
/* Shows what there is to undo and redo, @undo_name and @redo_name (nullable). */
void heddle_window_update_history (HeddleWindow *self, const char *undo_name, const char *redo_name);
