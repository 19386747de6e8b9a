/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/window/window.h"

/* The desktop has dialogs for choosing a file. A window has one of them at a time, and owns it. */

/* Makes the dialog, modal and not shown yet, in the place of the one before; @accept names the button that takes the
 * file. The window owns it. */
GtkFileChooser *heddle_window_new_chooser (
    HeddleWindow *self, const char *title, GtkFileChooserAction action, const char *accept);
/* Offers files that match one of @patterns, a list that ends with NULL, under the name @name. */
void heddle_window_add_filter (GtkFileChooser *chooser, const char *name, const char *const *patterns);
