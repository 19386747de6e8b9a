/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/graph/diagram.h"

/* Takes @operation apart into its reductions and its pointwise rest and adds the definitions, each after
 * those it reads. */
void heddle_region_builder_add_operation (HeddleRegionBuilder *self, const HeddleOperation *operation);
