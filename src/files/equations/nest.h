/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

/* Returns the full name of @name within @within (or NULL), newly allocated. */
char *heddle_eq_join_definition (const char *within, const char *name);
/* Returns the full name of the definition that @name means here, looked up from the inside out; the table
 * owns it. NULL means that it is none. */
const char *heddle_eq_find_definition (const HeddleEqNames *names, const char *name);
/* Returns the shortest name that means the definition @full here, a part of @full. */
const char *heddle_eq_short_definition (const HeddleEqNames *names, const char *full);
/* Returns whether the last name of the definition @full also means a definition around the one that it stands
 * in. */
gboolean heddle_eq_is_shadow (const HeddleEqNames *names, const char *full);
/* Returns whether @full must be written within another one of @definitions, whose name is given as @within
 * (newly allocated, else NULL). */
gboolean heddle_eq_is_within (GHashTable *definitions, const char *full, char **within);
