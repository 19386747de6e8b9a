/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

G_BEGIN_DECLS

void heddle_window_figure_update (HeddleWindow *self);
/* window-figure.c */
void heddle_window_figure_init (HeddleWindow *self);
GMenuModel *heddle_window_new_figure_menu (void);

G_END_DECLS
