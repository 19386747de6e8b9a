/* SPDX-License-Identifier: MIT */

#include "app/widgets/lost-focus.h"

static void
activate_focus (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus == NULL || gtk_widget_get_root (focus) == GTK_ROOT (window))
    GTK_WINDOW_CLASS (g_type_class_peek (GTK_TYPE_WINDOW))->activate_focus (window);
}

void
heddle_lost_focus_guard (GtkWindowClass *class)
{
  g_return_if_fail (GTK_IS_WINDOW_CLASS (class));

  class->activate_focus = activate_focus;
}
