/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/level-half.h"
#include "app/derivation/proposal.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/edits/axis-drag.h"
#include "app/widgets/explain.h"
#include "derive/derivation/check-placement.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"

/* The sizes stay this long after the pointer left, so that it can go to one. */
#define LEAVE_MS 300

struct _HeddleLevelHalf
{
  GtkButton parent_instance;

  HeddleEditor *editor;
  char *level;
  HeddleLabelKind kind;
  HeddleSizeRow *sizes; /* not held: a sibling */
  GtkImage *image;
  guint leave_source;
  gboolean carried; /* an axis is, somewhere */
  char *tip;
};

G_DEFINE_FINAL_TYPE (HeddleLevelHalf, heddle_level_half, GTK_TYPE_BUTTON)

static void
set_class (HeddleLevelHalf *self, const char *css_class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (GTK_WIDGET (self), css_class);
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), css_class);
}

static gboolean
is_trying (HeddleLevelHalf *self)
{
  return g_object_get_data (G_OBJECT (self->editor), HEDDLE_LEVEL_TRYING) == self;
}

static void
set_trying (HeddleLevelHalf *self, gboolean trying)
{
  if (trying || is_trying (self))
    g_object_set_data (G_OBJECT (self->editor), HEDDLE_LEVEL_TRYING, trying ? self : NULL);
}

/* --- trying --- */

/* Tries a label as if the axis were held over the half; FALSE: refused, and the editor has the refusal. */
static gboolean
hover (HeddleLevelHalf *self, const char *axis, gint64 size)
{
  g_autoptr (HeddleProposal) proposal
      = heddle_proposal_new (self->editor, axis, self->level, self->kind, size);
  gboolean legal = proposal->schedule != NULL;

  g_clear_handle_id (&self->leave_source, g_source_remove);
  set_trying (self, TRUE);
  set_class (self, "refused", !legal);
  heddle_editor_set_preview_schedule (self->editor, g_steal_pointer (&proposal->schedule));
  heddle_editor_set_refusal (self->editor, g_steal_pointer (&proposal->refusal));
  return legal;
}

/* The axis that sizes are offered for here; NULL: none, or at the other half. */
static const char *
offered_axis (HeddleLevelHalf *self)
{
  const char *axis = NULL;
  HeddleLabelKind kind;

  return heddle_size_row_get_offer (self->sizes, &axis, &kind) && kind == self->kind ? axis : NULL;
}

/* Ends the trial; what another half tries meanwhile stays. */
static void
end_trial (HeddleLevelHalf *self, gboolean keep_refusal)
{
  g_clear_handle_id (&self->leave_source, g_source_remove);
  set_class (self, "hovered", FALSE);
  set_class (self, "refused", FALSE);
  if (offered_axis (self) != NULL)
    heddle_size_row_clear (self->sizes);
  if (!is_trying (self))
    return;
  set_trying (self, FALSE);
  heddle_editor_set_preview_schedule (self->editor, NULL);
  if (!keep_refusal)
    heddle_editor_set_refusal (self->editor, NULL);
}

gboolean
heddle_level_half_drop (HeddleLevelHalf *self, const char *axis, gint64 size)
{
  g_autoptr (HeddleProposal) proposal
      = heddle_proposal_new (self->editor, axis, self->level, self->kind, size);
  gboolean legal = hover (self, axis, size);
  gboolean done = legal && heddle_editor_commit_preview (self->editor, proposal->name);

  if (proposal->refusal != NULL)
    {
      heddle_derive_find_cut (heddle_editor_get_flat_diagram (self->editor),
          heddle_editor_get_schedule (self->editor), proposal->refusal);
      heddle_editor_set_refusal (self->editor, g_steal_pointer (&proposal->refusal));
    }
  end_trial (self, !legal);
  return done;
}

static gboolean
on_leave_timeout (gpointer data)
{
  HeddleLevelHalf *self = data;

  self->leave_source = 0;
  end_trial (self, FALSE);
  return G_SOURCE_REMOVE;
}

