/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

void heddle_region_builder_add_concat (HeddleRegionBuilder *self, const HeddleOperation *operation);

G_END_DECLS
