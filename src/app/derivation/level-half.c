/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/axis-drag.h"
#include "app/derivation/level-half.h"
#include "app/derivation/proposal.h"

struct _HeddleLevelHalf
{
  GtkButton parent_instance;

  HeddleEditor *editor;
  char *level;
  HeddleLabelKind kind;
  GtkBox *sizes;
  guint leave_source; /* the sizes stay a moment, so that the pointer can go to one */
};

G_DEFINE_FINAL_TYPE (HeddleLevelHalf, heddle_level_half, GTK_TYPE_BUTTON)

static void
remove_sizes (HeddleLevelHalf *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->sizes))) != NULL)
    gtk_box_remove (self->sizes, child);
}

static void
show_refused (HeddleLevelHalf *self, gboolean refused)
{
  if (refused)
    gtk_widget_add_css_class (GTK_WIDGET (self), "refused");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "refused");
}

/* --- trying --- */

gboolean
heddle_level_half_hover (HeddleLevelHalf *self, const char *axis, gint64 size)
{
  g_autoptr (HeddleProposal) proposal
      = heddle_proposal_new (self->editor, axis, self->level, self->kind, size);

  show_refused (self, proposal->refusal != NULL);
  if (proposal->refusal != NULL)
    {
      heddle_editor_set_preview_schedule (self->editor, NULL);
      heddle_editor_set_refusal (self->editor, g_steal_pointer (&proposal->refusal));
      return FALSE;
    }
  heddle_editor_set_refusal (self->editor, NULL);
  heddle_editor_set_preview_schedule (self->editor, g_steal_pointer (&proposal->schedule));
  return TRUE;
}

gboolean
heddle_level_half_drop (HeddleLevelHalf *self, const char *axis, gint64 size)
{
  g_autoptr (HeddleProposal) proposal
      = heddle_proposal_new (self->editor, axis, self->level, self->kind, size);
  g_autofree char *name = g_strdup (proposal->name);

  if (!heddle_level_half_hover (self, axis, size))
    return FALSE;
  return heddle_editor_commit_preview (self->editor, name);
}

void
heddle_level_half_leave (HeddleLevelHalf *self)
{
  g_clear_handle_id (&self->leave_source, g_source_remove);
  heddle_editor_set_preview_schedule (self->editor, NULL);
  show_refused (self, FALSE);
  remove_sizes (self);
}

/* --- sizes offered while an axis is held --- */

static gint64
size_of_button (GtkWidget *button)
{
  return GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (button), "size"));
}

static void
mark_size (HeddleLevelHalf *self, gint64 size)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->sizes)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (size_of_button (child) == size)
      gtk_widget_add_css_class (child, "suggested-action");
    else
      gtk_widget_remove_css_class (child, "suggested-action");
}

static GdkDragAction
on_size_enter (GtkDropTarget *target, double x, double y, HeddleLevelHalf *self)
{
  GtkWidget *button = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  const char *axis = g_object_get_data (G_OBJECT (self->sizes), "axis");

  g_clear_handle_id (&self->leave_source, g_source_remove);
  if (axis == NULL || !heddle_level_half_hover (self, axis, size_of_button (button)))
    return 0;
  mark_size (self, size_of_button (button));
  return GDK_ACTION_COPY;
}

static void schedule_leave (HeddleLevelHalf *self);

static void
on_size_leave (GtkDropTarget *target, HeddleLevelHalf *self)
{
  schedule_leave (self);
}

static gboolean
on_size_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleLevelHalf *self)
{
  GtkWidget *button = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  const HeddleAxisDrag *drag = g_value_get_boxed (value);
  gboolean done = heddle_level_half_drop (self, drag->axis, size_of_button (button));

  heddle_level_half_leave (self);
  return done;
}

static void
on_size_clicked (GtkButton *button, HeddleLevelHalf *self)
{
  const char *axis = g_object_get_data (G_OBJECT (self->sizes), "axis");

  if (axis != NULL)
    heddle_level_half_drop (self, axis, size_of_button (GTK_WIDGET (button)));
  heddle_level_half_leave (self);
}

static GtkWidget *
new_size_button (HeddleLevelHalf *self, const char *axis, gint64 size)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, size);
  GtkWidget *button = gtk_button_new_with_label (text);
  GtkDropTarget *target = gtk_drop_target_new (HEDDLE_TYPE_AXIS_DRAG, GDK_ACTION_COPY);

  g_object_set_data (G_OBJECT (button), "size", GSIZE_TO_POINTER (size));
  gtk_widget_add_css_class (button, "level-size");
  if (!heddle_proposal_fits (self->editor, axis, self->level, self->kind, size))
    gtk_widget_add_css_class (button, "does-not-fit");
  g_signal_connect (button, "clicked", G_CALLBACK (on_size_clicked), self);
  g_signal_connect (target, "enter", G_CALLBACK (on_size_enter), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_size_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_size_drop), self);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (target));
  return button;
}

