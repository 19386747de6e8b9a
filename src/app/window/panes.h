/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/derivation/pane.h"
#include "app/window/window.h"

/* Before a document's page is shown. */
void heddle_window_place_panes (HeddleWindow *self);
/* Binds whether the panes are shown to the settings, in both directions. */
void heddle_window_bind_panes (HeddleWindow *self, GSettings *settings);
/* A window that goes has no wishes any more, and hears of none. */
void heddle_window_unbind_panes (HeddleWindow *self);
/* The inspector is as wide as the size of letters asks, now and from now on. */
void heddle_window_watch_text_scale (HeddleWindow *self);
/* The drawer of the page that is shown; %NULL: there is no page. */
HeddleDerivationPane *heddle_window_get_derivation_pane (HeddleWindow *self);
/* Opens the derivation where it is folded or hidden, and folds it where it is open; there has to be a page. */
void heddle_window_toggle_derivation (HeddleWindow *self);
