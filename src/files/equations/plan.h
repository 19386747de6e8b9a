/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

gboolean heddle_eq_plan_is_own (const HeddleEqPlan *self, const char *value_id);
const char *heddle_eq_plan_label (const HeddleEqPlan *self, const char *value_id);
/* What a call calls, as far as it is known, and its name. */
const HeddleDiagram *heddle_eq_plan_callee (const HeddleEqPlan *self, const char *id);
char *heddle_eq_callee_name (const HeddleSnapshot *snapshot, const char *id);
/* @is_definition: the diagram is written as one, so that what it calls may stand within it. */
HeddleEqPlan *heddle_eq_plan_new (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gboolean is_definition);
void heddle_eq_plan_free (HeddleEqPlan *self);
/* The value that is called @name in that text, "t1" included; NULL: none. */
const HeddleValue *heddle_equations_find_value (const HeddleDiagram *diagram, const char *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqPlan, heddle_eq_plan_free)

G_END_DECLS
