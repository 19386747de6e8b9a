/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

/* The commands of a window that change how the figure is drawn. */

/* Enables the actions of the figure and sets their states by the document at hand. */
void heddle_window_figure_update (HeddleWindow *self);
/* Adds the actions of the figure to the window. */
void heddle_window_figure_init (HeddleWindow *self);
/* Returns the menu of what is done with the figure, owned by the caller. */
GMenuModel *heddle_window_new_figure_menu (void);
