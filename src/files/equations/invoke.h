/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"

/* Returns the ids of the callee's values and axes for which a call's arguments stand, in the order in which
 * they are written; the caller owns the array. */
GArray *heddle_eq_callee_slots (const HeddleDiagram *callee);

/* Returns the axes (ids) of the one result of a call, where the arguments say what they are called; the
 * caller owns the array. NULL means that an error was reported. */
GArray *heddle_eq_result_axes (HeddleEqScope *self, const HeddleEqNode *node);
