/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Expands the softmaxes and norms of the plan's diagram that fit no memory. Returns %FALSE if there are
 * none. */
gboolean heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable);
/* Makes sums over products of three arrays and more, in the plan's diagram, such of two. */
void heddle_plan_split_products (HeddlePlan *plan);

G_END_DECLS
