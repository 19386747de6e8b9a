/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gstdio.h>

#include "app/widgets/settings.h"
#include "heddle-resources.h"

#define COMPILED "/io/github/heddle/Heddle/gschemas.compiled"

static GSettingsSchema *
find_schema (GSettingsSchemaSource *source)
{
  return source != NULL ? g_settings_schema_source_lookup (source, HEDDLE_APPLICATION_ID, TRUE) : NULL;
}

/* Reads the schema that the program brings with it from a folder, which goes again: what was read stays
 * mapped. */
static GSettingsSchema *
bring_schema (void)
{
  g_autoptr (GBytes) bytes
      = g_resource_lookup_data (heddle_get_resource (), COMPILED, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *folder = bytes != NULL ? g_dir_make_tmp ("heddle-XXXXXX", NULL) : NULL;
  g_autofree char *file = folder != NULL ? g_build_filename (folder, "gschemas.compiled", NULL) : NULL;
  g_autoptr (GSettingsSchemaSource) source = NULL;

  if (file == NULL)
    return NULL;
  if (g_file_set_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL))
    source = g_settings_schema_source_new_from_directory (folder, NULL, TRUE, NULL);
  g_unlink (file);
  g_rmdir (folder);
  return find_schema (source);
}

static gboolean
has_all_keys (GSettingsSchema *schema, GSettingsSchema *wanted)
{
  g_auto (GStrv) keys = g_settings_schema_list_keys (wanted);

  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_settings_schema_has_key (schema, keys[i]))
      return FALSE;
  return TRUE;
}

/* Opens what is installed, with what the system's owner made the defaults there, unless another version of
 * the program put it there. */
static gpointer
open_settings (gpointer unused)
{
  g_autoptr (GSettingsSchema) installed = find_schema (g_settings_schema_source_get_default ());
  g_autoptr (GSettingsSchema) own = bring_schema ();

  if (installed != NULL && (own == NULL || has_all_keys (installed, own)))
    return g_settings_new_full (installed, NULL, NULL);
  return own != NULL ? g_settings_new_full (own, NULL, NULL) : NULL;
}

GSettings *
heddle_settings_get (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, open_settings, NULL);
}

char *
heddle_settings_dup_string (const char *key, const char *fallback)
{
  GSettings *settings = heddle_settings_get ();

  return settings != NULL ? g_settings_get_string (settings, key) : g_strdup (fallback);
}

void
heddle_settings_set_string (const char *key, const char *value)
{
  GSettings *settings = heddle_settings_get ();

  if (settings != NULL)
    g_settings_set_string (settings, key, value);
}
