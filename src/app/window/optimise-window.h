/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"
#include "files/optimise/optimise.h"

/* HeddleOptimiseWindow makes the diagram of a window faster while it is open: it shows how far that is, and
 * then the result, before and after. */
#define HEDDLE_TYPE_OPTIMISE_WINDOW (heddle_optimise_window_get_type ())
G_DECLARE_FINAL_TYPE (HeddleOptimiseWindow, heddle_optimise_window, HEDDLE, OPTIMISE_WINDOW, AdwWindow)

/* Begins at once with what @parent shows. */
GtkWidget *heddle_optimise_window_new (HeddleWindow *parent);
/* Returns the result; NULL means that it is not done, or was stopped. */
const HeddleOptimised *heddle_optimise_window_get_result (HeddleOptimiseWindow *self);
