/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/region.h"

G_BEGIN_DECLS

/* what is read at other indices than its own is held to the windows of those */
void heddle_region_term_find_halos (HeddleRegionTerm *region);

G_END_DECLS
