/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/derivation/proposal.h"
#include "app/derivation/size-row.h"
#include "app/editor/flat.h"
#include "app/edits/axis-drag.h"
#include "app/widgets/scene-paintable.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"

struct _HeddleSizeRow
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  char *level;
  const char *axis; /* NULL: nothing is offered */
  HeddleLabelKind kind;
  GtkPicture *symbol;
  GtkBox *buttons;
  GtkLabel *count;
  guint fit_source; /* sizes are tried one by one between frames */
  GtkWidget *next; /* the button to try */
};

G_DEFINE_FINAL_TYPE (HeddleSizeRow, heddle_size_row, GTK_TYPE_BOX)

enum
{
  TRIED,
  CHOSEN,
  LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static gint64
size_of (GtkWidget *button)
{
  return GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (button), "size"));
}

/* --- the targets --- */

static GdkDragAction
on_enter (GtkDropTarget *target, double x, double y, HeddleSizeRow *self)
{
  g_signal_emit (
      self, signals[TRIED], 0, size_of (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target))));
  return GDK_ACTION_COPY;
}

static void
on_leave (GtkDropTarget *target, HeddleSizeRow *self)
{
  g_signal_emit (self, signals[LEFT], 0);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleSizeRow *self)
{
  g_signal_emit (
      self, signals[CHOSEN], 0, size_of (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target))));
  return TRUE;
}

static void
on_clicked (GtkWidget *button, HeddleSizeRow *self)
{
  g_signal_emit (self, signals[CHOSEN], 0, size_of (button));
}

static void
add_button (HeddleSizeRow *self, gint64 size)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, size);
  GtkWidget *button = gtk_button_new_with_label (text);
  GtkDropTarget *target = gtk_drop_target_new (HEDDLE_TYPE_AXIS_DRAG, GDK_ACTION_COPY);

  g_object_set_data (G_OBJECT (button), "size", GSIZE_TO_POINTER (size));
  gtk_widget_add_css_class (button, "level-size");
  g_signal_connect (button, "clicked", G_CALLBACK (on_clicked), self);
  g_signal_connect (target, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (target));
  gtk_box_append (self->buttons, button);
}

/* --- what fits --- */

static gboolean
try_next (gpointer data)
{
  HeddleSizeRow *self = data;

  if (self->next != NULL
      && !heddle_proposal_fits (self->editor, self->axis, self->level, self->kind, size_of (self->next)))
    {
      gtk_widget_add_css_class (self->next, "does-not-fit");
      gtk_widget_set_tooltip_text (self->next, _ ("Does not fit"));
    }
  if (self->next != NULL)
    self->next = gtk_widget_get_next_sibling (self->next);
  if (self->next != NULL)
    return G_SOURCE_CONTINUE;
  self->fit_source = 0;
  return G_SOURCE_REMOVE;
}

/* --- offering --- */

static void
show_symbol (HeddleSizeRow *self)
{
  const HeddleAxis *axis
      = heddle_diagram_get_axis (heddle_editor_get_flat_diagram (self->editor), self->axis);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *source
      = g_strdup_printf ("%s_{%s}", self->kind == HEDDLE_LABEL_GROUP ? "g" : "s", axis ? axis->name : "");
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (source, 16, dark);

  gtk_picture_set_paintable (self->symbol, paintable);
}

static void
show_count (HeddleSizeRow *self, gint64 chosen)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (self->editor);
  gint64 size = sizes != NULL ? heddle_sizes_get (sizes, self->axis) : 0;
  guint n = chosen > 0 ? (size + chosen - 1) / chosen : 0;
  g_autofree char *text = self->kind == HEDDLE_LABEL_GROUP
                              ? g_strdup_printf (ngettext ("%u group", "%u groups", n), n)
                              : g_strdup_printf (ngettext ("%u step", "%u steps", n), n);

  gtk_label_set_text (self->count, size > 0 ? text : "");
}

void
heddle_size_row_mark (HeddleSizeRow *self, gint64 chosen)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->buttons)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (size_of (child) == chosen)
      gtk_widget_add_css_class (child, "chosen");
    else
      gtk_widget_remove_css_class (child, "chosen");
  show_count (self, chosen);
}

static void
remove_buttons (HeddleSizeRow *self)
{
  GtkWidget *child;

  g_clear_handle_id (&self->fit_source, g_source_remove);
  self->next = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->buttons))) != NULL)
    gtk_box_remove (self->buttons, child);
}

void
heddle_size_row_offer (HeddleSizeRow *self, const char *axis, HeddleLabelKind kind, gint64 chosen)
{
  gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES];
  guint n = heddle_proposal_sizes (self->editor, axis, self->level, sizes);

  if (self->axis != axis || self->kind != kind)
    {
      remove_buttons (self);
      self->axis = axis;
      self->kind = kind;
      for (guint i = 0; i < n; i++)
        add_button (self, sizes[i]);
      self->next = gtk_widget_get_first_child (GTK_WIDGET (self->buttons));
      self->fit_source = g_idle_add (try_next, self);
      show_symbol (self);
    }
  heddle_size_row_mark (self, chosen);
  gtk_widget_show (GTK_WIDGET (self));
}

void
heddle_size_row_clear (HeddleSizeRow *self)
{
  /* The buttons stay until others are offered: one of them may be telling of its drop. */
  g_clear_handle_id (&self->fit_source, g_source_remove);
  self->axis = NULL;
  gtk_widget_hide (GTK_WIDGET (self));
}

gboolean
heddle_size_row_get_offer (HeddleSizeRow *self, const char **axis, HeddleLabelKind *kind)
{
  *axis = self->axis;
  *kind = self->kind;
  return self->axis != NULL;
}

static void
heddle_size_row_dispose (GObject *object)
{
  HeddleSizeRow *self = HEDDLE_SIZE_ROW (object);

  g_clear_handle_id (&self->fit_source, g_source_remove);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  G_OBJECT_CLASS (heddle_size_row_parent_class)->dispose (object);
}

static void
heddle_size_row_class_init (HeddleSizeRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_size_row_dispose;
  signals[TRIED] = g_signal_new (
      "tried", HEDDLE_TYPE_SIZE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  signals[CHOSEN] = g_signal_new (
      "chosen", HEDDLE_TYPE_SIZE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  signals[LEFT]
      = g_signal_new ("left", HEDDLE_TYPE_SIZE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_size_row_init (HeddleSizeRow *self)
{
  self->symbol = GTK_PICTURE (gtk_picture_new ());
  self->buttons = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->count = GTK_LABEL (gtk_label_new (""));
  gtk_box_set_spacing (GTK_BOX (self), 9);
  gtk_picture_set_can_shrink (self->symbol, FALSE);
  gtk_widget_set_valign (GTK_WIDGET (self->symbol), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->symbol));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->buttons));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->count));
  gtk_widget_hide (GTK_WIDGET (self));
}

GtkWidget *
heddle_size_row_new (HeddleEditor *editor, const char *level)
{
  HeddleSizeRow *self = g_object_new (HEDDLE_TYPE_SIZE_ROW, NULL);

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level);
  return GTK_WIDGET (self);
}
