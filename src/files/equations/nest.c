/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/equations/nest.h"

/* This file finds definitions within definitions: what stands within `up` as `conv` is the diagram "up.conv".
 * Within `up`, and within what is defined there, it is called conv; elsewhere up.conv. */

char *
heddle_eq_join_definition (const char *within, const char *name)
{
  return within != NULL ? g_strconcat (within, ".", name, NULL) : g_strdup (name);
}

/* Finds a definition by its name, from the outside in: a full name is found wherever it is used. */
const char *
heddle_eq_find_definition (const HeddleEqNames *names, const char *name)
{
  gpointer full;

  if (names->definitions == NULL)
    return NULL;
  if (g_hash_table_lookup_extended (names->definitions, name, &full, NULL))
    return full;
  for (const char *dot = names->within; dot != NULL;)
    {
      g_autofree char *scope = NULL, *inner = NULL;

      dot = strchr (dot, '.');
      scope = g_strndup (names->within, dot != NULL ? (gsize) (dot - names->within) : strlen (names->within));
      inner = heddle_eq_join_definition (scope, name);
      if (g_hash_table_lookup_extended (names->definitions, inner, &full, NULL))
        return full;
      dot = dot != NULL ? dot + 1 : NULL;
    }
  return NULL;
}

/* Returns the shortest name that means the definition here. */
const char *
heddle_eq_short_definition (const HeddleEqNames *names, const char *full)
{
  const char *name = strrchr (full, '.');

  for (; names->within != NULL && name != NULL; name = g_strrstr_len (full, name - full, "."))
    if (g_strcmp0 (heddle_eq_find_definition (names, name + 1), full) == 0)
      return name + 1;
  return full;
}

/* Returns whether `name` is that of a definition around the one that is called @full. */
gboolean
heddle_eq_is_shadow (const HeddleEqNames *names, const char *full)
{
  const char *dot = strrchr (full, '.');
  g_autofree char *around = dot != NULL ? g_strndup (full, (gsize) (dot - full)) : NULL;
  const char *up = around != NULL ? strrchr (around, '.') : NULL;
  g_autofree char *beyond = up != NULL ? g_strndup (around, (gsize) (up - around)) : NULL;
  const HeddleEqNames outside = { .definitions = names->definitions, .within = beyond };

  return dot != NULL && heddle_eq_find_definition (&outside, dot + 1) != NULL;
}

/* Finds the name @within of the definition that contains @full, if it is one of @definitions; else NULL. */
gboolean
heddle_eq_is_within (GHashTable *definitions, const char *full, char **within)
{
  const char *dot = strrchr (full, '.');
  guint depth = 0;

  for (const char *p = full; *p != '\0'; p++)
    depth += *p == '.';
  *within
      = dot != NULL && depth < HEDDLE_EQ_MAX_DEFINITION_DEPTH ? g_strndup (full, (gsize) (dot - full)) : NULL;
  if (*within != NULL && !g_hash_table_contains (definitions, *within))
    g_clear_pointer (within, g_free);
  return *within != NULL;
}