static void
offer_sizes (HeddleLevelHalf *self, const char *axis, gint64 chosen)
{
  gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES];
  guint n = heddle_proposal_sizes (self->editor, axis, sizes);

  remove_sizes (self);
  g_object_set_data (G_OBJECT (self->sizes), "axis", (gpointer) axis);
  for (guint i = 0; i < n; i++)
    gtk_box_append (self->sizes, new_size_button (self, axis, sizes[i]));
  mark_size (self, chosen);
}

/* --- the drop target --- */

static gboolean
on_leave_timeout (gpointer data)
{
  HeddleLevelHalf *self = data;

  self->leave_source = 0;
  heddle_level_half_leave (self);
  return G_SOURCE_REMOVE;
}

static void
schedule_leave (HeddleLevelHalf *self)
{
  if (self->leave_source == 0)
    self->leave_source = g_timeout_add (300, on_leave_timeout, self);
}

static const char *
dragged_axis (GtkDropTarget *target)
{
  const GValue *value = gtk_drop_target_get_value (target);
  const HeddleAxisDrag *drag = value ? g_value_get_boxed (value) : NULL;

  return drag ? drag->axis : NULL;
}

static GdkDragAction
on_motion (GtkDropTarget *target, double x, double y, HeddleLevelHalf *self)
{
  const char *axis = dragged_axis (target);
  gint64 size;

  g_clear_handle_id (&self->leave_source, g_source_remove);
  if (axis == NULL)
    return GDK_ACTION_COPY;
  if (gtk_widget_has_css_class (GTK_WIDGET (self), "hovered"))
    return gtk_widget_has_css_class (GTK_WIDGET (self), "refused") ? 0 : GDK_ACTION_COPY;
  gtk_widget_add_css_class (GTK_WIDGET (self), "hovered");
  size = heddle_proposal_start_size (self->editor, axis, self->level, self->kind);
  if (!heddle_level_half_hover (self, axis, size))
    return 0;
  offer_sizes (self, axis, size);
  return GDK_ACTION_COPY;
}

static void
on_leave (GtkDropTarget *target, HeddleLevelHalf *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self), "hovered");
  show_refused (self, FALSE);
  schedule_leave (self);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleLevelHalf *self)
{
  const HeddleAxisDrag *drag = g_value_get_boxed (value);
  gboolean done = heddle_level_half_drop (
      self, drag->axis, heddle_proposal_start_size (self->editor, drag->axis, self->level, self->kind));

  gtk_widget_remove_css_class (GTK_WIDGET (self), "hovered");
  heddle_level_half_leave (self);
  return done;
}

/* The axis a click means: the selected one. */
static const char *
selected_axis (HeddleLevelHalf *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const char *id = heddle_editor_get_selected (self->editor);

  return id && diagram && heddle_diagram_get_axis (diagram, id) ? id : NULL;
}

static void
on_clicked (HeddleLevelHalf *self)
{
  const char *axis = selected_axis (self);

  if (axis == NULL)
    {
      heddle_editor_tell (self->editor, _ ("Select an axis first, or drag its wire here"));
      return;
    }
  heddle_level_half_drop (
      self, axis, heddle_proposal_start_size (self->editor, axis, self->level, self->kind));
}

static void
heddle_level_half_dispose (GObject *object)
{
  HeddleLevelHalf *self = HEDDLE_LEVEL_HALF (object);

  g_clear_handle_id (&self->leave_source, g_source_remove);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
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

  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect (target, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect (self, "clicked", G_CALLBACK (on_clicked), NULL);
}

GtkWidget *
heddle_level_half_new (HeddleEditor *editor, const char *level, HeddleLabelKind kind, GtkBox *sizes)
{
  HeddleLevelHalf *self = g_object_new (HEDDLE_TYPE_LEVEL_HALF, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *text = kind == HEDDLE_LABEL_GROUP ? _ ("group") : _ ("stream");
  g_autofree char *title = g_ascii_strup (level, -1);
  g_autofree char *tip
      = g_strdup_printf (kind == HEDDLE_LABEL_GROUP
                             ? _ ("Tiles of an axis at %s that run in parallel: drop an axis here")
                             : _ ("Chunks of an axis at %s that run one after the other: drop an axis here"),
          title);

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level);
  self->kind = kind;
  self->sizes = sizes;
  gtk_box_append (GTK_BOX (box),
      gtk_image_new_from_icon_name (
          kind == HEDDLE_LABEL_GROUP ? "view-grid-symbolic" : "media-playlist-repeat-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (text));
  gtk_button_set_child (GTK_BUTTON (self), box);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-half");
  gtk_widget_add_css_class (GTK_WIDGET (self), level);
  return GTK_WIDGET (self);
}
