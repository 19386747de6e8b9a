/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* Several axes read as one, the last fastest: (h u) has the index h * size (u) + u, and its part along u is
 * mod (hu, size (u)). */

/* Returns the index of a point of @axes (ids, at least one) when they are laid out in a row, the last
 * fastest. */
HeddleExpr *heddle_merge_index (const GArray *axes);
/* Returns the axes, two or more, whose heddle_merge_index() is @index; NULL if there are none. Transfer
 * container. */
GArray *heddle_merge_match (const HeddleExpr *index);
/* Returns the index along axis @part of @axes where all of them are one, @merged. */
HeddleExpr *heddle_merge_part (const char *merged, const GArray *axes, guint part);
/* Returns those among @operand_axes that a read at @indices takes as one axis @merged, in its order: the
 * index along each is its part. Transfer container; NULL if they do not make it up. */
GArray *heddle_merge_find (const GArray *operand_axes, const GPtrArray *indices, const char *merged);
