/* SPDX-License-Identifier: MIT */

#include "app/window/close-with-parent.h"

static void
on_parent_destroyed (GtkWindow *dialog)
{
  gtk_window_set_transient_for (dialog, NULL);
  gtk_window_close (dialog);
}

void
heddle_window_close_with_parent (GtkWindow *dialog, GtkWindow *parent)
{
  g_return_if_fail (GTK_IS_WINDOW (dialog) && GTK_IS_WINDOW (parent));

  gtk_window_set_transient_for (dialog, parent);
  g_signal_connect_object (parent, "destroy", G_CALLBACK (on_parent_destroyed), dialog, G_CONNECT_SWAPPED);
}
