/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"

/* Above the canvas, while a definition is shown: the diagrams through which it was opened, each a way back. */
void heddle_window_breadcrumbs_init (HeddleWindow *self);
