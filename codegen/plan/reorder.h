/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Adds an operation that copies a value into one with its axes in the order of @axes, which has type @dtype, and has those of @operations
 * that read the value read that one. Gives the operation's id. */
const char *heddle_plan_relay (HeddleDiagram *diagram, const char *value, const GArray *axes,
    HeddleDtype dtype, const GArray *operations);

G_END_DECLS
