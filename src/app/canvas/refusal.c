/* SPDX-License-Identifier: MIT */

/* Why a label cannot be, hanging from what it is about: beside no chart that follows the label, and over no operation it speaks of. */

#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/canvas/refusal.h"
#include "app/derivation/refusal-card.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "derive/legality/refusal.h"
#include "diagram/graph/diagram.h"

/* Gives what the remedy would fuse, and what forbids the label; FALSE means that nothing of it is drawn. */
static gboolean
find_place (HeddleCanvas *self, const HeddleRefusal *refusal, GdkRectangle *place)
{
  g_autoptr (GArray) ids = heddle_ids_new ();
  const char *id = heddle_editor_get_shown_operation (self->editor, refusal->operation);

  if (id != NULL)
    heddle_ids_append (ids, id);
  for (guint i = 0; refusal->remedy_operations != NULL && i < refusal->remedy_operations->len; i++)
    {
      id = heddle_editor_get_shown_operation (self->editor, heddle_ids_index (refusal->remedy_operations, i));
      if (id != NULL)
        heddle_ids_append (ids, id);
    }
  if (ids->len == 0 && refusal->value != NULL)
    heddle_ids_append (ids, refusal->value);
  if (ids->len == 0 && refusal->axis != NULL
      && heddle_diagram_get_axis (heddle_editor_get_diagram (self->editor), refusal->axis) != NULL)
    heddle_ids_append (ids, refusal->axis);
  return heddle_canvas_get_object_rectangle (self, ids, place);
}

static void
forget_card (HeddleCanvas *self)
{
  if (self->refusal != NULL)
    gtk_widget_unparent (self->refusal);
  self->refusal = self->refusal_card = NULL;
}

/* Shows the editor's refusal beside the place that it is about, or takes the card away where there is none. */
static void
update (HeddleCanvas *self)
{
  const HeddleRefusal *refusal = self->editor != NULL ? heddle_editor_get_refusal (self->editor) : NULL;
  const int width = gtk_widget_get_width (GTK_WIDGET (self)),
            height = gtk_widget_get_height (GTK_WIDGET (self));
  GdkRectangle place = { width / 2, height / 2, 1, 1 }, seen = { 0, 0, width, height };

  if (self->refusal == NULL)
    return;
  if (refusal == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      gtk_popover_popdown (GTK_POPOVER (self->refusal));
      return;
    }
  heddle_refusal_card_update (HEDDLE_REFUSAL_CARD (self->refusal_card));
  if (find_place (self, refusal, &place))
    {
      place = (GdkRectangle){ place.x - 12, place.y - 12, place.width + 24, place.height + 24 };
      if (!gdk_rectangle_intersect (&place, &seen, &place))
        place = (GdkRectangle){ width / 2, height / 2, 1, 1 };
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->refusal), &place);
  gtk_popover_popup (GTK_POPOVER (self->refusal));
}

/* Makes the card that explains the refusals of the present editor, in the place of the one before. */
static void
on_editor_changed (HeddleCanvas *self)
{
  forget_card (self);
  if (self->editor == NULL)
    return;
  self->refusal = gtk_popover_new ();
  self->refusal_card = heddle_refusal_card_new (self->editor);
  gtk_widget_add_css_class (self->refusal, "refusal");
  gtk_popover_set_autohide (GTK_POPOVER (self->refusal), FALSE); /* an axis may still be carried */
  gtk_popover_set_position (GTK_POPOVER (self->refusal), GTK_POS_BOTTOM);
  gtk_popover_set_child (GTK_POPOVER (self->refusal), self->refusal_card);
  gtk_widget_set_parent (self->refusal, GTK_WIDGET (self));
  g_signal_connect_object (self->editor, "preview-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

void
heddle_canvas_refusal_init (HeddleCanvas *self)
{
  g_signal_connect (self, "editor-changed", G_CALLBACK (on_editor_changed), NULL);
}
