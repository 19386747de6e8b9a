/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* window-menu.c */
GMenuModel *heddle_window_new_menu (HeddleWindow *self);
/* @undo_name, @redo_name: (nullable): what there is to undo and redo */
void heddle_window_update_history (HeddleWindow *self, const char *undo_name, const char *redo_name);

G_END_DECLS
