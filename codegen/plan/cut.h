/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* The kernels that a plan makes of a diagram without labels, as a schedule of the diagram: what is suggested is held against them, so that no suggestion is
 * slower than what is exported where nothing is asked for. */

G_BEGIN_DECLS

/* Returns the kernels and labels that a plan finds, as a new schedule; NULL: there is no plan, or its kernels are made of other operations than the
 * diagram has. */
HeddleSchedule *heddle_plan_cut (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable);

G_END_DECLS
