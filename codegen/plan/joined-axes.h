/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* Makes one axis of two that lie side by side in both factors of a sum over them, as the pairs that a rotary embedding
 * turns: a side of a tile has one axis. The factors and what they are mapped from are made along that axis, and keep
 * their names. @sum: the id of a sum over a product of two arrays. @sizes: those of the diagram's axes; they are replaced
 * by those of the changed diagram's. Returns FALSE
 * without a change if there are no such axes, or if a factor would have to be copied. */
gboolean heddle_plan_join_axes (HeddleDiagram *diagram, HeddleSizes **sizes, const char *sum);
