/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* This file finds which of the known names somebody may have meant who wrote another one. */

/* Returns the names of all functions of equations, "softmax" and "exp" among them, in the order of the
 * alphabet; the array and its names are static. */
const GPtrArray *heddle_equations_get_functions (void);
/* Returns the name of @names (of const char *) that differs from @name by the fewest letters inserted,
 * omitted, replaced or swapped with their neighbour: by one, or by two from five letters on. Returns %NULL if
 * none does, or if @name has fewer than three letters. The first of several is taken. The array still owns
 * it. */
const char *heddle_equations_find_nearest (const char *name, const GPtrArray *names);
