/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Bends are the places at which the wires of a member change their height. They keep clear of boxes and titles. */

/* Returns the px from left to right in which a wire goes up or down by @dy px. */
double heddle_layout_bend_length (double dy);
/* Returns the room in px for bends after the operations of stage @t, which take @operations px, and places the ribbons
 * of copies there. Columns up to this one have their places. */
double heddle_layout_bends_width (HeddleLayout *self, int t, double operations);
/* Sets between which places the wires of each member bend. Boxes and columns have their places. */
void heddle_layout_place_bends (HeddleLayout *self);
