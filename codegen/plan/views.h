/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Takes the operations that only say where in an input something lies out of the plan's diagram, and makes
 * the whole one with them again. */
void heddle_plan_hoist_views (HeddlePlan *plan, const HeddleSchedule *schedule);

/* Sets plan->whole to a copy of the diagram with the views that were taken out of it as operations again. */
void heddle_plan_return_views (HeddlePlan *plan);
