/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A copy of an array travels as a ribbon: its wires leave their dots, turn, run up or down close to one another, and part at the rows
 * where they are read. */

#define HEDDLE_RIBBON_CORNER 10. /* px: radius of its turns */

/* Gives the copies that begin after the operations of stage @t their places in the zone of bends there, so that few cross: sets the `leave`
 * of each and the `drop` of its wires, in px from the left end of that zone. Heights are solved. Returns the width in px that they take. */
double heddle_layout_place_ribbons (HeddleLayout *self, int t);
