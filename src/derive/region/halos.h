/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/region.h"

/* Gives each definition that is read at other indices than its own the windows of those, to which it is held
 * from then on. */
void heddle_region_term_find_halos (HeddleRegionTerm *region);
