/* SPDX-License-Identifier: MIT */

/* The pages of the inspector consist of these rows. */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/panes/inspector-rows.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/scene-paintable.h"
#include "diagram/base/problem.h"
#include "figure/scene/scene.h"

/* The outline lists all of them. */
#define MOST_PROBLEMS 20

GtkWidget *
heddle_inspector_new_symbol (const char *symbol, double size)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (symbol, size, dark);
  GtkWidget *image = heddle_image_new (paintable, size * 1.4);

  gtk_widget_set_valign (image, GTK_ALIGN_CENTER);
  return image;
}

void
heddle_inspector_add_heading (GtkWidget *box, const char *symbol, const char *title, const char *subtitle)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  const struct
  {
    const char *text, *class;
  } lines[] = { { title, "title-4" }, { subtitle, "caption" } };

  if (symbol != NULL)
    {
      /* It is large as it is, and the title wants the room. */
      GtkWidget *picture = heddle_inspector_new_symbol (symbol, 28 / heddle_text_scale ());

      gtk_widget_set_size_request (picture, 52, 52);
      gtk_widget_add_css_class (picture, "symbol-tile");
      gtk_box_append (GTK_BOX (row), picture);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      GtkWidget *label = gtk_label_new (lines[i].text);

      g_object_set (label, "xalign", 0., "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);
      gtk_widget_add_css_class (label, lines[i].class);
      if (i > 0)
        gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (texts), label);
    }
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_box_append (GTK_BOX (box), row);
}

GtkWidget *
heddle_inspector_add_group (GtkWidget *box, const char *title)
{
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *list = gtk_list_box_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_top (label, 6);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "inspector-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), list);
  return list;
}

static GtkWidget *
new_row (const char *title)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  return row;
}

GtkWidget *
heddle_inspector_add_fact (GtkWidget *group, const char *title, const char *fact)
{
  GtkWidget *row = new_row (title);
  GtkWidget *label = gtk_label_new (fact);

  /* A short fact stays in one line: a label that may wrap asks for as little width as it can. */
  g_object_set (label, "wrap", g_utf8_strlen (fact, -1) > 20, "xalign", 1., "justify", GTK_JUSTIFY_RIGHT,
      "selectable", TRUE, NULL);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
  return row;
}

/* --- entries --- */

typedef struct
{
  HeddleEditor *editor;
  const char *id;
  HeddleInspectorApply apply;
} EntryData;

static void
entry_data_free (gpointer data, GClosure *closure)
{
  EntryData *entry = data;

  g_object_unref (entry->editor);
  g_free (entry);
}

static void
on_apply (AdwEntryRow *row, EntryData *data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));

  if (data->apply (data->editor, data->id, text, &error))
    return;
  gtk_widget_add_css_class (GTK_WIDGET (row), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (row), error->message);
  heddle_editor_report (data->editor, "%s", error->message);
}

void
heddle_inspector_add_entry (GtkWidget *group, HeddleEditor *editor, const char *title, const char *text,
    const char *id, HeddleInspectorApply apply)
{
  GtkWidget *row = adw_entry_row_new ();
  EntryData *data = g_new0 (EntryData, 1);

  *data = (EntryData){ g_object_ref (editor), id, apply };
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
  heddle_accessible_name_set (row, title);
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  g_signal_connect_data (row, "apply", G_CALLBACK (on_apply), data, entry_data_free, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

/* --- links --- */

static void
on_link (AdwActionRow *row, HeddleEditor *editor)
{
  heddle_editor_select (editor, g_object_get_data (G_OBJECT (row), "id"));
}

void
heddle_inspector_add_link (
    GtkWidget *group, HeddleEditor *editor, const char *id, const char *symbol, const char *text)
{
  GtkWidget *row = new_row (text);
  GtkWidget *picture = heddle_inspector_new_symbol (symbol, 17);

  gtk_widget_set_size_request (picture, 26 * heddle_text_scale (), -1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), picture);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "id", (gpointer) id);
  g_signal_connect_object (row, "activated", G_CALLBACK (on_link), editor, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

/* Selects what a problem is about, and brings it into sight. */
static void
on_problem (AdwActionRow *row, HeddleEditor *editor)
{
  const char *id = g_object_get_data (G_OBJECT (row), "id");

  heddle_editor_select (editor, id);
  gtk_widget_activate_action (GTK_WIDGET (row), "win.reveal", "s", id);
}

static void
add_way (GtkWidget *row, HeddleEditor *editor, const char *id)
{
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_set_tooltip_text (row, _ ("Show where it is"));
  g_object_set_data (G_OBJECT (row), "id", (gpointer) id);
  g_signal_connect_object (row, "activated", G_CALLBACK (on_problem), editor, 0);
}

void
heddle_inspector_add_problems (GtkWidget *box, HeddleEditor *editor, const char *id)
{
  GPtrArray *problems = heddle_editor_get_problems (editor);
  GtkWidget *group = NULL;
  guint n = 0;

  for (guint i = 0; i < problems->len && n < MOST_PROBLEMS; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      gboolean error = problem->severity == HEDDLE_SEVERITY_ERROR;
      GtkWidget *row = NULL, *icon = NULL;

      if (id != NULL && problem->object_id != id)
        continue;
      if (n++ == 0)
        group = heddle_inspector_add_group (box, _ ("Problems"));
      row = new_row (problem->message);
      adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
      if (problem->remedy != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), problem->remedy);
      icon = gtk_image_new_from_icon_name (error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
      gtk_widget_add_css_class (icon, error ? "error" : "warning");
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
      if (problem->object_id != NULL && problem->object_id != id)
        add_way (row, editor, problem->object_id);
      gtk_list_box_append (GTK_LIST_BOX (group), row);
    }
}
