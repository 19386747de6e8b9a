/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

G_BEGIN_DECLS

void heddle_window_edit_update (HeddleWindow *self);
/* window-edit.c */
void heddle_window_edit_init (HeddleWindow *self);
GMenuModel *heddle_window_new_edit_section (void);
GMenuModel *heddle_window_new_derive_menu (void);

G_END_DECLS
