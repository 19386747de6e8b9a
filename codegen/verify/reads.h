/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "diagram/graph/diagram.h"

/* Returns whether a kernel of the plan has the size of the axis as a constant. */
gboolean heddle_verify_is_constant (const HeddlePlan *plan, const char *axis);

/* Returns @small with those axes longer that reads would exceed farther than at the plan's sizes; their
 * lengths are multiples of @multiple. */
HeddleSizes *heddle_verify_reach_inside (const HeddlePlan *plan, const HeddleSizes *small, gint64 multiple);

/* Returns whether an array is read along the axis at indices that depend on places alone. They do not change
 * with the size: a shorter array would be read outside. */
gboolean heddle_verify_is_read_by_places (const HeddleDiagram *diagram, const char *axis);
