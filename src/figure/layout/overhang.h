/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Tells whether the scale that is drawn beside the contraction @node may stand over the columns that follow, since
 * nothing else comes to its place there: then they need not wait for it. Heights are solved, and lines of a wrapped
 * figure end where the columns say. */
gboolean heddle_layout_reaches_over (const HeddleLayout *self, const HeddleFigureNode *node);
