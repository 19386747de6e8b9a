/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"

G_BEGIN_DECLS

/* %HEDDLE_DERIVE_ERROR_REGION */
gboolean heddle_region_builder_check_sound (const HeddleRegionBuilder *self, GError **error);
gboolean heddle_region_builder_check_convex (const HeddleRegionBuilder *self, GError **error);

G_END_DECLS
