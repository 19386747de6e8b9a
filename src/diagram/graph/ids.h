/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Arrays of ids. Ids are interned strings, so that two are equal where their pointers are; an array never owns
 * them. */

/* The id number @i of the array. */
#define heddle_ids_index(array, i) (g_array_index ((array), const char *, (i)))
/* Returns a new, empty array of interned ids; it does not own the strings. */
GArray *heddle_ids_new (void);
/* Returns a new array with the same ids; of NULL an empty one. */
GArray *heddle_ids_copy (const GArray *ids);
/* Adds @id, an interned string, at the end, also where the array has it already. */
void heddle_ids_append (GArray *ids, const char *id);
/* Returns the first position of @id in the array; -1 if it is not there. */
int heddle_ids_find (const GArray *ids, const char *id);
/* Returns whether the array has @id. */
static inline gboolean
heddle_ids_contain (const GArray *ids, const char *id)
{
  return heddle_ids_find (ids, id) >= 0;
}
/* Returns whether both hold the same interned ids in the same order. */
gboolean heddle_ids_equal (const GArray *a, const GArray *b);
/* Returns whether both hold the same ids, in whatever order; neither has one twice. */
gboolean heddle_ids_same_set (const GArray *a, const GArray *b);
/* Takes out of @from every id that @ids has. */
void heddle_ids_remove_all (GArray *from, const GArray *ids);
