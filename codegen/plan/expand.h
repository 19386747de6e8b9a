/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Expands the softmaxes and norms of the plan's diagram that fit no memory. Returns %FALSE if there are
 * none. */
gboolean heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable);
/* Makes sums over products of two arrays out of those over products of three and more, sums over one axis out of large
 * sums over axes that lie side by side in both factors, and sums over two axes, with a sum of those, out of large sums
 * over three and more of what the tensor core multiplies. @sizes: those of the diagram's axes; they are replaced by
 * those of the changed diagram's. @dtype: that of values that declare none. Returns the ids of the values that were
 * sums over products of three, or over three axes; the caller owns the array. Appends those whose axes were joined to
 * @joined. */
GArray *heddle_diagram_split_products (
    HeddleDiagram *diagram, HeddleSizes **sizes, HeddleDtype dtype, GArray *joined);
