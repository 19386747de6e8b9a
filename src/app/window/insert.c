/* SPDX-License-Identifier: MIT */

#include "app/canvas/canvas.h"
#include "app/canvas/drop.h"
#include "app/panes/quick-insert.h"
#include "app/window/insert.h"
#include "app/window/private.h"

void
heddle_window_open_quick_insert_with (HeddleWindow *self, const char *text)
{
  GdkRectangle place;

  if (self->editor == NULL)
    return;
  heddle_canvas_take_insert_place (HEDDLE_CANVAS (self->canvas), &place);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->quick_insert), &place);
  heddle_quick_insert_open (HEDDLE_QUICK_INSERT (self->quick_insert), self->editor, text);
}

void
heddle_window_open_quick_insert (HeddleWindow *self)
{
  heddle_window_open_quick_insert_with (self, "");
}

void
heddle_window_insert_init (HeddleWindow *self)
{
  g_signal_connect_swapped (
      self->canvas, "insert-requested", G_CALLBACK (heddle_window_open_quick_insert), self);
}
