/* SPDX-License-Identifier: MIT */
#include "derive/program/names.h"

/* Returns the letters, digits and inner underscores of @text; each run of other characters becomes one
 * underscore. */
static char *
plain_text (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      if (g_ascii_isalnum (*p))
        g_string_append_c (plain, *p);
      else if (*p == '\'')
        g_string_append (plain, "_prime");
      else if (plain->len > 0 && plain->str[plain->len - 1] != '_')
        g_string_append_c (plain, '_');
    }
  while (plain->len > 0 && plain->str[plain->len - 1] == '_')
    g_string_truncate (plain, plain->len - 1);
  if (plain->len == 0 || g_ascii_isdigit (plain->str[0]))
    g_string_prepend_c (plain, 't');
  return g_string_free (plain, FALSE);
}

const char *
heddle_identifier (const char *text, GHashTable *taken)
{
  g_autofree char *plain = plain_text (text);
  const char *name = g_intern_string (plain);

  for (guint i = 2; g_hash_table_contains (taken, name); i++)
    {
      g_autofree char *next = g_strdup_printf ("%s_%u", plain, i);

      name = g_intern_string (next);
    }
  g_hash_table_add (taken, (gpointer) name);
  return name;
}
