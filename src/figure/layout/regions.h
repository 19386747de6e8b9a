/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* Whether the memory level has a look of its own: those above one GPU have none. */
gboolean heddle_level_is_drawn (const char *level);
/* regions.c */
void heddle_layout_find_regions (HeddleLayout *self);
HeddleShownRegion *heddle_layout_region (const HeddleLayout *self, int region);
int heddle_layout_region_at (const HeddleLayout *self, const HeddleMember *member, int t);

G_END_DECLS
