/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/graph/ids.h"

GArray *
heddle_ids_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (const char *));
}

GArray *
heddle_ids_copy (const GArray *ids)
{
  GArray *copy = heddle_ids_new ();
  if (ids != NULL && ids->len > 0)
    g_array_append_vals (copy, ids->data, ids->len);
  return copy;
}

void
heddle_ids_append (GArray *ids, const char *id)
{
  g_array_append_val (ids, id);
}

int
heddle_ids_find (const GArray *ids, const char *id)
{
  for (guint i = 0; i < ids->len; i++)
    if (heddle_ids_index (ids, i) == id)
      return (int) i;
  return -1;
}

gboolean
heddle_ids_equal (const GArray *a, const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (const char *)) == 0);
}

gboolean
heddle_ids_same_set (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (!heddle_ids_contain (b, heddle_ids_index (a, i)))
      return FALSE;
  return a->len == b->len;
}

void
heddle_ids_remove_all (GArray *from, const GArray *ids)
{
  for (guint i = from->len; i-- > 0;)
    if (heddle_ids_contain (ids, heddle_ids_index (from, i)))
      g_array_remove_index (from, i);
}