/* Ends the trial when the pointer went elsewhere, unless it comes back within a moment. */
static void
leave_soon (HeddleLevelHalf *self)
{
  if (self->leave_source == 0)
    self->leave_source = g_timeout_add (LEAVE_MS, on_leave_timeout, self);
}

/* --- the sizes offered --- */

static void
on_size_tried (HeddleLevelHalf *self, gint64 size)
{
  const char *axis = offered_axis (self);

  if (axis != NULL && hover (self, axis, size))
    heddle_size_row_mark (self->sizes, size);
}

static void
on_size_chosen (HeddleLevelHalf *self, gint64 size)
{
  const char *axis = offered_axis (self);

  if (axis != NULL)
    heddle_level_half_drop (self, axis, size);
}

static void
on_size_left (HeddleLevelHalf *self)
{
  if (offered_axis (self) != NULL)
    leave_soon (self);
}

/* --- while an axis is carried --- */

void
heddle_level_half_set_carried (HeddleLevelHalf *self, const char *axis)
{
  gboolean impossible = FALSE;
  const char *icon
      = self->kind == HEDDLE_LABEL_GROUP ? "view-grid-symbolic" : "media-playlist-repeat-symbolic";

  if (axis != NULL)
    {
      g_autoptr (HeddleProposal) proposal = heddle_proposal_new (self->editor, axis, self->level, self->kind,
          heddle_proposal_start_size (self->editor, axis, self->level, self->kind));

      impossible = proposal->refusal != NULL;
    }
  else if (is_trying (self))
    leave_soon (self); /* a drag that is cancelled does not say that it left */
  set_class (self, "impossible", impossible);
  self->carried = axis != NULL;
  gtk_image_set_from_icon_name (self->image, impossible ? "action-unavailable-symbolic" : icon);
}

/* --- the drop target --- */

static const char *
dragged_axis (GtkDropTarget *target, HeddleEditor *editor)
{
  const GValue *value = gtk_drop_target_get_value (target);
  const HeddleAxisDrag *drag = value ? g_value_get_boxed (value) : NULL;

  return drag && heddle_axis_drag_is_in (drag, heddle_editor_get_diagram (editor)) ? drag->axis : NULL;
}

/* A refused axis is taken too: the drop is where it bounces, with its reason. */
static GdkDragAction
on_motion (GtkDropTarget *target, double x, double y, HeddleLevelHalf *self)
{
  const char *axis = dragged_axis (target, self->editor);
  gint64 size;

  g_clear_handle_id (&self->leave_source, g_source_remove);
  if (axis == NULL || gtk_widget_has_css_class (GTK_WIDGET (self), "hovered"))
    return GDK_ACTION_COPY;
  set_class (self, "hovered", TRUE);
  size = heddle_proposal_start_size (self->editor, axis, self->level, self->kind);
  if (hover (self, axis, size))
    heddle_size_row_offer (self->sizes, axis, self->kind, size);
  else
    heddle_size_row_clear (self->sizes);
  return GDK_ACTION_COPY;
}

/* Takes what is carried, which is known only a while after it came, when it may be held still already. */
static void
on_value (GtkDropTarget *target, GParamSpec *pspec, HeddleLevelHalf *self)
{
  if (gtk_drop_target_get_value (target) != NULL)
    on_motion (target, 0, 0, self);
}

static void
on_leave (GtkDropTarget *target, HeddleLevelHalf *self)
{
  set_class (self, "hovered", FALSE);
  leave_soon (self);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleLevelHalf *self)
{
  const HeddleAxisDrag *drag = g_value_get_boxed (value);

  if (!heddle_axis_drag_check (drag, self->editor))
    return FALSE;
  if (drag->axis == NULL)
    {
      heddle_editor_report (
          self->editor, _ ("An axis goes here; to keep the array, drop it beside the gauge"));
      return FALSE;
    }
  return heddle_level_half_drop (
      self, drag->axis, heddle_proposal_start_size (self->editor, drag->axis, self->level, self->kind));
}

