/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* The quick insert over the canvas, where what is added belongs. */

/* Opens the quick insert with @text in its search; nothing happens on the start page. */
void heddle_window_open_quick_insert_with (HeddleWindow *self, const char *text);
/* Opens the quick insert with an empty search. */
void heddle_window_open_quick_insert (HeddleWindow *self);
/* Opens the quick insert whenever the canvas asks for it. */
void heddle_window_insert_init (HeddleWindow *self);
