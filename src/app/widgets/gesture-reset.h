/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* From now on, resets the gestures of every widget that is unmapped, so that it forgets a button of the pointer that
 * is held on it. GTK 4.8 does not: such a widget would hold a reference to itself, and its document, for good. Call it
 * once. */
void heddle_gesture_reset_on_unmap (void);
