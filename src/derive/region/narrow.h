/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The number of operations up to which they are one piece. The search for the best kernels looks at sets of
 * neighbours in as many operations at once; what it takes for more of them grows faster than their number. */
#define HEDDLE_MOST_OPERATIONS 64

/* Cuts a run of @n operations into parts of at most %HEDDLE_MOST_OPERATIONS, so that all cuts together cost the
 * least; of equal ones the last part is the longest.
 * @losses: what a cut before each operation costs, 0 or more; that before the first one is not looked at
 * Returns the ends of the parts, of guint; the last one is @n. The caller owns the array. */
GArray *heddle_narrow_cuts (const double *losses, guint n);
