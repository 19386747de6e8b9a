/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"

/* Two arrays that are put together can become several things. */

/* Returns the senses of an axis of @left that is laid on one of @right (ids), of HeddleSense, the first one the most likely: that they
 * are summed over together. The caller owns the array. */
GPtrArray *heddle_senses_of_contraction (
    HeddleEditor *editor, const char *left, const char *left_axis, const char *right, const char *right_axis);
/* Returns the senses of an array @right that is laid on another, @left: that it is added or multiplied entry by entry. Axes that only one
 * of the two has are brought together where they are as many and of the same sizes. The caller owns the array, which is empty where none
 * fits. */
GPtrArray *heddle_senses_of_join (HeddleEditor *editor, const char *left, const char *right);
