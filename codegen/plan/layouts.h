/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"

/* The arrays that kernels of their own may copy into another order. */
typedef enum
{
  HEDDLE_PLAN_COPY_NOTHING,
  HEDDLE_PLAN_COPY_INPUTS, /* an input, once for all that read it */
  HEDDLE_PLAN_COPY_FOR_EACH, /* what a kernel reads, for that one alone */
} HeddlePlanCopies;

/* Chooses how arrays between the kernels of @plan->derivation lie: gives values that nobody outside sees the
 * order of axes that their readers and writers want, and has what @copies says copied into that order by
 * kernels of their own, where that is faster by the model. The plan then has a diagram and a derivation with
 * that; a plan that nothing is better for stays as it is. */
void heddle_plan_lay_out (HeddlePlan *plan, HeddlePlanCopies copies, GCancellable *cancellable);
/* Finds better layouts of the arrays between the kernels of @derivation, which are of @diagram, for the
 * machine and type of @plan. Inputs may be copied. Returns a new diagram with these layouts; NULL if nothing
 * is faster. */
HeddleDiagram *heddle_plan_find_layouts (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleDerivation *derivation, GCancellable *cancellable);
