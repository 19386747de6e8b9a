/* SPDX-License-Identifier: MIT */
#include "diagram/graph/labels.h"

#include <stdlib.h>
#include <string.h>

#include "diagram/graph/diagram.h"

/* This file chooses the names by which values without a name are shown. */

/* A number has at most so many digits, so that each label is short. */
#define MOST_DIGITS 8

typedef struct
{
  GHashTable *numbers; /* id -> the number in it */
  GHashTable *used; /* the numbers of all ids */
  guint last; /* the last number that was given to a value whose id has none */
} Numbering;

/* Returns the number in the id of a value that was made without a name: 1 for `v.t`, 2 for `v.t-2` and the like, or, if
 * @is_written, 2 for `v.t2`, which a text calls `t2`. 0 means that the id has another shape. */
static guint
number_in_id (const char *id, gboolean is_written)
{
  if (!g_str_has_prefix (id, "v.t"))
    return 0;
  const char *digits = id + strlen ("v.t");
  if (*digits == '\0')
    return is_written ? 0 : 1;
  if (!is_written && *digits++ != '-')
    return 0;
  gsize length = strspn (digits, "0123456789");
  return *digits != '0' && length > 0 && length <= MOST_DIGITS && digits[length] == '\0'
             ? (guint) atoi (digits)
             : 0;
}

/* Gives values, named or not, the numbers in their ids that no other value has yet. */
static void
number_by_id (Numbering *self, const GPtrArray *values, gboolean is_written)
{
  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      guint number = number_in_id (value->id, is_written);
      if (number > 0 && g_hash_table_add (self->used, GUINT_TO_POINTER (number)))
        g_hash_table_insert (self->numbers, (gpointer) value->id, GUINT_TO_POINTER (number));
    }
}

/* Returns the next number that no id has. */
static guint
next_number (Numbering *self)
{
  do
    self->last++;
  while (g_hash_table_contains (self->used, GUINT_TO_POINTER (self->last)));
  return self->last;
}

static char *
choose_label (Numbering *self, const HeddleValue *value, GHashTable *value_names, GHashTable *axis_names)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, value->id));
  for (;;)
    {
      if (number == 0)
        number = next_number (self);
      char *label = g_strdup_printf ("t%u", number);
      if (!g_hash_table_contains (value_names, label) && !g_hash_table_contains (axis_names, label))
        return label;
      g_free (label);
      number = 0;
    }
}

GHashTable *
heddle_label_values (const GPtrArray *values, GHashTable *value_names, GHashTable *axis_names)
{
  GHashTable *labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Numbering self = { g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), 0 };
  number_by_id (&self, values, TRUE);
  number_by_id (&self, values, FALSE);
  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      if (value->name == NULL)
        g_hash_table_insert (
            labels, (gpointer) value->id, choose_label (&self, value, value_names, axis_names));
    }
  g_hash_table_unref (self.numbers);
  g_hash_table_unref (self.used);
  return labels;
}
