/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* window-notices.c */
void heddle_window_update_notices (HeddleWindow *self);
void heddle_window_reload (HeddleWindow *self);
void heddle_window_keep (HeddleWindow *self);
/* Offers what a crash left: of HeddleDraftRecord, taken. */
void heddle_window_offer_drafts (HeddleWindow *self, GPtrArray *records);
void heddle_window_recover_drafts (HeddleWindow *self);
void heddle_window_discard_drafts (HeddleWindow *self);

G_END_DECLS
