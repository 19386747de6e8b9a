/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The words that mean something in equations, and which of them are functions or reductions. */

/* Returns whether a name means something already: a function, a reduction, a word of the language. */
gboolean heddle_eq_is_reserved (const char *name);

/* Returns whether the language has the function, and this version cannot read it. */
gboolean heddle_eq_is_later (const char *name);

/* Returns whether a function of numbers has this name, with any count of arguments. */
gboolean heddle_eq_is_function (const char *name);

/* Returns the kind of the operation over axes that has this name, such as sum[k](…); NULL if there is
 * none. */
const HeddleOperationKind *heddle_eq_reduction (const char *name);
