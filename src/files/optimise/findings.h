/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

/* Returns a quantity with three digits and a decimal prefix, "12.3 MB"; newly allocated. */
char *heddle_optimised_quantity (double value, const char *unit);
/* Returns the kernels of a piece that took the place of several, of HeddleOptimiseFinding; the caller owns
 * the array, which frees them. */
GPtrArray *heddle_optimised_find (const HeddleOptimised *self, const HeddleOptimisedPiece *piece);
