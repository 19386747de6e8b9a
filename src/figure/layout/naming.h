/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* Chooses for each wire whether its axis is named where its member begins and before the operation that reads it: not
 * where it goes on straight from a name that is still in sight. Wires are woven. */
void heddle_layout_choose_names (HeddleLayout *self);
/* Tells whether the axis of @strand, a wire of @member, is named at data column @t, which the member passes. Where a
 * region or a line of a wrapped figure begins or ends all axes are named besides. */
gboolean heddle_member_names (const HeddleMember *member, const HeddleStrand *strand, int t);
/* Returns the width in px of the widest name of the axes of @member that are named at data column @t, or of all its axes
 * if @all. @widths has the widths that were measured, by the ids of the axes; what is new there is added. */
double heddle_member_widest_name (
    const HeddleLayout *self, const HeddleMember *member, int t, gboolean all, GHashTable *widths);
