/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* Opens the quick insert with an empty search. */
void heddle_window_open_quick_insert (HeddleWindow *self);
/* Enables the actions that can be done with the document and the selection at hand, and renews the names of
 * undo and redo. */
void heddle_window_actions_update (HeddleWindow *self);
/* Adds the window's actions. */
void heddle_window_actions_init (HeddleWindow *self);

G_END_DECLS
