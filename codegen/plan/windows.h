/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "codegen/plan/private.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* The labels that a product of windows, such as a convolution, gets where the person gave none. */

/* Frees the lists of @self, but not @self. */
void heddle_plan_axes_clear (HeddlePlanAxes *self);
/* Labels such a product with the best sizes by the model. Returns %FALSE if there are none. */
gboolean heddle_plan_label_product (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddlePlanAxes *axes, GCancellable *cancellable);
/* Labels a region without labels whose kernel is a product of windows. Returns %FALSE if it is none for the
 * tensor core. */
gboolean heddle_plan_label_windows (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanAxes, heddle_plan_axes_clear)
