/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The tile sizes that a search tries along an axis of @n indices: new arrays of gint64, from the least up,
 * all multiples of @divisor but for the whole axis. */

/* Returns size number @i. */
gint64 heddle_size_at (const GArray *sizes, guint i);
/* Returns the least tile of each number of groups, rounded up to a multiple of @divisor. */
GArray *heddle_sizes_of_classes (gint64 n, gint64 divisor);
/* Returns all sizes, where they are few enough to go through, else those of heddle_sizes_of_classes (). */
GArray *heddle_sizes_of_all (gint64 n, gint64 divisor);
/* Returns whether an axis of @n indices has few enough multiples of @divisor to try them all. */
gboolean heddle_sizes_are_all (gint64 n, gint64 divisor);
/* Returns the powers of two (times the divisor) from @least to @most, and the whole axis if that is less. */
GArray *heddle_sizes_of_powers (gint64 n, gint64 divisor, gint64 least, gint64 most);
/* Returns an array of @size alone, of a tile that a label gives. */
GArray *heddle_one_size (gint64 size);
