/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* Tabs and windows close without losing unsaved work. */

/* Closes the tab shown, or the window where there is none; unsaved work is asked about. */
void heddle_window_close_page (HeddleWindow *self);
/* Has the window ask about unsaved work when a tab, or the window itself, is to be closed. */
void heddle_window_close_init (HeddleWindow *self);
