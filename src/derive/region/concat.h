/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/graph/diagram.h"

/* Adds the definitions of a CONCAT: each operand read at indices shifted by those before it, and a choice
 * between them by the index. */
void heddle_region_builder_add_concat (HeddleRegionBuilder *self, const HeddleOperation *operation);
