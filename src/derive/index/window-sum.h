/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/index/window.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

void heddle_window_sum_free (HeddleWindowSum *self);
/* NULL: it is none. */
HeddleWindowSum *heddle_window_sum_new (const GPtrArray *exprs, const HeddleSizes *sizes);
/* How many indices of an axis that has @n are held at most, whichever parts are at hand. */
gint64 heddle_window_most (
    const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n, HeddleWindowPart part, gpointer data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleWindowSum, heddle_window_sum_free)

G_END_DECLS