/* --- the keyboard's and the click's way --- */

static const char *
selected_axis (HeddleLevelHalf *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (self->editor);
  const char *id = heddle_editor_get_selected (self->editor);

  return id && diagram && heddle_diagram_get_axis (diagram, id) ? id : NULL;
}

static void
on_clicked (HeddleLevelHalf *self)
{
  const char *axis = selected_axis (self);

  if (axis == NULL)
    {
      heddle_editor_report (self->editor, _ ("Select an axis first, or drag its wire here"));
      return;
    }
  heddle_level_half_drop (
      self, axis, heddle_proposal_start_size (self->editor, axis, self->level, self->kind));
}

/* Not over the card of a refusal, which is what matters then. */
static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleLevelHalf *self = HEDDLE_LEVEL_HALF (widget);

  if (self->carried || heddle_editor_get_refusal (self->editor) != NULL)
    return NULL;
  return g_strdup (self->tip);
}

static void
heddle_level_half_dispose (GObject *object)
{
  HeddleLevelHalf *self = HEDDLE_LEVEL_HALF (object);

  g_clear_handle_id (&self->leave_source, g_source_remove);
  if (self->editor != NULL)
    set_trying (self, FALSE);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  g_clear_pointer (&self->tip, g_free);
  G_OBJECT_CLASS (heddle_level_half_parent_class)->dispose (object);
}

static void
heddle_level_half_class_init (HeddleLevelHalfClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_level_half_dispose;
}

static void
heddle_level_half_init (HeddleLevelHalf *self)
{
  GtkDropTarget *target = gtk_drop_target_new (HEDDLE_TYPE_AXIS_DRAG, GDK_ACTION_COPY);

  heddle_explain_set (GTK_WIDGET (self), explain, NULL, HEDDLE_PAGE_DERIVING);
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect (target, "notify::value", G_CALLBACK (on_value), self);
  g_signal_connect (target, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (target, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect (self, "clicked", G_CALLBACK (on_clicked), NULL);
}

static void
set_words (HeddleLevelHalf *self)
{
  const HeddleLink *link = heddle_proposal_find_link (self->editor, self->level);
  g_autofree char *title = link != NULL ? g_strdup (_ (link->title)) : g_ascii_strup (self->level, -1);

  self->tip
      = g_strdup_printf (link != NULL ? _ ("Pieces of an axis, one on each GPU (%s): drop an axis here")
                         : self->kind == HEDDLE_LABEL_GROUP
                             ? _ ("Tiles of an axis at %s that run in parallel: drop an axis here")
                             : _ ("Chunks of an axis at %s that run one after the other: drop an axis here"),
          title);
  set_class (self, "link", link != NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->tip, -1);
}

GtkWidget *
heddle_level_half_new (HeddleEditor *editor, const char *level, HeddleLabelKind kind, HeddleSizeRow *sizes)
{
  HeddleLevelHalf *self = g_object_new (HEDDLE_TYPE_LEVEL_HALF, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *text = kind == HEDDLE_LABEL_GROUP ? _ ("group") : _ ("stream");

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level);
  self->kind = kind;
  self->sizes = sizes;
  self->image = GTK_IMAGE (gtk_image_new ());
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->image));
  gtk_box_append (GTK_BOX (box), gtk_label_new (text));
  gtk_button_set_child (GTK_BUTTON (self), box);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-half");
  gtk_widget_add_css_class (GTK_WIDGET (self), level);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  set_words (self);
  g_signal_connect_object (sizes, "tried", G_CALLBACK (on_size_tried), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sizes, "chosen", G_CALLBACK (on_size_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sizes, "left", G_CALLBACK (on_size_left), self, G_CONNECT_SWAPPED);
  heddle_level_half_set_carried (self, NULL);
  return GTK_WIDGET (self);
}
