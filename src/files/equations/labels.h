/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/plan.h"
#include "files/equations/private.h"

/* This file gives the names of axes and definitions in equations that are being written. */

/* Returns the name by which the value is written, its own or `t1` and the like; the diagram or the plan owns
 * it. NULL means that it has none. */
const char *heddle_eq_plan_label (const HeddleEqPlan *self, const char *value_id);

/* Returns the diagram that a call calls, which the snapshot owns; NULL means that it is not available. */
const HeddleDiagram *heddle_eq_plan_callee (const HeddleEqPlan *self, const char *id);

/* Returns the name of the diagram with that id, or what its id says of it if it is not available; newly
 * allocated. */
char *heddle_eq_callee_name (const HeddleSnapshot *snapshot, const char *id);
