/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

/* The full name of @name within @within (or NULL). */
char *heddle_eq_join_definition (const char *within, const char *name);
/* The full name of what @name means as a definition, as it is in the table; NULL: it means none. */
const char *heddle_eq_find_definition (const HeddleEqNames *names, const char *name);
/* The shortest name that means the definition here: a part of @full. */
const char *heddle_eq_short_definition (const HeddleEqNames *names, const char *full);
/* Whether what the definition @full is called within its own is a definition around that too. */
gboolean heddle_eq_is_shadow (const HeddleEqNames *names, const char *full);
/* Whether @full is to be written within another one of @definitions, called @within (newly allocated). */
gboolean heddle_eq_is_within (GHashTable *definitions, const char *full, char **within);

G_END_DECLS
