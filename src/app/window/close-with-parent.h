/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @dialog, transient for @parent, is closed with it, and knows nothing of it from then on, however long work in the background still holds
 * @dialog: "destroy-with-parent" alone leaves GTK a pointer to the parent until the last reference goes. */
void heddle_window_go_with (GtkWindow *dialog, GtkWindow *parent);

G_END_DECLS
