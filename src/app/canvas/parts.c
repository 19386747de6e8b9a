/* SPDX-License-Identifier: MIT */

#include "app/canvas/access.h"
#include "app/canvas/drag.h"
#include "app/canvas/drop.h"
#include "app/canvas/edit.h"
#include "app/canvas/hover-card.h"
#include "app/canvas/keys.h"
#include "app/canvas/menu.h"
#include "app/canvas/move.h"
#include "app/canvas/overlay.h"
#include "app/canvas/parts.h"
#include "app/canvas/pointer.h"
#include "app/canvas/refusal.h"
#include "app/canvas/render.h"
#include "app/canvas/scene.h"
#include "app/canvas/sheet.h"
#include "app/canvas/tidy.h"
#include "app/canvas/view.h"

/* The order is that in which they get and let go of things, and in which they draw: what is drawn last lies on top. */
void
heddle_canvas_add_parts (HeddleCanvas *self)
{
  heddle_canvas_scene_init (self);
  heddle_canvas_sheet_init (self);
  heddle_canvas_move_init (self);
  heddle_canvas_view_init (self);
  heddle_canvas_pointer_init (self);
  heddle_canvas_tidy_init (self);
  heddle_canvas_drag_init (self);
  heddle_canvas_drop_init (self);
  heddle_canvas_render_init (self);
  heddle_canvas_overlay_init (self);
  heddle_canvas_edit_init (self);
  heddle_canvas_access_init (self);
  heddle_canvas_hover_card_init (self);
  heddle_canvas_refusal_init (self);
  heddle_canvas_keys_init (self);
  heddle_canvas_menu_init (self);
}
