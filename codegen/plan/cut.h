/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file gives the kernels that a plan makes of a diagram without labels, as a schedule of the diagram:
 * suggestions are compared with them, so that none is slower than what is exported if nothing is asked
 * for. */

/* Returns the kernels and labels that a plan finds, as a new schedule; NULL if there is no plan, or if its
 * kernels are made of operations that the diagram does not have. The plan is the one that is exported or, if
 * @thorough, the best of all ways to cut the diagram by the rates of the GPU's units. */
HeddleSchedule *heddle_plan_cut (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, gboolean thorough, GCancellable *cancellable);
