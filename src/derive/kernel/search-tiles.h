/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* arrays of gint64, from the least up */
gint64 heddle_size_at (const GArray *sizes, guint i);
/* The least tile of each number of groups, rounded up to a multiple of @divisor. */
GArray *heddle_sizes_of_classes (gint64 n, gint64 divisor);
/* All, where they are not too many to go through. */
GArray *heddle_sizes_of_all (gint64 n, gint64 divisor);
gboolean heddle_sizes_are_all (gint64 n, gint64 divisor);
/* Powers of two (times the divisor) from @least to @most, and the whole axis where that is less. */
GArray *heddle_sizes_of_powers (gint64 n, gint64 divisor, gint64 least, gint64 most);
GArray *heddle_one_size (gint64 size);

G_END_DECLS
