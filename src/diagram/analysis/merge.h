/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Several axes as one, the last fastest: (h u) of the index h * size (u) + u; and back, its part along u, mod (hu, size (u)). */

/* The index that axes (ids) make together. */
HeddleExpr *heddle_merge_index (const GArray *axes);
/* The axes, two or more, whose heddle_merge_index() @index is. Transfer container; NULL: of none. */
GArray *heddle_merge_match (const HeddleExpr *index);
/* The index along axis @part of @axes where all of them are one, @merged. */
HeddleExpr *heddle_merge_part (const char *merged, const GArray *axes, guint part);
/* Those among @operand_axes that a read at @indices takes as one axis @merged, in its order: the index along each is its part.
 * Transfer container; NULL: they do not make it up. */
GArray *heddle_merge_find (const GArray *operand_axes, const GPtrArray *indices, const char *merged);

G_END_DECLS
