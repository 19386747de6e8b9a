/* SPDX-License-Identifier: MIT */

/* A gesture holds the widget that is pressed until the button is let go, and a widget holds its gestures: where the two are one, a widget
 * that goes away before would be held by itself, as the release is told to others. */

#include "app/widgets/gesture-reset.h"

static gboolean
on_unmap (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer unused)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (g_value_get_object (&values[0]));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE (controller))
        gtk_event_controller_reset (controller);
    }
  return TRUE;
}

void
heddle_gesture_reset_on_unmap (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, on_unmap, NULL, NULL);
}
