/* SPDX-License-Identifier: MIT */

#include "app/window/actions.h"
#include "app/window/breadcrumbs.h"
#include "app/window/close.h"
#include "app/window/guide.h"
#include "app/window/insert.h"
#include "app/window/notices.h"
#include "app/window/open.h"
#include "app/window/pages.h"
#include "app/window/parts.h"
#include "app/window/toasts.h"
#include "app/window/window.h"

GtkWidget *
heddle_window_new (GtkApplication *application)
{
  HeddleWindow *self = g_object_new (HEDDLE_TYPE_WINDOW, NULL);

  heddle_window_set_maker (self, heddle_window_new);
  heddle_window_toasts_init (self);
  heddle_window_notices_init (self);
  heddle_window_pages_init (self);
  heddle_window_close_init (self);
  heddle_window_actions_init (self);
  heddle_window_breadcrumbs_init (self);
  heddle_window_guide_init (self);
  heddle_window_insert_init (self);
  heddle_window_open_init (self);
  heddle_window_begin (self);
  gtk_window_set_application (GTK_WINDOW (self), application);
  return GTK_WIDGET (self);
}
