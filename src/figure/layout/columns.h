/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Columns give the figure its places from left to right; x = 0 is where the wires of inputs begin. */

/* Returns the px from the middle of the names at @column to where wires begin before them, or end after them. */
double heddle_column_reach (const HeddleColumn *column);
/* Places the columns and the operations in them. Rows are solved, and boxes have their heights. */
void heddle_layout_place_columns (HeddleLayout *self);
