/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"

/* This file checks whether operations can be one kernel. */

#define HEDDLE_MOST_KERNEL_OPERATIONS 512

/* Returns whether there are no more operations than one kernel is made of, whose statements are compared with
 * one another; %FALSE with %HEDDLE_DERIVE_ERROR_REGION, which names the bound. */
gboolean heddle_region_check_count (guint operations, GError **error);
/* Returns whether the diagram's operations of the region are sound; %FALSE with %HEDDLE_DERIVE_ERROR_REGION. */
gboolean heddle_region_builder_check_sound (const HeddleRegionBuilder *self, GError **error);
/* Checks that nothing outside the region stands between its own operations, as a kernel runs at once.
 * Otherwise returns %FALSE with %HEDDLE_DERIVE_ERROR_REGION, which names the value in between. */
gboolean heddle_region_builder_check_convex (const HeddleRegionBuilder *self, GError **error);
