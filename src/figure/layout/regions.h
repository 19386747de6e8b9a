/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A region is the stretch of the figure that one kernel covers. Regions are numbered; -1 is none. The layout owns
 * them, and they borrow the derivation's or the schedule's labels. */

G_BEGIN_DECLS

/* Tells whether the memory level has a look of its own: those above one GPU have none. */
gboolean heddle_level_is_drawn (const char *level);
/* Makes a region of each kernel that the figure's derivation holds, or its schedule where there is none, with its
 * level and labels; places come later. */
void heddle_layout_find_regions (HeddleLayout *self);
/* Returns the region of that number if it is to be seen; @self owns it. NULL stands for -1, for a region without
 * labels, and where labels are not shown. */
HeddleShownRegion *heddle_layout_region (const HeddleLayout *self, int region);
/* Returns the number of the region on whose tint the member lies at data column @t, or -1. */
int heddle_layout_region_at (const HeddleLayout *self, const HeddleMember *member, int t);

G_END_DECLS
