/* SPDX-License-Identifier: MIT */

#include "app/widgets/option-rows.h"
#include "app/widgets/scene-paintable.h"

#define CONTROL "control"

GtkWidget *
heddle_option_group (GtkWidget *box, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  gtk_box_append (GTK_BOX (box), group);
  return group;
}

static GtkWidget *
add (GtkWidget *group, GtkWidget *row, const char *title)
{
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return row;
}

GtkWidget *
heddle_option_combo (GtkWidget *group, const char *title, const char *const *labels, guint selected)
{
  GtkWidget *row = add (group, adw_combo_row_new (), title);
  g_autoptr (GtkStringList) model = gtk_string_list_new (labels);

  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (model));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  /* Large words have no room beside each other. */
  adw_combo_row_set_use_subtitle (ADW_COMBO_ROW (row), heddle_text_scale () >= HEDDLE_LARGE_TEXT);
  return row;
}

guint
heddle_option_combo_get (GtkWidget *row)
{
  return adw_combo_row_get_selected (ADW_COMBO_ROW (row));
}

static void
add_control (GtkWidget *row, GtkWidget *control, const char *title)
{
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data (G_OBJECT (row), CONTROL, control);
}

GtkWidget *
heddle_option_number (
    GtkWidget *group, const char *title, double value, double least, double most, double step, guint digits)
{
  GtkWidget *row = add (group, adw_action_row_new (), title);
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  add_control (row, spin, title);
  return row;
}

GtkWidget *
heddle_option_control (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), CONTROL);
}

double
heddle_option_number_get (GtkWidget *row)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (heddle_option_control (row)));
}

GtkWidget *
heddle_option_switch (GtkWidget *group, const char *title, const char *subtitle, gboolean active)
{
  GtkWidget *row = add (group, adw_action_row_new (), title);
  GtkWidget *control = gtk_switch_new ();

  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_switch_set_active (GTK_SWITCH (control), active);
  add_control (row, control, title);
  return row;
}

gboolean
heddle_option_switch_get (GtkWidget *row)
{
  return gtk_switch_get_active (GTK_SWITCH (heddle_option_control (row)));
}
