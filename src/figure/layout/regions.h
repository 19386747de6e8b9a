/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A region is the stretch of the figure that one kernel covers. Regions are numbered; -1 is none. The layout owns
 * them, and they borrow the derivation's or the schedule's labels. */

/* Tells whether the memory level has a look of its own: those above one GPU have none. */
gboolean heddle_level_is_drawn (const char *level);
/* Makes a region of each kernel that the figure's derivation holds, or its schedule where there is none, with its
 * level and labels; places come later. */
void heddle_layout_find_regions (HeddleLayout *self);
/* Returns the region of that number if it is to be seen; @self owns it. NULL stands for -1, for a region without
 * labels, and where labels are not shown. */
HeddleShownRegion *heddle_layout_region (const HeddleLayout *self, int region);
/* Tells whether what the node draws carries state from step to step of its kernel, which is said below it. */
gboolean heddle_layout_carries (const HeddleLayout *self, const HeddleFigureNode *node);
/* Returns the region within which the labels of the axis of @strand, a wire of @member, stand where it begins: no wire
 * brings the axis in, as behind a learned map. NULL means that it has none there; @self owns the region. */
const HeddleShownRegion *heddle_layout_tags_within (
    const HeddleLayout *self, const HeddleMember *member, const HeddleStrand *strand);
/* Returns what the hexagon of a label says, "g_x = 128", above one GPU with the level; newly allocated. */
char *heddle_layout_tag_text (const HeddleAxis *axis, const HeddleLabel *label);
/* Returns how wide the labels of an axis are in the region, in px: they stand side by side. */
double heddle_layout_tags_width (const HeddleLayout *self, const HeddleShownRegion *region, const char *id);
/* Returns how wide the widest labels are that stand where wires of @member begin within a region, in px, or 0. */
double heddle_layout_widest_tags_within (const HeddleLayout *self, const HeddleMember *member);
/* Returns about which x, in px, labels stand where wires of @member begin within a region. Columns have their places. */
double heddle_layout_tags_x (const HeddleLayout *self, const HeddleMember *member);
/* Returns the number of the region on whose tint the member lies at data column @t, or -1. */
int heddle_layout_region_at (const HeddleLayout *self, const HeddleMember *member, int t);
