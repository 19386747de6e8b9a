/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

/* Returns how much all of @terms, an array of HeddleTerms, hold together at most, in bytes where @bytes is
 * set, else in elements. */
gint64 heddle_windows_peak (
    const HeddleCost *cost, const GArray *terms, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* Returns how many elements memory is laid out for along all windows of a buffer: the product of their
 * greatest lengths. */
gint64 heddle_windows_laid_out (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
