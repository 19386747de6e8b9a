/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* Makes the notices anew over the diagram: drafts left by a crash, exports under way, the state of the file,
 * the tour. */
void heddle_window_update_notices (HeddleWindow *self);
/* Takes what the file of the page shown holds now, as a step that can be undone; problems are shown in a
 * dialog. */
void heddle_window_reload (HeddleWindow *self);
/* Keeps the document shown as it is, to be written over the changed file by the next saving. */
void heddle_window_keep (HeddleWindow *self);
/* Offers what a crash left: of HeddleDraftRecord, taken. */
void heddle_window_offer_drafts (HeddleWindow *self, GPtrArray *records);
/* Opens each of the drafts that were offered in a tab of its own; one that cannot be read is told in a
 * dialog. */
void heddle_window_recover_drafts (HeddleWindow *self);
/* Asks whether the drafts that were offered are to be deleted, and deletes them where the person says so. */
void heddle_window_discard_drafts (HeddleWindow *self);
/* Makes the notices anew whenever what they tell of has changed. */
void heddle_window_notices_init (HeddleWindow *self);
