/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/level-half.h"
#include "app/derivation/level-keep.h"
#include "app/derivation/placement.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/edits/axis-drag.h"
#include "derive/report/step-title.h"
#include "diagram/document/schedule.h"

struct _HeddleLevelKeep
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  char *level;
  GtkWidget *words;
  const char *tried; /* the array held over it; NULL: none */
};

G_DEFINE_FINAL_TYPE (HeddleLevelKeep, heddle_level_keep, GTK_TYPE_BOX)

static const char *
dragged_value (GtkDropTarget *target, HeddleEditor *editor)
{
  const GValue *value = gtk_drop_target_get_value (target);
  const HeddleAxisDrag *drag = value != NULL ? g_value_get_boxed (value) : NULL;

  return drag != NULL && heddle_axis_drag_is_in (drag, heddle_editor_get_diagram (editor)) ? drag->value
                                                                                           : NULL;
}

/* In the place of what was appended last: the cards below must not move away under what is carried. */
static void
set_words_visible (HeddleLevelKeep *self, gboolean visible)
{
  gtk_widget_set_visible (self->words, visible);
  gtk_widget_set_visible (gtk_widget_get_prev_sibling (self->words), !visible);
}

static void
show_words (HeddleLevelKeep *self, const char *value, gboolean legal)
{
  const HeddleResidency place = { value, NULL, self->level };
  g_autofree char *text = heddle_step_title_of_place (
      heddle_editor_get_diagram (self->editor), heddle_editor_get_machine (self->editor), &place);

  gtk_label_set_text (GTK_LABEL (self->words), text);
  set_words_visible (self, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "hovered");
  if (!legal)
    gtk_widget_add_css_class (GTK_WIDGET (self), "refused");
}

static void
end_trial (HeddleLevelKeep *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self), "hovered");
  gtk_widget_remove_css_class (GTK_WIDGET (self), "refused");
  set_words_visible (self, FALSE);
  if (self->tried == NULL)
    return;
  self->tried = NULL;
  if (g_object_get_data (G_OBJECT (self->editor), HEDDLE_LEVEL_TRYING) != self)
    return; /* another part of the strip is at it already */
  g_object_set_data (G_OBJECT (self->editor), HEDDLE_LEVEL_TRYING, NULL);
  heddle_editor_set_preview_schedule (self->editor, NULL);
  heddle_editor_set_refusal (self->editor, NULL);
}

/* A refused array is taken too: the drop is where it bounces, with its reason. */
static GdkDragAction
on_motion (GtkDropTarget *target, double x, double y, HeddleLevelKeep *self)
{
  const char *value = dragged_value (target, self->editor);
  HeddleSchedule *schedule = NULL;

  if (value == NULL || self->tried == value)
    return GDK_ACTION_COPY;
  self->tried = value;
  g_object_set_data (G_OBJECT (self->editor), HEDDLE_LEVEL_TRYING, self);
  schedule = heddle_placement_try (self->editor, value, NULL, self->level);
  show_words (self, value, schedule != NULL);
  heddle_editor_set_preview_schedule (self->editor, schedule);
  return GDK_ACTION_COPY;
}

/* Takes what is carried, which is known only a while after it came. */
static void
on_value (GtkDropTarget *target, GParamSpec *pspec, HeddleLevelKeep *self)
{
  if (gtk_drop_target_get_value (target) != NULL)
    on_motion (target, 0, 0, self);
}

static void
on_leave (GtkDropTarget *target, HeddleLevelKeep *self)
{
  end_trial (self);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleLevelKeep *self)
{
  const HeddleAxisDrag *drag = g_value_get_boxed (value);
  gboolean done = FALSE;

  end_trial (self);
  if (!heddle_axis_drag_check (drag, self->editor))
    return FALSE;
  if (drag->value == NULL)
    heddle_editor_report (self->editor, _ ("To keep an array here, drag its name or one of its wires"));
  else
    done = heddle_placement_set (self->editor, drag->value, NULL, self->level);
  return done;
}

static void
heddle_level_keep_dispose (GObject *object)
{
  HeddleLevelKeep *self = HEDDLE_LEVEL_KEEP (object);

  if (self->editor != NULL)
    end_trial (self);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  G_OBJECT_CLASS (heddle_level_keep_parent_class)->dispose (object);
}

static void
heddle_level_keep_class_init (HeddleLevelKeepClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_level_keep_dispose;
}

static void
heddle_level_keep_init (HeddleLevelKeep *self)
{
  GtkDropTarget *target = gtk_drop_target_new (HEDDLE_TYPE_AXIS_DRAG, GDK_ACTION_COPY);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 3);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-keep");
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect (target, "notify::value", G_CALLBACK (on_value), self);
  g_signal_connect (target, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (target, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

void
heddle_level_keep_forget (HeddleLevelKeep *self)
{
  end_trial (self);
}

void
heddle_level_keep_append_words (HeddleLevelKeep *self)
{
  self->words = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->words), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->words, "caption-heading");
  gtk_widget_hide (self->words);
  gtk_box_append (GTK_BOX (self), self->words);
}

GtkWidget *
heddle_level_keep_new (HeddleEditor *editor, const char *level)
{
  HeddleLevelKeep *self = g_object_new (HEDDLE_TYPE_LEVEL_KEEP, NULL);

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level);
  return GTK_WIDGET (self);
}
