/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* Help, preferences, the tour and the hints on an empty canvas help a person to begin. */

/* Shows the pages of help in a window of their own: the page of what is under the pointer, where its card has one. */
void heddle_window_show_help (HeddleWindow *self);
/* Shows the preferences in a window of their own. */
void heddle_window_show_preferences (HeddleWindow *self);
/* Ends the tour and takes its notice away; nothing happens where none is under way. */
void heddle_window_leave_tour (HeddleWindow *self);
/* Goes on to the next step of the tour, where one is under way. */
void heddle_window_skip_tour_step (HeddleWindow *self);
/* Opens the attention example and begins the tour on it, ending one that is under way. */
void heddle_window_start_tour (HeddleWindow *self);
/* Adds the controller that opens the quick insert where "/" is typed into the empty equations of an empty
 * diagram. */
void heddle_window_guide_init (HeddleWindow *self);
/* Shows what can be done on an empty canvas where the diagram has neither arrays nor operations. */
void heddle_window_update_empty_state (HeddleWindow *self);
