/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/place-chip.h"
#include "app/derivation/placement.h"
#include "app/editor/flat.h"
#include "app/edits/definitions.h"
#include "app/widgets/explain.h"
#include "diagram/graph/diagram.h"

struct _HeddlePlaceChip
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  const char *value, *column;
  char *level, *tip;
  GtkMenuButton *button;
};

G_DEFINE_FINAL_TYPE (HeddlePlaceChip, heddle_place_chip, GTK_TYPE_BOX)

gboolean
heddle_place_chip_is_for (HeddlePlaceChip *self, const HeddleResidency *place)
{
  return self->value == place->value && self->column == place->column
         && g_str_equal (self->level, place->level);
}

static void
take_away (HeddlePlaceChip *self)
{
  heddle_placement_set (self->editor, self->value, self->column, NULL);
}

static void
on_take_away (HeddlePlaceChip *self)
{
  gtk_menu_button_popdown (self->button);
  take_away (self);
}

static gboolean
on_key (
    GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, HeddlePlaceChip *self)
{
  if (keyval != GDK_KEY_Delete && keyval != GDK_KEY_BackSpace)
    return FALSE;
  take_away (self);
  return TRUE;
}

static void
fill_popover (GtkMenuButton *button, gpointer data)
{
  HeddlePlaceChip *self = data;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *popover = gtk_popover_new ();
  GtkWidget *remove = gtk_button_new_with_mnemonic (_ ("_Take Away"));
  GtkWidget *words = gtk_label_new (self->tip);

  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (words), 36);
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect_swapped (remove, "clicked", G_CALLBACK (on_take_away), self);
  gtk_menu_button_set_popover (button, popover);
}

static void
heddle_place_chip_dispose (GObject *object)
{
  HeddlePlaceChip *self = HEDDLE_PLACE_CHIP (object);

  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  g_clear_pointer (&self->tip, g_free);
  G_OBJECT_CLASS (heddle_place_chip_parent_class)->dispose (object);
}

static void
heddle_place_chip_class_init (HeddlePlaceChipClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_place_chip_dispose;
}

static void
heddle_place_chip_init (HeddlePlaceChip *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_direction (self->button, GTK_ARROW_UP);
  gtk_menu_button_set_create_popup_func (self->button, fill_popover, self, NULL);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->button));
  gtk_widget_add_css_class (GTK_WIDGET (self), "label-chip");
  gtk_widget_add_css_class (GTK_WIDGET (self), "place-chip");
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* Says what the chip is, and how much is kept: the product of the lengths and bytes of a value. */
static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddlePlaceChip *self = data;
  const HeddleValue *value = heddle_diagram_get_value (heddle_editor_get_diagram (self->editor), self->value);
  g_autofree char *type = value != NULL ? heddle_describe_type (self->editor, value) : NULL;

  return type != NULL ? g_strdup_printf ("%s\n%s", self->tip, type) : g_strdup (self->tip);
}

GtkWidget *
heddle_place_chip_new (HeddleEditor *editor, const HeddleResidency *place)
{
  HeddlePlaceChip *self = g_object_new (HEDDLE_TYPE_PLACE_CHIP, NULL);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  g_autofree char *label = heddle_diagram_value_label (diagram, place->value);
  g_autofree char *where = heddle_placement_describe_column (diagram, place->column);
  g_autofree char *tip = g_strdup_printf (_ ("%s is kept here %s; Delete takes it away"), label, where);

  self->editor = g_object_ref (editor);
  self->value = place->value;
  self->column = place->column;
  self->level = g_strdup (place->level);
  gtk_widget_add_css_class (GTK_WIDGET (self), place->level);
  gtk_menu_button_set_child (self->button, gtk_label_new (label));
  self->tip = g_strdup (tip);
  heddle_explain_set (GTK_WIDGET (self->button), explain, self, HEDDLE_PAGE_DERIVING);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  return GTK_WIDGET (self);
}
