/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* Asks for a file of measured results and shows them in the roofline. */
void heddle_window_open_results (HeddleWindow *self);
