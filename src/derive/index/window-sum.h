/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/index/window.h"
#include "diagram/graph/diagram.h"

/* Windows that are sums of indices by whole factors, as those of convolutions are; see HeddleWindowSum. They
 * are priced in closed form. */

/* Frees the sum; NULL is allowed. */
void heddle_window_sum_free (HeddleWindowSum *self);
/* Returns @exprs as one sum, newly allocated; NULL where they are no such sum. */
HeddleWindowSum *heddle_window_sum_new (const GPtrArray *exprs, const HeddleSizes *sizes);
/* Returns how many indices of an axis of @n are held at most, whichever parts of the lengths that @part gives
 * are current. */
gint64 heddle_window_most (
    const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n, HeddleWindowPart part, gpointer data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleWindowSum, heddle_window_sum_free)
