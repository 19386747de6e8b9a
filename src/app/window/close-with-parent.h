/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Makes @dialog transient for @parent and closes it when @parent is destroyed. From then on @dialog has no pointer to
 * @parent, however long work in the background holds @dialog. GTK's property "destroy-with-parent" would keep that
 * pointer until the dialog's last reference goes. */
void heddle_window_close_with_parent (GtkWindow *dialog, GtkWindow *parent);
