/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include "app/application/search-provider.h"
#include "app/documents/recent.h"
#include "app/panes/examples.h"

#define PLACE "/io/github/heddle/Heddle/SearchProvider"
#define MOST_RECENT 40

static const char interface[]
    = "<node><interface name='org.gnome.Shell.SearchProvider2'>"
      "<method name='GetInitialResultSet'><arg type='as' direction='in'/><arg type='as' "
      "direction='out'/></method>"
      "<method name='GetSubsearchResultSet'><arg type='as' direction='in'/><arg type='as' direction='in'/>"
      "<arg type='as' direction='out'/></method>"
      "<method name='GetResultMetas'><arg type='as' direction='in'/><arg type='aa{sv}' "
      "direction='out'/></method>"
      "<method name='ActivateResult'><arg type='s' direction='in'/><arg type='as' direction='in'/>"
      "<arg type='u' direction='in'/></method>"
      "<method name='LaunchSearch'><arg type='as' direction='in'/><arg type='u' direction='in'/></method>"
      "</interface></node>";

/* A result is called by the path of its file. */
static gboolean
is_example (const char *path)
{
  g_autoptr (GPtrArray) examples = heddle_examples_list ();

  return g_ptr_array_find_with_equal_func (examples, path, g_str_equal, NULL);
}

static char *
name_of (const char *path)
{
  return is_example (path) ? heddle_example_title (path) : g_path_get_basename (path);
}

/* Every term is somewhere in the name, however it is written. */
static gboolean
fits (const char *path, const char *const *terms)
{
  g_autofree char *name = name_of (path);
  g_autofree char *folded = g_utf8_casefold (name, -1);

  for (; *terms != NULL; terms++)
    {
      g_autofree char *term = g_utf8_casefold (*terms, -1);

      if (strstr (folded, term) == NULL)
        return FALSE;
    }
  return TRUE;
}

static GVariant *
find_results (const char *const *terms)
{
  g_autoptr (GPtrArray) recent = heddle_recent_list (MOST_RECENT);
  g_autoptr (GPtrArray) examples = heddle_examples_list ();
  GVariantBuilder results;

  g_variant_builder_init (&results, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < recent->len; i++)
    {
      const char *path = g_file_peek_path (g_ptr_array_index (recent, i));

      if (path != NULL && !is_example (path) && fits (path, terms))
        g_variant_builder_add (&results, "s", path);
    }
  for (guint i = 0; i < examples->len; i++)
    if (fits (g_ptr_array_index (examples, i), terms))
      g_variant_builder_add (&results, "s", g_ptr_array_index (examples, i));
  return g_variant_new ("(as)", &results);
}

static GVariant *
describe_results (const char *const *paths)
{
  GVariantBuilder metas;

  g_variant_builder_init (&metas, G_VARIANT_TYPE ("aa{sv}"));
  for (; *paths != NULL; paths++)
    {
      g_autofree char *name = name_of (*paths);

      g_variant_builder_open (&metas, G_VARIANT_TYPE ("a{sv}"));
      g_variant_builder_add (&metas, "{sv}", "id", g_variant_new_string (*paths));
      g_variant_builder_add (&metas, "{sv}", "name", g_variant_new_string (name));
      g_variant_builder_add (&metas, "{sv}", "description", g_variant_new_string (*paths));
      g_variant_builder_add (&metas, "{sv}", "gicon", g_variant_new_string (HEDDLE_APPLICATION_ID));
      g_variant_builder_close (&metas);
    }
  return g_variant_new ("(aa{sv})", &metas);
}

/* An example is opened as a document of its own, a file as itself. */
static void
open_result (GtkApplication *application, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (!is_example (path))
    {
      g_application_open (G_APPLICATION (application), &file, 1, "");
      return;
    }
  g_application_activate (G_APPLICATION (application));
  gtk_widget_activate_action (
      GTK_WIDGET (gtk_application_get_active_window (application)), "win.open-example", "s", path);
}

static void
on_call (GDBusConnection *connection, const char *sender, const char *object, const char *name,
    const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer application)
{
  g_autofree const char **terms = NULL;
  const char *path = NULL;
  GVariant *answer = NULL;

  if (g_str_equal (method, "GetInitialResultSet"))
    {
      g_variant_get (arguments, "(^a&s)", &terms);
      answer = find_results (terms);
    }
  else if (g_str_equal (method, "GetSubsearchResultSet"))
    {
      g_variant_get (arguments, "(@as^a&s)", NULL, &terms);
      answer = find_results (terms);
    }
  else if (g_str_equal (method, "GetResultMetas"))
    {
      g_variant_get (arguments, "(^a&s)", &terms);
      answer = describe_results (terms);
    }
  else if (g_str_equal (method, "ActivateResult"))
    {
      g_variant_get (arguments, "(&s@asu)", &path, NULL, NULL);
      open_result (application, path);
    }
  else
    g_application_activate (application); /* LaunchSearch: the start page lists them all */
  g_dbus_method_invocation_return_value (invocation, answer);
}

guint
heddle_search_provider_export (GtkApplication *application, GDBusConnection *connection, GError **error)
{
  static const GDBusInterfaceVTable table = { .method_call = on_call };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interface, NULL);

  g_return_val_if_fail (GTK_IS_APPLICATION (application), 0);

  return g_dbus_connection_register_object (
      connection, PLACE, node->interfaces[0], &table, application, NULL, error);
}
