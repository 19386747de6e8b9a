/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Columns give the figure its places from left to right; x = 0 is where the wires of inputs begin. */

G_BEGIN_DECLS

/* Gives each data column and each operation its x, from left to right, and ends lines of a wrapped figure. Nodes are
 * measured and heights are solved. */
void heddle_layout_place_columns (HeddleLayout *self);

G_END_DECLS
