/* SPDX-License-Identifier: MIT */

#include "app/widgets/message-dialog.h"
#include "app/widgets/scene-paintable.h"

/* px, with text of the usual size, as libadwaita has it; and of the window on either side. */
#define WIDTH 300
#define MARGIN 20

GtkWidget *
heddle_message_dialog_new (GtkWindow *parent, const char *heading, const char *body)
{
  GtkWidget *self = adw_message_dialog_new (parent, heading, body);
  const int room = gtk_widget_get_width (GTK_WIDGET (parent)) - 2 * MARGIN;

  gtk_widget_set_size_request (self, MAX (WIDTH, MIN ((int) (heddle_text_scale () * WIDTH), room)), -1);
  return self;
}
