/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

G_BEGIN_DECLS

void heddle_window_open_quick_insert (HeddleWindow *self);
void heddle_window_actions_update (HeddleWindow *self);
/* window-actions.c */
void heddle_window_actions_init (HeddleWindow *self);

G_END_DECLS
