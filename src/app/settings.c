/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/settings.h"

static gpointer
open_settings (gpointer unused)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source == NULL)
    return NULL;
  schema = g_settings_schema_source_lookup (source, HEDDLE_APPLICATION_ID, TRUE);
  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
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

int
heddle_settings_get_int (const char *key, int fallback)
{
  GSettings *settings = heddle_settings_get ();

  return settings != NULL ? g_settings_get_int (settings, key) : fallback;
}

gboolean
heddle_settings_get_boolean (const char *key, gboolean fallback)
{
  GSettings *settings = heddle_settings_get ();

  return settings != NULL ? g_settings_get_boolean (settings, key) : fallback;
}
