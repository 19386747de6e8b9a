/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Adds an operation that copies a value into one with its axes in the order of @axes, which has type @dtype,
 * and has those of @operations that read the value read that one. Returns the operation's id. */
const char *heddle_diagram_copy_in_order (HeddleDiagram *diagram, const char *value, const GArray *axes,
    HeddleDtype dtype, const GArray *operations);

/* Returns whether the operation does nothing but copy a value. */
gboolean heddle_operation_is_copy (const HeddleOperation *operation);
