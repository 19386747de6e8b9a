/* SPDX-License-Identifier: MIT */

#include <adwaita.h>

#include "app/widgets/popover-width.h"

void
heddle_popover_keep_width (GtkPopover *popover)
{
  g_autoptr (GtkWidget) child = NULL;
  GtkWidget *clamp = adw_clamp_new ();
  int natural;

  g_return_if_fail (GTK_IS_POPOVER (popover));
  g_return_if_fail (gtk_popover_get_child (popover) != NULL);

  child = g_object_ref (gtk_popover_get_child (popover));
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  gtk_popover_set_child (popover, clamp);
  g_object_set (clamp, "maximum-size", natural, "tightening-threshold", natural, "child", child, NULL);
}
