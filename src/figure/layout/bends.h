/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* Bends are the places at which the wires of a member change their height. They are the last thing that is placed,
 * since they must keep clear of boxes and titles. */

G_BEGIN_DECLS

/* Tells whether the bends of @member, drawn from @x1 to @x2 (px), keep clear of the boxes and titles of the stage
 * before its first column. A box at which a wire begins is not in its way. */
gboolean heddle_member_bends_clear (
    const HeddleLayout *self, const HeddleMember *member, double x1, double x2);
/* Sets `bend_from` and `bend_to` of @member: where its wires change from the height at which they come to the one on
 * which they pass the data columns. Columns and boxes have their places. */
void heddle_member_place_bends (HeddleLayout *self, HeddleMember *member);

G_END_DECLS
