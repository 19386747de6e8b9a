/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Expands the softmaxes and norms of the plan's diagram that fit no memory. Returns %FALSE if there are
 * none. */
gboolean heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable);
/* Makes sums over products of two arrays out of those over products of three and more, and sums over two axes, with a
 * sum of those, out of large sums over three and more of what the tensor core multiplies. @dtype: that of values that
 * declare none. Returns the ids of the values that were such sums; the caller owns the array. */
GArray *heddle_diagram_split_products (HeddleDiagram *diagram, HeddleDtype dtype);
