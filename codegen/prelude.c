/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "codegen/device-resource.h"
#include "codegen/prelude.h"

static void
append_sections (GString *out, const char *path, GHashTable *sections)
{
  g_autoptr (GBytes) file
      = g_resource_lookup_data (heddle_device_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  g_auto (GStrv) parts = g_strsplit (text, "//// ", -1);

  for (guint i = 1; parts[i] != NULL; i++)
    {
      char *body = strchr (parts[i], '\n');
      g_autofree char *name = g_strndup (parts[i], body - parts[i]);

      if (!g_hash_table_contains (sections, name))
        continue;
      g_strchomp (body);
      g_string_append_printf (out, "%s\n", out->len > 0 ? body : body + 1);
    }
}

char *
heddle_prelude_text (GHashTable *sections)
{
  g_autoptr (GString) out = g_string_new (NULL);

  append_sections (out, "/io/github/heddle/Heddle/device/prelude.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/tensor.cuh", sections);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
