/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* window-guide.c */
void heddle_window_show_help (HeddleWindow *self);
void heddle_window_show_preferences (HeddleWindow *self);
void heddle_window_leave_tour (HeddleWindow *self);
void heddle_window_skip_tour_step (HeddleWindow *self);
void heddle_window_start_tour (HeddleWindow *self);
void heddle_window_update_hint (HeddleWindow *self);
void heddle_window_guide_init (HeddleWindow *self);
void heddle_window_update_empty_state (HeddleWindow *self);

G_END_DECLS
