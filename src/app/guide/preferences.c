/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/guide/preferences.h"
#include "app/widgets/option-rows.h"
#include "app/widgets/settings.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"

static const char *const dtypes[] = { "f64", "f32", "tf32", "f16", "bf16", "e4m3", "e5m2", NULL };

static void
save_choice (GtkWidget *row)
{
  const char *const *words = g_object_get_data (G_OBJECT (row), "words");
  const char *key = g_object_get_data (G_OBJECT (row), "key");
  const guint chosen = heddle_option_combo_get (row);

  if (chosen < g_strv_length ((char **) words))
    heddle_settings_set_string (key, words[chosen]);
}

/* A setting that is one of @words, shown as @labels; @words must outlive the row. */
static GtkWidget *
add_choice (GtkWidget *group, const char *title, const char *key, const char *fallback,
    const char *const *words, const char *const *labels)
{
  g_autofree char *present = heddle_settings_dup_string (key, fallback);
  GtkWidget *row = NULL;
  guint selected = 0;

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], present))
      selected = i;
  row = heddle_option_combo (group, title, labels, selected);
  g_object_set_data (G_OBJECT (row), "words", (gpointer) words);
  g_object_set_data (G_OBJECT (row), "key", (gpointer) key);
  g_signal_connect (row, "notify::selected", G_CALLBACK (save_choice), NULL);
  return row;
}

static void
add_machines (GtkWidget *group)
{
  g_autoptr (GPtrArray) machines = heddle_machines_load (NULL);
  GStrvBuilder *names = g_strv_builder_new (), *labels = g_strv_builder_new ();
  g_auto (GStrv) all_labels = NULL;
  char **all_names = NULL;
  GtkWidget *row = NULL;

  for (guint i = 0; i < machines->len; i++)
    {
      const HeddleMachine *machine = g_ptr_array_index (machines, i);

      g_strv_builder_add (names, machine->name);
      g_strv_builder_add (labels, machine->title != NULL ? machine->title : machine->name);
    }
  all_names = g_strv_builder_end (names);
  all_labels = g_strv_builder_end (labels);
  row = add_choice (
      group, _ ("GPU"), "gpu", "h100-sxm", (const char *const *) all_names, (const char *const *) all_labels);
  g_object_set_data_full (G_OBJECT (row), "own-words", all_names, (GDestroyNotify) g_strfreev);
  g_strv_builder_unref (names);
  g_strv_builder_unref (labels);
}

static GtkWidget *
add_group (GtkWidget *page, const char *title, const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  return group;
}

static void
add_switch (GtkWidget *group, const char *title, const char *subtitle, const char *key)
{
  GtkWidget *row = heddle_option_switch (group, title, subtitle, FALSE);

  g_settings_bind (
      heddle_settings_get (), key, heddle_option_control (row), "active", G_SETTINGS_BIND_DEFAULT);
}

GtkWidget *
heddle_preferences_new (GtkWindow *parent)
{
  static const char *const styles[] = { "follow", "light", "dark", NULL };
  const char *const style_labels[] = { _ ("As the desktop"), _ ("Light"), _ ("Dark"), NULL };
  GtkWidget *window = g_object_new (ADW_TYPE_PREFERENCES_WINDOW, "modal", TRUE, "transient-for", parent,
      "destroy-with-parent", TRUE, "search-enabled", FALSE, NULL);
  GtkWidget *page = adw_preferences_page_new (), *group = NULL;

  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), _ ("General"));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  group = add_group (page, _ ("Appearance"), _ ("Exported figures stay as they are."));
  add_choice (group, _ ("Style"), "style", "follow", styles, style_labels);
  if (heddle_settings_get () != NULL)
    {
      add_switch (group, _ ("Palette and Outline"), NULL, "palette-visible");
      add_switch (group, _ ("Inspector"), NULL, "inspector-visible");
      add_switch (group, _ ("Derivation"), NULL, "drawer-visible");
    }
  group = add_group (page, _ ("New Derivations"), _ ("For diagrams that do not set it themselves."));
  add_machines (group);
  add_choice (group, _ ("Data Type"), "dtype", "f16", dtypes, dtypes);
  return window;
}
