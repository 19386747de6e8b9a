/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/steps-card.h"
#include "app/derivation/steps.h"

struct _HeddleStepsCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (HeddleStepsCard, heddle_steps_card, GTK_TYPE_BOX)

static GtkWidget *
new_text (const char *text, const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_row (guint number, const HeddleStep *step, gboolean last)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10),
            *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *digits = g_strdup_printf ("%u", number), *count = heddle_format_count (step->values);
  g_autofree char *moved = g_strdup_printf (_ ("%s values moved"), count);
  g_autofree char *time = heddle_format_seconds (step->seconds);
  GtkWidget *badge = new_text (digits, last ? "step-badge-now" : "step-badge", .5);
  GtkWidget *below = new_text (step->needs ? step->needs : moved, "caption", 0);

  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (below, step->needs ? "error" : "dim-label");
  gtk_box_append (GTK_BOX (row), badge);
  gtk_box_append (GTK_BOX (text), new_text (step->title, last ? "heading" : NULL, 0));
  gtk_box_append (GTK_BOX (text), below);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (row), text);
  gtk_box_append (GTK_BOX (row), new_text (step->needs ? "" : time, "numeric", 1));
  return row;
}

void
heddle_steps_card_update (HeddleStepsCard *self)
{
  g_autoptr (GPtrArray) steps
      = heddle_steps_new (self->editor, heddle_editor_get_shown_schedule (self->editor));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; i < steps->len; i++)
    gtk_list_box_append (self->list, new_row (i + 1, g_ptr_array_index (steps, i), i + 1 == steps->len));
}

static void
heddle_steps_card_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_STEPS_CARD (object)->editor);
  G_OBJECT_CLASS (heddle_steps_card_parent_class)->dispose (object);
}

static void
heddle_steps_card_class_init (HeddleStepsCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_steps_card_dispose;
}

static void
heddle_steps_card_init (HeddleStepsCard *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "steps");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), scroller);
}

GtkWidget *
heddle_steps_card_new (HeddleEditor *editor)
{
  HeddleStepsCard *self = g_object_new (HEDDLE_TYPE_STEPS_CARD, NULL);

  self->editor = g_object_ref (editor);
  heddle_steps_card_update (self);
  return GTK_WIDGET (self);
}
