/* SPDX-License-Identifier: MIT */

/* The inspector's groups that say where an array is kept, and for whom it is worked out again. */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/placement.h"
#include "app/editor/target.h"
#include "app/panes/inspector-place.h"
#include "app/panes/inspector-rows.h"
#include "derive/machine/machine.h"

/* Beyond this many readers nobody reads on. */
#define MOST_COLUMNS 20

/* A subject is the array that a row is about; ids are interned. */
typedef struct
{
  HeddleEditor *editor;
  const char *value, *column;
} Subject;

static void
subject_free (gpointer data, GClosure *closure)
{
  Subject *self = data;

  g_object_unref (self->editor);
  g_free (self);
}

static Subject *
subject_new (HeddleEditor *editor, const char *value, const char *column)
{
  Subject *self = g_new0 (Subject, 1);

  *self = (Subject){ g_object_ref (editor), value, column };
  return self;
}

/* --- places --- */

/* A refused choice goes back to what holds. */
static void
on_level (AdwComboRow *row, GParamSpec *pspec, Subject *subject)
{
  g_autoptr (GPtrArray) levels = heddle_placement_get_levels (subject->editor);
  const guint chosen = adw_combo_row_get_selected (row),
              held = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "held"));
  const char *level = NULL;

  if (chosen == held || chosen > levels->len)
    return;
  if (chosen > 0)
    level = ((const HeddleLevel *) g_ptr_array_index (levels, chosen - 1))->name;
  if (!heddle_placement_set (subject->editor, subject->value, subject->column, level))
    adw_combo_row_set_selected (row, held);
}

static char *
title_of_column (const HeddleDiagram *diagram, const HeddleOperation *reader)
{
  g_autofree char *label = reader != NULL ? heddle_diagram_value_label (diagram, reader->result) : NULL;

  return label != NULL ? g_strdup_printf (_ ("For %s"), label) : g_strdup (_ ("Everywhere"));
}

static void
add_place (GtkWidget *group, HeddleEditor *editor, const HeddleValue *value, const HeddleOperation *reader)
{
  g_autoptr (GPtrArray) levels = heddle_placement_get_levels (editor);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *title = title_of_column (heddle_editor_get_diagram (editor), reader);
  const char *column = reader != NULL ? reader->id : NULL;
  const char *held = heddle_placement_get_level (editor, value->id, column);
  GtkWidget *row = adw_combo_row_new ();
  guint selected = 0;

  gtk_string_list_append (names, _ ("As the kernels have it"));
  for (guint i = 0; i < levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (levels, i);

      gtk_string_list_append (names, heddle_format_place (level->title));
      if (g_strcmp0 (held, level->name) == 0)
        selected = i + 1;
    }
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  g_object_set_data (G_OBJECT (row), "held", GUINT_TO_POINTER (selected));
  g_signal_connect_data (row, "notify::selected", G_CALLBACK (on_level),
      subject_new (editor, value->id, column), subject_free, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

/* --- working out again --- */

static void
on_again (GtkSwitch *control, GParamSpec *pspec, Subject *subject)
{
  heddle_recompute_set (subject->editor, subject->value, subject->column, gtk_switch_get_active (control));
}

static void
add_again (GtkWidget *group, HeddleEditor *editor, const HeddleValue *value, const HeddleOperation *reader)
{
  g_autofree char *title = title_of_column (heddle_editor_get_diagram (editor), reader);
  GtkWidget *row = adw_action_row_new (), *control = gtk_switch_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_switch_set_active (GTK_SWITCH (control), heddle_recompute_get (editor, value->id, reader->id));
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect_data (control, "notify::active", G_CALLBACK (on_again),
      subject_new (editor, value->id, reader->id), subject_free, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

void
heddle_inspector_add_places (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GPtrArray) columns = heddle_placement_get_columns (editor, value->id);
  GtkWidget *group = NULL;

  if (heddle_editor_get_machine (editor) == NULL)
    return;
  group = heddle_inspector_add_group (box, _ ("Kept at"));
  add_place (group, editor, value, NULL);
  for (guint i = 0; i < MIN (columns->len, MOST_COLUMNS); i++)
    add_place (group, editor, value, g_ptr_array_index (columns, i));
  if (columns->len == 0 || heddle_diagram_get_producer (diagram, value->id) == NULL)
    return;
  group = heddle_inspector_add_group (box, _ ("Computed again"));
  for (guint i = 0; i < MIN (columns->len, MOST_COLUMNS); i++)
    add_again (group, editor, value, g_ptr_array_index (columns, i));
}
