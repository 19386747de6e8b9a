/* SPDX-License-Identifier: MIT */

/* Moving what is selected: while it moves the document stays as it is, so that giving up is nothing to undo, and a small diagram is laid
 * out at each frame with it moved. Of a large one what moves is drawn in its new place, and its wires follow when it is let go. */

#include "app/canvas/move.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/snap.h"
#include "app/editor/editor.h"
#include "app/edits/move.h"
#include "diagram/document/presentation.h"

/* So many operations are laid out within a fraction of a frame. */
#define FEW_OPERATIONS 300

static void
forget (HeddleCanvas *self)
{
  g_clear_pointer (&self->moved, g_hash_table_unref);
  g_clear_pointer (&self->live, heddle_presentation_free);
  heddle_canvas_snap_end (self);
  self->moved_x = self->moved_y = 0;
  self->landed = FALSE;
}

gboolean
heddle_canvas_is_moving (HeddleCanvas *self)
{
  return self->moved != NULL && !self->landed;
}

void
heddle_canvas_move_begin (HeddleCanvas *self)
{
  g_autoptr (GArray) ids = heddle_edits_list_moved (self->editor);

  forget (self);
  self->moved = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_add (self->moved, (gpointer) heddle_ids_index (ids, i));
  heddle_canvas_snap_begin (self);
}

gboolean
heddle_canvas_is_quick (HeddleCanvas *self)
{
  return heddle_editor_get_diagram (self->editor)->operations->len <= FEW_OPERATIONS;
}

static void
show (HeddleCanvas *self)
{
  if (heddle_canvas_is_quick (self))
    {
      g_clear_pointer (&self->live, heddle_presentation_free);
      self->live = heddle_edits_dup_moved_presentation (self->editor, self->moved_x, self->moved_y);
      heddle_canvas_invalidate (self);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* px of the scene from where it was; near to where others stand it goes there, unless @freely. It does not go onto those above and below
 * it. */
void
heddle_canvas_move_to (HeddleCanvas *self, double dx, double dy, gboolean freely)
{
  g_return_if_fail (self->moved != NULL);

  heddle_canvas_snap (self, &dx, &dy, freely);
  if (!heddle_canvas_has_room (self, dy))
    dy = self->moved_y;
  if (dx == self->moved_x && dy == self->moved_y)
    return;
  self->moved_x = dx;
  self->moved_y = dy;
  show (self);
}

void
heddle_canvas_move_end (HeddleCanvas *self)
{
  const double dx = self->moved_x, dy = self->moved_y;
  g_autoptr (GHashTable) moved = g_hash_table_ref (self->moved);

  forget (self);
  if (dx == 0 && dy == 0)
    return;
  heddle_edits_nudge_selection (self->editor, dx, dy, NULL);
  if (!heddle_canvas_is_composing (self))
    return;
  self->moved = g_steal_pointer (&moved);
  self->moved_x = dx;
  self->moved_y = dy;
  self->landed = TRUE;
}

void
heddle_canvas_move_cancel (HeddleCanvas *self)
{
  const gboolean was_laid_out = self->live != NULL;

  forget (self);
  if (was_laid_out)
    heddle_canvas_invalidate (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
heddle_canvas_is_carried (HeddleCanvas *self, const HeddleItem *item)
{
  return self->moved != NULL && self->live == NULL && item->object != NULL
         && g_hash_table_contains (self->moved, item->object);
}

/* The new scene has what was let go of in its place. */
static void
on_scene_taken (HeddleCanvas *self)
{
  if (self->landed)
    heddle_canvas_move_cancel (self);
}

void
heddle_canvas_move_init (HeddleCanvas *self)
{
  g_signal_connect (self, "scene-taken", G_CALLBACK (on_scene_taken), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (heddle_canvas_move_cancel), NULL);
}
