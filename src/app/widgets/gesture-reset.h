/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on, of all widgets: whatever leaves the screen while a button of the pointer is held on it forgets the press. GTK 4.8 does not, and
 * such a widget holds itself for good, with its document. To be called once. */
void heddle_held_presses_watch (void);

G_END_DECLS
