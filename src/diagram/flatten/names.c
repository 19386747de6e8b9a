/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/flatten/names.h"

/* The limits of names. Ids and names have at most 256 bytes; those within nested calls get long. */
#define LONGEST_PREFIX 160
#define LONGEST 240

char *
heddle_flatten_join (const char *a, const char *b)
{
  char *joined = *a != '\0' ? g_strconcat (a, ".", b, NULL) : g_strdup (b);
  if (strlen (joined) <= LONGEST_PREFIX)
    return joined;
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, joined, -1);
  g_free (joined);
  return g_strdup_printf ("c.h%.24s", sum);
}

/* Returns a free id. Ids of the diagram that is flattened stay what they are, those that are yet to come
 * too. */
const char *
heddle_flatten_id (HeddleFlattener *self, const char *wanted)
{
  const char *id = g_intern_string (wanted);
  for (guint n = 2; heddle_diagram_get_operation (self->diagram, id) != NULL
                    || heddle_diagram_get_operation (self->flat, id) != NULL
                    || heddle_diagram_get_value (self->flat, id) != NULL
                    || heddle_diagram_get_axis (self->flat, id) != NULL;
       n++)
    {
      g_autofree char *other = g_strdup_printf ("%s-%u", wanted, n);
      id = g_intern_string (other);
    }
  return id;
}

char *
heddle_flatten_name (HeddleFlattener *self, const char *prefix, const char *name)
{
  if (name == NULL)
    return NULL;
  GString *text = g_string_new (*prefix != '\0' ? prefix : NULL);
  g_string_append_printf (text, "%s%s", text->len > 0 ? "." : "", name);
  if (text->len > LONGEST)
    {
      g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
      g_string_printf (text, "h%.24s", sum);
    }
  while (!g_hash_table_add (self->names, g_strdup (text->str)))
    g_string_append_c (text, '\'');
  return g_string_free (text, FALSE);
}

HeddleAxis *
heddle_flatten_add_axis (
    HeddleFlattener *self, const char *id, const char *prefix, const char *name, HeddleExpr *size)
{
  g_autofree char *unique = heddle_flatten_name (self, prefix, name != NULL ? name : id);
  return heddle_diagram_add_axis (self->flat, heddle_flatten_id (self, id), unique, size);
}
