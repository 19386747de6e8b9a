/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

/* A window has commands for editing. */

/* Enables the editing commands that can be done with the selection at hand. */
void heddle_window_edit_update (HeddleWindow *self);
/* Adds the editing actions to the window. */
void heddle_window_edit_init (HeddleWindow *self);
/* Returns the section of the menu with the commands of editing, owned by the caller. */
GMenuModel *heddle_window_new_edit_section (void);
/* Returns the menu of what is done with derivations, owned by the caller. */
GMenuModel *heddle_window_new_derive_menu (void);
