/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "diagram/graph/name.h"
#include "files/equations/definable.h"

#define MOST_LETTERS 32

gboolean
heddle_eq_can_be_defined (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (!heddle_name_is_valid (parts[i], NULL))
      return FALSE;
  return parts[0] != NULL;
}

/* Returns the first letters and digits of @name, from a letter on; "d" if it has no letter. */
static char *
letters_of (const char *name)
{
  GString *letters = g_string_new (NULL);
  guint n = 0;

  for (const char *at = name; *at != '\0' && n < MOST_LETTERS; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);

      if (n > 0 ? g_unichar_isalnum (c) : g_unichar_isalpha (c))
        {
          g_string_append_unichar (letters, c);
          n++;
        }
    }
  return n > 0 ? g_string_free (letters, FALSE) : (g_string_free (letters, TRUE), g_strdup ("d"));
}

static void
rename_diagram (const HeddleSnapshot *snapshot, HeddleDiagram *diagram)
{
  g_autofree char *letters = letters_of (diagram->name), *name = g_strdup (letters);

  for (guint i = 2; !heddle_eq_can_be_defined (name) || heddle_snapshot_get_diagram (snapshot, name) != NULL;
       i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%u", letters, i);
    }
  g_free (diagram->name);
  diagram->name = g_steal_pointer (&name);
}

HeddleSnapshot *
heddle_eq_make_definable (const HeddleSnapshot *snapshot, GHashTable *called)
{
  g_autoptr (HeddleSnapshot) copy = NULL;

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = g_ptr_array_index (snapshot->diagrams, i);

      if (!g_hash_table_contains (called, diagram) || heddle_eq_can_be_defined (diagram->name))
        continue;
      if (copy == NULL)
        copy = heddle_snapshot_copy (snapshot);
      rename_diagram (copy, g_ptr_array_index (copy->diagrams, i));
    }
  return copy != NULL ? g_steal_pointer (&copy) : heddle_snapshot_ref ((HeddleSnapshot *) snapshot);
}
