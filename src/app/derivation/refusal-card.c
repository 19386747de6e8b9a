/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/actions.h"
#include "app/derivation/refusal-card.h"
#include "app/editor/preview.h"
#include "app/widgets/tooltip.h"
#include "derive/legality/refusal.h"

struct _HeddleRefusalCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkLabel *title, *text;
  GtkButton *remedy;
};

G_DEFINE_FINAL_TYPE (HeddleRefusalCard, heddle_refusal_card, GTK_TYPE_BOX)

static char *
capitalised (const char *text)
{
  g_autofree char *first = g_utf8_substring (text, 0, *text != '\0' ? 1 : 0);
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, text + strlen (first), NULL);
}

/* Shows "Softmax alone cannot stream x: its output …" as a title and a text. */
static void
show_reason (HeddleRefusalCard *self, const HeddleRefusal *refusal)
{
  const char *colon = strstr (refusal->reason, ": ");
  g_autofree char *title = colon ? g_strndup (refusal->reason, colon - refusal->reason) : NULL;
  g_autofree char *rest = colon ? capitalised (colon + 2) : NULL;
  const char *remedy = refusal->remedy != NULL ? refusal->remedy : "";
  g_autofree char *text = rest != NULL ? g_strdup_printf ("%s\n%s", rest, remedy) : g_strdup (remedy);

  g_strchomp (text);
  gtk_label_set_text (self->title, title != NULL ? title : refusal->reason);
  gtk_label_set_text (self->text, text);
  gtk_widget_set_visible (GTK_WIDGET (self->text), *text != '\0');
}

void
heddle_refusal_card_update (HeddleRefusalCard *self)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (self->editor);
  g_autofree char *label = heddle_derivation_remedy_label (self->editor);

  gtk_widget_set_visible (GTK_WIDGET (self), refusal != NULL);
  if (refusal == NULL)
    return;
  show_reason (self, refusal);
  gtk_widget_set_visible (GTK_WIDGET (self->remedy), label != NULL);
  if (label != NULL)
    gtk_button_set_label (self->remedy, label);
}

static void
on_remedy (HeddleRefusalCard *self)
{
  heddle_derivation_apply_remedy (self->editor);
}

static void
on_close (HeddleRefusalCard *self)
{
  heddle_editor_set_refusal (self->editor, NULL);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  on_close (HEDDLE_REFUSAL_CARD (widget));
  return TRUE;
}

static void
heddle_refusal_card_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_REFUSAL_CARD (object)->editor);
  G_OBJECT_CLASS (heddle_refusal_card_parent_class)->dispose (object);
}

static void
heddle_refusal_card_class_init (HeddleRefusalCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_refusal_card_dispose;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
}

static GtkLabel *
new_label (const char *css_class)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (""));

  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_xalign (label, 0);
  gtk_label_set_width_chars (label, 28);
  gtk_label_set_max_width_chars (label, 58);
  if (css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (label), css_class);
  return label;
}

static GtkWidget *
new_head (HeddleRefusalCard *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *image = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  GtkWidget *close = heddle_icon_button_new ("window-close-symbolic", _ ("Close"));

  self->title = new_label ("heading");
  gtk_widget_set_hexpand (GTK_WIDGET (self->title), TRUE);
  gtk_widget_add_css_class (image, "error");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_add_css_class (close, "circular");
  gtk_widget_set_valign (close, GTK_ALIGN_START);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_close), self);
  gtk_box_append (GTK_BOX (row), image);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (row), close);
  return row;
}

static void
heddle_refusal_card_init (HeddleRefusalCard *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "refusal-card");
  self->text = new_label (NULL);
  self->remedy = GTK_BUTTON (gtk_button_new ());
  gtk_button_set_use_underline (self->remedy, TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->remedy), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self->remedy), "suggested-action");
  gtk_widget_add_css_class (GTK_WIDGET (self->remedy), "remedy");
  g_signal_connect_swapped (self->remedy, "clicked", G_CALLBACK (on_remedy), self);
  gtk_box_append (GTK_BOX (self), new_head (self));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->text));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->remedy));
  gtk_widget_hide (GTK_WIDGET (self));
}

GtkWidget *
heddle_refusal_card_new (HeddleEditor *editor)
{
  HeddleRefusalCard *self = g_object_new (HEDDLE_TYPE_REFUSAL_CARD, NULL);

  self->editor = g_object_ref (editor);
  return GTK_WIDGET (self);
}
