/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Which of the names that are known somebody may have meant who wrote another one. */

G_BEGIN_DECLS

/* Returns the names of all functions of equations, "softmax" and "exp" among them, in the order of the alphabet; the
 * array and its names are static. */
const GPtrArray *heddle_equations_get_functions (void);
/* Returns the name of @names (of const char *) that comes from @name by the fewest letters put in, left out, exchanged
 * or swapped with their neighbour: one of them, two from five letters on. %NULL: none does, or @name has fewer than
 * three letters. The first of several is taken. The array still owns it. */
const char *heddle_equations_find_nearest (const char *name, const GPtrArray *names);

G_END_DECLS
