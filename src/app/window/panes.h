/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* Before a document's page is shown. */
void heddle_window_place_panes (HeddleWindow *self);
/* Whether the panes are wanted follows the settings, and they it. */
void heddle_window_bind_panes (HeddleWindow *self, GSettings *settings);
/* The inspector is as wide as the size of letters asks, now and from now on. */
void heddle_window_watch_text_scale (HeddleWindow *self);

G_END_DECLS
