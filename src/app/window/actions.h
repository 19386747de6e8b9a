/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* Adds the window's actions, and enables those that can be done whenever that changes. */
void heddle_window_actions_init (HeddleWindow *self);
