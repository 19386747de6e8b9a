/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A figure that is to be wrapped ends its lines at data columns. The layout stays one line with room to turn;
 * painting folds it. */

/* Returns the width in px at which the figure's lines are wrapped; 0 means that it is one line. */
double heddle_layout_wrap_width (const HeddleLayout *self);
/* Chooses the columns at which lines end, by the cheapest way to the last, and marks them. Columns have places; FALSE
 * means that the figure fits into one line. */
gboolean heddle_layout_choose_breaks (HeddleLayout *self);
/* Narrows the stretch from @x1 to @x2, in px and both read and written, to the longest piece of it that lies in one
 * line of a wrapped figure. */
void heddle_layout_widest_in_line (const HeddleLayout *self, double *x1, double *x2);
