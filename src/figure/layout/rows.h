/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Rows are the heights of lines. The law is that no constraint is broken; wires are kept straight as far as that
 * allows. */

/* Gives each line its height in px such that no two are closer than they may be at any column, with as few bends as
 * can be. */
void heddle_layout_solve_rows (HeddleLayout *self);
