/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Weaving makes the lines of a layout: each straight run of a wire is one, known by its number. It also records how
 * close two lines may be, but gives no heights. */

/* Adds a line which would be @offset px below line @prefer (-1: anywhere) and returns its number. */
int heddle_layout_add_line (HeddleLayout *self, int prefer, double offset);
/* Adds a line which would be midway between two others, such as the separator of two members, and returns its number. */
int heddle_layout_add_line_between (HeddleLayout *self, int above, int below);
/* Puts the wires of an operand into the @order in which the operation takes them, one number for each strand. Those
 * between the first and the last that move get new lines, in the places of one another. */
void heddle_member_set_order (HeddleLayout *self, HeddleMember *member, const guint *order);
/* Goes through the stages from left to right: finds out which wires go on, makes a line of each straight run, and
 * records how close lines may be. */
void heddle_layout_weave (HeddleLayout *self);
