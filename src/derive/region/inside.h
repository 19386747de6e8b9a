/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Finds the condition that a point is a term of @operation's reduction, over INDEX, SIZE and values at the
 * point; NULL if it always is. Fails with %HEDDLE_DERIVE_ERROR_PROGRAM. */
gboolean heddle_region_builder_get_inside (
    HeddleRegionBuilder *self, const HeddleOperation *operation, HeddleExpr **inside, GError **error);
