/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/window/window.h"

/* Takes away what was said last, where it stands still. */
void heddle_window_dismiss_toast (HeddleWindow *self);
/* Shows @text (plain, not markup) in the place of what was said last. */
void heddle_window_show_toast (HeddleWindow *self, const char *text);
/* Says @text of what was done last, the undo step called @step, and offers to undo it, or to do in its place one of @readings, "a(sas)":
 * what is on the button, and the words for heddle_sense_take (). */
void heddle_window_offer_readings (
    HeddleWindow *self, const char *text, const char *step, GVariant *readings);
/* Lets Escape dismiss the toast that is shown, where the key has no other use. */
void heddle_window_toasts_init (HeddleWindow *self);
/* Of a window whose content is an overlay of toasts that others show: nothing reaches them, and Escape closes the window. */
void heddle_window_guard_toasts (AdwWindow *window);
