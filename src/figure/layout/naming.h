/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* Chooses for each wire whether its axis is named where its member begins and before the operation that reads it: not
 * where it goes on straight from a name that is still in sight. Wires are woven. */
void heddle_layout_choose_names (HeddleLayout *self);
/* Tells whether the axis of @strand, a wire of @member, is named at data column @t, which the member passes. Where a
 * region or a line of a wrapped figure begins or ends all axes are named besides. */
gboolean heddle_member_names (const HeddleMember *member, const HeddleStrand *strand, int t);

G_END_DECLS
