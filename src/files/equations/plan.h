/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/private.h"

/* Returns whether the value has a statement of its own, by its name or because it needs one. */
gboolean heddle_eq_plan_is_own (const HeddleEqPlan *self, const char *value_id);
/* Settles which values are statements and how each is written; the caller owns the plan, which borrows both.
 * @is_definition says that the diagram is written as a definition, so that what it calls may stand within it. */
HeddleEqPlan *heddle_eq_plan_new (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gboolean is_definition);
/* Frees a plan with its texts; NULL is allowed. */
void heddle_eq_plan_free (HeddleEqPlan *self);
/* Returns the value that is called @name where the diagram is written as equations, "t1" included; the
 * diagram owns it. NULL means that there is none. */
const HeddleValue *heddle_equations_find_value (const HeddleDiagram *diagram, const char *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqPlan, heddle_eq_plan_free)
