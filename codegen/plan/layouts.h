/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Chooses how arrays between the kernels of @plan->derivation lie: gives values that nobody outside sees the order of axes that their readers
 * and writers want, and, where @copies may be made, has arrays copied into that order by kernels of their own, where that is faster by the model. The plan
 * then has a diagram and a derivation with that; a plan that nothing is better for stays as it is. */
void heddle_plan_lay_out (HeddlePlan *plan, gboolean copies, GCancellable *cancellable);
/* Finds how arrays between the kernels of @derivation, which are of @diagram, lie better, for the machine and type of @plan. Returns a new diagram that
 * has them so; NULL: nothing is faster. */
HeddleDiagram *heddle_plan_find_layouts (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleDerivation *derivation, GCancellable *cancellable);

G_END_DECLS
